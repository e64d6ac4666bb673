/** Undoes what a ledger says that a run did: puts back what it changed, removes what it created, the last first. */
import type { CallInput, Client } from './client.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import type { Change, LedgerContent, LedgerEntry } from './ledger.ts';

/** What could not be undone, and why. */
export interface LeftBehind {
  what: LedgerEntry | Change;
  why: string;
}

/**
 * Only names with the run's prefix are removed: another name may be of something that the run did not create. Gone
 * already (404, 410) counts as removed, unless the target had said that it created it: then it has no way to remove it.
 */
export async function undo(content: LedgerContent, prefix: string, client: Client): Promise<LeftBehind[]> {
  const left: LeftBehind[] = [];
  for (const change of content.changes.toReversed()) {
    const why = await problem(client, change.changed, { path: change.path, body: change.body }, isDone);
    if (why !== undefined) left.push({ what: change, why });
  }
  const undone = new Set<string>();
  for (const entry of content.creations.toReversed()) {
    const key = JSON.stringify(entry.removal);
    // A second create of a name may have been answered with the first one.
    const why = undone.has(key) ? undefined : await removalProblem(entry, prefix, client);
    if (why === undefined) undone.add(key);
    else left.push({ what: entry, why });
  }
  return left;
}

const isDone = (status: number): boolean => status >= 200 && status < 300;

async function removalProblem(entry: LedgerEntry, prefix: string, client: Client): Promise<string | undefined> {
  const { removal, name, status: created } = entry;
  if (!name.startsWith(prefix)) return `its name does not begin with ${prefix}`;
  const isThere = created !== undefined && isDone(created);
  if (removal === undefined) return isThere ? 'the interface shows no way to remove it' : undefined;
  const isGone = (status: number) => isDone(status) || (!isThere && (status === 404 || status === 410));
  return problem(client, removal.operation, { path: removal.path }, isGone);
}

async function problem(
  client: Client,
  id: OperationId,
  input: CallInput,
  isUndone: (status: number) => boolean,
): Promise<string | undefined> {
  try {
    const { status } = (await client.call(id, input)).answer;
    return isUndone(status) ? undefined : `${id} was answered ${status}`;
  } catch (error) {
    return (error as Error).message;
  }
}
