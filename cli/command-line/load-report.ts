/** A report that a caller names: what is wrong with it is the caller's to set right. */
import { readReport, UnreadableReport } from '../../reports/read-report.ts';
import type { Report } from '../../spec/verdicts.ts';
import { UsageError } from './usage-error.ts';

/** A report.json or its folder. Throws BadUsage. */
export function loadReport(file: string): Report {
  try {
    return readReport(file);
  } catch (error) {
    if (error instanceof UnreadableReport) throw new UsageError(error.message);
    throw error;
  }
}
