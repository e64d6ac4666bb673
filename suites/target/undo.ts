/** Undoes what a ledger records: restores what a run changed, and removes what it created, in reverse order. */
import { isChangeOfRuns } from './creations.ts';
import { changedByOthers, changedSince } from './changed-since.ts';
import { describeFalseClaim } from './claimed-creation.ts';
import type { Client } from './client.ts';
import { eventually, pollUntilTimeout } from './eventually.ts';
import { canBeRetried, wasRefused } from './read-ledger.ts';
import type { LedgerChange, LedgerContent, LedgerEntry, UndoNotes } from './read-ledger.ts';
import { recordedCreations } from './recorded-creations.ts';
import type { RecordedCreation } from './recorded-creations.ts';
import { isBusyOutcome, removeCreation } from './remove-creation.ts';
import type { RemovalContext, RemovalOutcome } from './remove-creation.ts';
import {
  LAG_SECONDS,
  describeStatus,
  isBusy,
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
  /** Whether another attempt could undo it. */
  canRetry: boolean;
}

/** A resource that several creations name is listed once, one that never existed not at all. */
export interface Undone {
  done: (LedgerEntry | LedgerChange)[];
  left: LeftBehind[];
  /** Creations that the target refused, and whose removal did not show whether they exist. The resources should not exist. */
  unchecked: LeftBehind[];
}

export interface UndoOptions {
  /** How long to wait for a resource that is busy when it is to be restored, and for all that are busy when removed. */
  busySeconds?: number;
  /** The run ended some time ago: what others have changed since is not restored, and what the ledger claims is checked. */
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
    const outcome =
      obstacleTo(change) ??
      (isLate ? await lateOutcome(change, content.about.run, client) : undefined) ??
      (await unlessUnchanged(await restore(change, send, busySeconds), change, content.about.run, client));
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
    findFalseClaim: isLate ? (entry) => describeFalseClaim(entry, prefix, client) : async () => undefined,
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
  const [created, refused] = recordedCreations(content.creations);
  for (const [first, ...others] of groupsByKind(created)) {
    if (first !== undefined) await remove(first);
    const isKnown = isRemovable(first?.entry.removal?.operation, removals);
    await forEachAtOnce(others, isKnown ? MAX_CREATED_AT_ONCE : 1, remove);
  }
  await forEachAtOnce(refused, MAX_REFUSED_AT_ONCE, remove);
  await retryBusy([...created, ...refused], { outcomes, remove, seconds: busySeconds });
  const repeated = new Set<unknown>([...created, ...refused].flatMap((creation) => creation.repeated));
  return summarize(outcomes, { removals, notes, repeated });
}

interface BusyRetries {
  readonly outcomes: ReadonlyMap<LedgerEntry | LedgerChange, RemovalOutcome>;
  readonly remove: (creation: RecordedCreation) => Promise<void>;
  readonly seconds: number;
}

/** Last and all together: what is busy may wait for another resource that is being removed. */
async function retryBusy(
  creations: readonly RecordedCreation[],
  { outcomes, remove, seconds }: BusyRetries,
): Promise<void> {
  const listBusy = (): RecordedCreation[] => creations.filter(({ entry }) => isBusyOutcome(outcomes.get(entry)));
  if (listBusy().length === 0) return;
  const removeBusy = async (): Promise<number> => {
    for (const creation of listBusy()) await remove(creation);
    return listBusy().length;
  };
  await eventually(removeBusy, (busyCount) => busyCount === 0, seconds);
}

const MAX_REFUSED_AT_ONCE = 16;
/** Of one kind, once the target has removed one of them. */
const MAX_CREATED_AT_ONCE = 4;

/** Consecutive ones of one kind do not depend on each other. */
function groupsByKind(creations: readonly RecordedCreation[]): RecordedCreation[][] {
  const groups: RecordedCreation[][] = [];
  for (const each of creations) {
    const group = groups.at(-1);
    if (group?.[0]?.entry.created === each.entry.created) group.push(each);
    else groups.push([each]);
  }
  return groups;
}

async function forEachAtOnce<T>(items: readonly T[], max: number, use: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const useNext = async (): Promise<void> => {
    for (const item of queue) await use(item);
  };
  await Promise.all(Array.from({ length: max }, useNext));
}

/** Why no request can be sent. Undefined if one can. */
function obstacleTo(change: LedgerChange): RemovalOutcome | undefined {
  if (change.body === undefined) return { why: 'its previous state could not be read' };
  return isChangeOfRuns(change) ? undefined : { why: 'a run does not make such a change' };
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

/** If it could not be restored, because the target refuses every update, it may never have been changed. */
async function unlessUnchanged(
  outcome: RemovalOutcome,
  change: LedgerChange,
  run: string,
  client: Client,
): Promise<RemovalOutcome> {
  if (outcome === 'removed') return outcome;
  const state = await changedSince(change, run, client).catch(() => undefined);
  return state === 'as before the run' ? 'removed' : outcome;
}

async function restore(
  { changed, path, body }: LedgerChange,
  send: SendUndo,
  busySeconds: number,
): Promise<RemovalOutcome> {
  const request = () => send(changed, { path, body });
  const { status } = await eventually(request, (response) => !isBusy(response.status), busySeconds);
  return isDone(status) ? 'removed' : { why: describeStatus(changed, status) };
}

const NOT_FOUND = 'not found (404): it is already gone, was never created, or this target cannot remove it';

interface SummaryContext {
  readonly removals: ReadonlySet<string>;
  readonly notes: UndoNotes;
  /** Creations of a resource that another creation lists. */
  readonly repeated: ReadonlySet<unknown>;
}

/** Not found means removed if the target has been observed to remove such resources. */
function summarize(
  outcomes: ReadonlyMap<LedgerEntry | LedgerChange, RemovalOutcome>,
  { removals, notes, repeated }: SummaryContext,
): Undone {
  const undone: Undone = { done: [], left: [], unchecked: [] };
  for (const [what, outcome] of outcomes) {
    const isGone = outcome === 'not found' && 'created' in what && isRemovable(what.removal?.operation, removals);
    if (isGone) notes.undone(what.number);
    if (outcome === 'never existed' || repeated.has(what)) continue;
    if (isGone || outcome === 'removed') undone.done.push(what);
    else if (outcome === 'not found') undone.left.push({ what, why: NOT_FOUND, canRetry: false });
    else {
      const isUnchecked = outcome.isInconclusive === true && 'created' in what && wasRefused(what);
      const canRetry = outcome.isFinal !== true && canBeRetried(what);
      undone[isUnchecked ? 'unchecked' : 'left'].push({ what, why: outcome.why, canRetry });
    }
  }
  return undone;
}
