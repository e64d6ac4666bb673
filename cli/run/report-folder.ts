/** The report folder of a run. */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../command-line/usage-error.ts';

export const LEDGER_FILE = 'ledger.ndjson';
export const EXCHANGES_FILE = 'exchanges.ndjson';

/** Creates the folder, before anything is sent, because a run without a report is useless. Returns its absolute path. */
export function prepareReportFolder(given: string): string {
  const folder = path.resolve(given);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(
      `The report cannot be written to "${given}": ${(error as Error).message}. Choose another --report DIR.`,
    );
  }
  if (existsSync(path.join(folder, LEDGER_FILE)))
    throw new UsageError(
      `"${given}" contains the ledger of a run that left resources behind or is still active. Choose another folder, or run: npx assay sweep --target FILE --report ${given}`,
    );
  return folder;
}
