/** Undoes what a ledger records: restores what a run changed, and removes what it created, in reverse order. */
import { operation } from '../../spec/operations.ts';
import { changedByOthers, changedSince } from './changed-since.ts';
import type { Client } from './client.ts';
import { eventually, pollUntilTimeout } from './eventually.ts';
import { wasRefused } from './read-ledger.ts';
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
  async function remove(creation: RecordedCreation): Promise<void> {
    const { entry, repeated } = creation;
    const outcome = await removeCreation(entry, context);
    if (outcome === 'removed' && entry.removal !== undefined) removals.add(entry.removal.operation);
    for (const each of [entry, ...repeated]) {
      const isOnlyRepeated = each !== entry && wasRefused(each) && outcome !== 'removed';
      const found = isOnlyRepeated ? 'never existed' : outcome;
      outcomes.set(each, found);
      if (found === 'removed' || found === 'never existed') notes.undone(each.number);
    }
  }
  const [refused, others] = recordedCreations(content.creations);
  await forEachAtOnce(refused, MAX_REFUSED_AT_ONCE, remove);
  for (const creation of others) await remove(creation);
  return summarize(outcomes, removals, notes);
}

/** Creations of the same kind and name, with the same removal: one request removes the resource, whichever of them created it. */
interface RecordedCreation {
  /** The one that created the resource, as far as is known. */
  readonly entry: LedgerEntry;
  readonly repeated: readonly LedgerEntry[];
}

/** Those that the target refused, which should not exist and on which nothing depends; and all others, the last one first. */
function recordedCreations(
  creations: readonly LedgerEntry[],
): [refused: RecordedCreation[], others: RecordedCreation[]] {
  const keyOf = ({ number, created, name, removal }: LedgerEntry): string =>
    JSON.stringify([created, name, removal ?? number]);
  const certainty = (entry: LedgerEntry): number => (wasCreated(entry) ? 0 : wasRefused(entry) ? 2 : 1);
  const recorded = [...Map.groupBy(creations.toReversed(), keyOf).values()]
    .map((entries) => entries.toSorted((one, other) => certainty(one) - certainty(other)))
    .flatMap(([entry, ...repeated]) => (entry === undefined ? [] : [{ entry, repeated }]))
    .toSorted((one, other) => other.entry.number - one.entry.number);
  const isRefused = ({ entry }: RecordedCreation): boolean => wasRefused(entry);
  return [recorded.filter((each) => isRefused(each)), recorded.filter((each) => !isRefused(each))];
}

const MAX_REFUSED_AT_ONCE = 16;

async function forEachAtOnce<T>(items: readonly T[], max: number, use: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const useNext = async (): Promise<void> => {
    for (const item of queue) await use(item);
  };
  await Promise.all(Array.from({ length: max }, useNext));
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
