/** Prepares the report folder of a run. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { canBeRetried, readLedger, UnreadableLedger } from '../../suites/target/read-ledger.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { LEDGER_FILE } from './report-folder.ts';
import { describeActiveRun } from './run-liveness.ts';

/**
 * Creates the folder, before anything is sent, because a run without a report is useless. Returns its absolute path. The
 * ledger of an earlier run is deleted if nothing in it can be undone; otherwise throws UsageError.
 */
export function prepareReportFolder(given: string): string {
  const folder = path.resolve(given);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(
      `The report cannot be written to "${given}": ${(error as Error).message}. Choose another --report DIR.`,
    );
  }
  const ledger = path.join(folder, LEDGER_FILE);
  if (existsSync(ledger) && isNeeded(ledger))
    throw new UsageError(
      `"${given}" contains the ledger of a run that left resources behind or is still active. Choose another folder, or run: npx --no assay sweep --target FILE --report ${given}`,
    );
  rmSync(ledger, { force: true });
  return folder;
}

/** Whether a sweep could still undo something, or the run of the ledger may be active. */
function isNeeded(ledger: string): boolean {
  try {
    const { about, creations, changes } = readLedger(ledger);
    return [...creations, ...changes].some(canBeRetried) || describeActiveRun(about, ledger) !== undefined;
  } catch (error) {
    if (error instanceof UnreadableLedger) return true;
    throw error;
  }
}
