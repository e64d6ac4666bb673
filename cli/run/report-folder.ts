/** The folder that a report goes to. */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../command-line/usage-error.ts';

export const LEDGER_FILE = 'ledger.ndjson';
export const EXCHANGES_FILE = 'exchanges.ndjson';

/** Made before anything is sent: a run whose report cannot be written is of no use. Gives the whole path. */
export function prepareReportFolder(given: string): string {
  const folder = path.resolve(given);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`the report cannot be written to "${given}": ${(error as Error).message}. Give --report DIR.`);
  }
  if (existsSync(path.join(folder, LEDGER_FILE)))
    throw new UsageError(
      `"${given}" holds the ledger of a run that left things behind, or still goes on. Give another folder, or sweep it: npx assay sweep --target FILE --report ${given}.`,
    );
  return folder;
}
