/** Whether the run of a ledger may still go on, so that nobody may undo it. */
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { LedgerAbout } from '../../suites/target/ledger.ts';
import { processFacts } from '../../suites/target/process-facts.ts';
import { EXCHANGES_FILE } from './report-folder.ts';

/** Of a run on another machine only its files are known; it writes one of them with each exchange. */
const INACTIVE_AFTER_MS = 3_600_000;

/** In words; undefined where it has ended. */
export function describeActiveRun(about: LedgerAbout, file: string): string | undefined {
  const { pid, host } = about;
  if (host === hostname()) return isRunning(about) ? `that still goes on (process ${pid})` : undefined;
  const isInactive = Date.now() - lastActivity(about, file) > INACTIVE_AFTER_MS;
  return isInactive ? undefined : `on another machine (${host}) that may still go on, as it did less than an hour ago`;
}

function isRunning({ pid, processStart }: LedgerAbout): boolean {
  if (pid === process.pid) return false; // Ours by now.
  const facts = processFacts(pid);
  if (facts === undefined) return processExists(pid);
  return !facts.isOver && (processStart ?? facts.start) === facts.start;
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Not when the ledger was written last, which a sweep does, too. */
function lastActivity({ startedAt }: LedgerAbout, file: string): number {
  const exchanges = path.join(path.dirname(file), EXCHANGES_FILE);
  return Math.max(Date.parse(startedAt), statSync(exchanges, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
