/** Undoes what a ledger records: restores what a run changed and removes what it created, in reverse order. */
import { operation } from '../../spec/operations.ts';
import { changedByOthers, changedSince } from './changed-since.ts';
import type { Client } from './client.ts';
import { eventually, pollUntilTimeout } from './eventually.ts';
import type { LedgerChange, LedgerContent, LedgerEntry, UndoNotes } from './read-ledger.ts';
import { removeCreation } from './remove-creation.ts';
import type { RemovalContext, RemovalOutcome } from './remove-creation.ts';
import {
  LAG_SECONDS,
  describeStatus,
  isDone,
  isNotFound,
  isRemovable,
  undoRequests,
  wasCreated,
} from './undo-requests.ts';
import type { SendUndo } from './undo-requests.ts';

/** What could not be undone, and why. */
export interface LeftBehind {
  what: LedgerEntry | LedgerChange;
  why: string;
}

export interface Undone {
  done: (LedgerEntry | LedgerChange)[];
  left: LeftBehind[];
}

/** Statuses of a resource that is still being changed. */
const busyStatuses = new Set<number | string>([409, 423]);

export interface UndoOptions {
  /** How long to wait for a resource that is busy when it is to be restored. */
  busySeconds?: number;
  /** The run ended some time ago, so what others have changed since is not restored. */
  isLate?: boolean;
}

/**
 * Removes only resources whose name, or displayName if the target chose the name, has the run's prefix: anything else may
 * not have been created by the run. Not found (404, 410) means removed only if the target is known to remove such
 * resources, and if it had not reported the creation or a removal had already been sent.
 */
export async function undo(
  content: LedgerContent,
  prefix: string,
  client: Client,
  notes: UndoNotes,
  { busySeconds = 30, isLate = false }: UndoOptions = {},
): Promise<Undone> {
  const send = undoRequests(client);
  const outcomes = new Map<LedgerEntry | LedgerChange, RemovalOutcome>();
  for (const change of content.changes.toReversed()) {
    const decided =
      isLate && change.body !== undefined ? await lateOutcome(change, content.about.run, client) : undefined;
    const outcome = decided ?? (await restore(change, send, busySeconds));
    outcomes.set(change, outcome);
    if (outcome === 'removed') notes.undone(change.number);
  }
  const removals = new Set(content.removals);
  const context: RemovalContext = {
    send,
    sendUntilFound: pollUntilTimeout(({ status }) => !isNotFound(status), LAG_SECONDS),
    mustExist: (entry) => wasCreated(entry) && isRemovable(entry.removal?.operation, removals),
    prefix,
    notes,
  };
  const removed = new Set<string>();
  for (const entry of content.creations.toReversed()) {
    const key = JSON.stringify(entry.removal) as string | undefined;
    // A second create with the same name may have returned the first resource.
    const isRemoved = key !== undefined && removed.has(key);
    const outcome = isRemoved ? 'removed' : await removeCreation(entry, context);
    outcomes.set(entry, outcome);
    if (outcome === 'removed' || outcome === 'never existed') notes.undone(entry.number);
    if (outcome !== 'removed' || entry.removal === undefined || key === undefined) continue;
    removed.add(key);
    removals.add(entry.removal.operation);
  }
  return summarize(outcomes, removals, notes);
}

/** Undefined if the change is to be restored. */
async function lateOutcome(change: LedgerChange, run: string, client: Client): Promise<RemovalOutcome | undefined> {
  try {
    const outcomeOf = {
      'as the run left it': undefined,
      'as before the run': 'removed',
      'changed by others': { why: changedByOthers(run) },
    } as const;
    return outcomeOf[await changedSince(change, run, client)];
  } catch (error) {
    return { why: (error as Error).message };
  }
}

async function restore(
  { changed, path, body }: LedgerChange,
  send: SendUndo,
  busySeconds: number,
): Promise<RemovalOutcome> {
  if (body === undefined) return { why: 'its previous state could not be read' };
  if (operation(changed).method !== 'PUT') return { why: `${changed} does not restore anything` };
  const request = () => send(changed, { path, body });
  const { status } = await eventually(request, (response) => !busyStatuses.has(response.status), busySeconds);
  return isDone(status) ? 'removed' : { why: describeStatus(changed, status) };
}

const NOT_FOUND = 'not found (404): it is already gone, was never created, or this target cannot remove it';

/** Not found means removed if the target has been observed to remove such resources. */
function summarize(
  outcomes: ReadonlyMap<LedgerEntry | LedgerChange, RemovalOutcome>,
  removals: ReadonlySet<string>,
  notes: UndoNotes,
): Undone {
  const undone: Undone = { done: [], left: [] };
  for (const [what, outcome] of outcomes) {
    const isGone = outcome === 'not found' && 'created' in what && isRemovable(what.removal?.operation, removals);
    if (isGone) notes.undone(what.number);
    if (isGone || outcome === 'removed' || outcome === 'never existed') undone.done.push(what);
    else undone.left.push({ what, why: outcome === 'not found' ? NOT_FOUND : outcome.why });
  }
  return undone;
}
