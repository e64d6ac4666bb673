/** Loads the report that an argument names. */
import { readReport, UnreadableReport } from '../../reports/read-report.ts';
import type { Report } from '../../spec/verdicts.ts';
import { UsageError } from './usage-error.ts';

/** `file` is a report.json or its folder. Throws UsageError if it is not a valid report. */
export function loadReport(file: string): Report {
  try {
    return readReport(file);
  } catch (error) {
    if (error instanceof UnreadableReport) throw new UsageError(error.message);
    throw error;
  }
}
