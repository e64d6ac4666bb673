/** What a run creates, line by line on disk before each creating request leaves, so that it can be removed whatever happens. */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { OperationId } from '../../spec/generated/types.ts';
import type { Client } from './client.ts';

export interface LedgerEntry {
  created: OperationId;
  name: string;
  /** Absent where the interface shows no way to remove it. */
  removal?: { operation: OperationId; path: Record<string, string> };
}

export interface Ledger {
  readonly file: string;
  /** On disk when it returns. */
  created: (entry: LedgerEntry) => void;
  close: () => void;
}

export function openLedger(file: string): Ledger {
  const descriptor = openSync(file, 'a', 0o600);
  return {
    file,
    created(entry) {
      writeSync(descriptor, `${JSON.stringify(entry)}\n`);
      fsyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}

/** A last line that was cut off is left out: its request never left. */
export function readLedger(file: string): LedgerEntry[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as LedgerEntry);
}

/** What could not be removed, and why. */
export interface LeftBehind {
  entry: LedgerEntry;
  why: string;
}

/**
 * Removes the last created first. Only names with the run's prefix are removed: another name may be of something that
 * the run did not create. Gone already (404) counts as removed.
 */
export async function removeCreated(
  entries: readonly LedgerEntry[],
  prefix: string,
  client: Client,
): Promise<LeftBehind[]> {
  const left: LeftBehind[] = [];
  for (const entry of entries.toReversed()) {
    const why = await removalProblem(entry, prefix, client);
    if (why !== undefined) left.push({ entry, why });
  }
  return left;
}

async function removalProblem(entry: LedgerEntry, prefix: string, client: Client): Promise<string | undefined> {
  const { removal, name } = entry;
  if (!name.startsWith(prefix)) return `its name does not begin with ${prefix}`;
  if (removal === undefined) return 'the interface shows no way to remove it';
  try {
    const { status } = (await client.call(removal.operation, { path: removal.path })).answer;
    return (status >= 200 && status < 300) || status === 404 || status === 410
      ? undefined
      : `its removal was answered ${status}`;
  } catch (error) {
    return (error as Error).message;
  }
}
