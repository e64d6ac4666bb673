/** Whether the run of a ledger may still be active, so that it must not be undone. */
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { LedgerHeader } from '../../suites/target/ledger.ts';
import { processFacts } from '../../suites/target/process-facts.ts';
import { EXCHANGES_FILE } from './report-folder.ts';

/** A run on another machine is known only by its files, one of which it touches with its exchanges. */
const INACTIVE_AFTER_MS = 3_600_000;

/** Completes "a run …"; undefined if the run has ended. */
export function describeActiveRun(about: LedgerHeader, file: string): string | undefined {
  const { pid, host } = about;
  if (host === hostname()) return isRunning(about) ? `that is still active (process ${pid})` : undefined;
  const isInactive = Date.now() - lastActivity(about, file) > INACTIVE_AFTER_MS;
  return isInactive ? undefined : `on another machine (${host}) that was active less than an hour ago`;
}

function isRunning({ pid, processStart }: LedgerHeader): boolean {
  if (pid === process.pid) return false; // The run was this process.
  const facts = processFacts(pid);
  if (facts === undefined) return processExists(pid);
  return !facts.hasExited && (processStart ?? facts.start) === facts.start;
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The last exchange. The ledger's own time does not count, because a sweep writes it too. */
function lastActivity({ startedAt }: LedgerHeader, file: string): number {
  const exchanges = path.join(path.dirname(file), EXCHANGES_FILE);
  return Math.max(Date.parse(startedAt), statSync(exchanges, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
