/** Undoes what a ledger says that a run did: puts back what it changed, removes what it created, the last first. */
import type { OperationId } from '../../spec/generated/types.ts';
import { eventually, pollUntilTimeout } from './eventually.ts';
import { changedSince, changedByOthers } from './changed-since.ts';
import type { Client } from './client.ts';
import type { CallInput } from './request-types.ts';
import { isCreatedByRun } from './creations.ts';
import { isSuccess } from './ledger.ts';
import { wasRefused } from './read-ledger.ts';
import type { LedgerChange, LedgerContent, LedgerEntry, UndoNotes } from './read-ledger.ts';
import { operation } from '../../spec/operations.ts';

/** What could not be undone, and why. */
export interface LeftBehind {
  what: LedgerEntry | LedgerChange;
  why: string;
}

export interface Undone {
  done: (LedgerEntry | LedgerChange)[];
  left: LeftBehind[];
}

/**
 * What one entry came to: removed, never there (it had been refused), still there, or not found: then it is gone, or never
 * was there, or the target has no way to remove it.
 */
type Outcome = 'removed' | 'never there' | 'not found' | { why: string };

/** So many requests without an answer in a row, and nothing more is asked. */
const MOST_UNANSWERED = 2;

/** Said of a thing that is busy with its last change. */
const busy = new Set<number | string>([409, 423]);

export interface UndoOptions {
  /** How long one that is busy, and is to be put back, is waited for. */
  busySeconds?: number;
  /** The run ended some time ago: what somebody else has changed since is not put back. */
  isLate?: boolean;
}

/**
 * Only what has the run's prefix in its name is removed, or in its displayName where the target made up the name: anything
 * else may be something that the run did not create. Not found (404, 410) says that it is gone only where the target is known
 * to remove such things, and where it had not said that it created it, unless a removal was on its way.
 */
export async function undo(
  content: LedgerContent,
  prefix: string,
  client: Client,
  notes: UndoNotes,
  { busySeconds = 30, isLate = false }: UndoOptions = {},
): Promise<Undone> {
  const asked = asking(client);
  const outcomes = new Map<LedgerEntry | LedgerChange, Outcome>();
  for (const change of content.changes.toReversed()) {
    const settled =
      isLate && change.body !== undefined ? await settledSince(change, content.about.run, client) : undefined;
    const outcome = settled ?? (await putBack(change, asked, busySeconds));
    outcomes.set(change, outcome);
    if (outcome === 'removed') notes.undone(change.number);
  }
  const removals = new Set(content.removals);
  const asks: Asks = {
    asked,
    found: pollUntilTimeout(({ status }) => !notFound.has(status), LAG_SECONDS),
    isSurelyThere: (entry) => wasMade(entry) && isRemoving(entry.removal?.operation, removals),
  };
  const gone = new Set<string>();
  for (const entry of content.creations.toReversed()) {
    const key = JSON.stringify(entry.removal) as string | undefined;
    // A second create of a name may have been answered with the first one.
    const isGone = key !== undefined && gone.has(key);
    const outcome = isGone ? 'removed' : await removed(entry, prefix, asks, notes);
    outcomes.set(entry, outcome);
    if (outcome === 'removed' || outcome === 'never there') notes.undone(entry.number);
    if (outcome !== 'removed' || entry.removal === undefined || key === undefined) continue;
    gone.add(key);
    removals.add(entry.removal.operation);
  }
  return sorted(outcomes, removals, notes);
}

/** Undefined where it is to be put back. */
async function settledSince(change: LedgerChange, run: string, client: Client): Promise<Outcome | undefined> {
  try {
    const since = await changedSince(change, run, client);
    if (since === 'as the run left it') return undefined;
    return since === 'as it was before' ? 'removed' : { why: changedByOthers(run) };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

async function putBack({ changed, path, body }: LedgerChange, asked: Asked, busySeconds: number): Promise<Outcome> {
  if (body === undefined) return { why: UNREAD };
  const ask = () => asked(changed, { path, body });
  const { status } = await eventually(ask, (answer) => !busy.has(answer.status), busySeconds);
  return isDone(status) ? 'removed' : { why: whyNot(changed, status) };
}

interface Told {
  /** Or why there is none. */
  readonly status: number | string;
  /** A first request broke off, and may have had its effect. */
  readonly isRepeated: boolean;
}

type Asked = (id: OperationId, input: CallInput) => Promise<Told>;

interface Asks {
  readonly asked: Asked;
  /** Asks again where it is not found. */
  readonly found: (ask: () => Promise<Told>) => Promise<Told>;
  /** Where not found can only say that it is not there yet: the target creates and removes such things. */
  readonly isSurelyThere: (entry: LedgerEntry) => boolean;
}

const notFound = new Set<number | string>([404, 410]);
/** A thing may be there, and be found, a little after it was created. */
const LAG_SECONDS = 5;

function asking(client: Client): Asked {
  let unanswered: string[] = [];
  return async (id, input) => {
    const [last] = unanswered;
    if (last !== undefined && unanswered.length >= MOST_UNANSWERED) return { status: last, isRepeated: false };
    try {
      const { answer, attempts } = await client.call(id, input);
      unanswered = [];
      return { status: answer.status, isRepeated: attempts > 1 };
    } catch (error) {
      unanswered.push((error as Error).message);
      return { status: (error as Error).message, isRepeated: true };
    }
  };
}

const isDone = (status: number | string): boolean => typeof status === 'number' && isSuccess(status);
const whyNot = (id: OperationId, status: number | string): string =>
  typeof status === 'number' ? `${id} was answered ${status}` : status;

/** What the removal of something that the target had refused to create may be answered: also that there is no such operation. */
const notThere = new Set<number | string>([404, 405, 410, 501]);

async function removed(
  entry: LedgerEntry,
  prefix: string,
  { asked, found, isSurelyThere }: Asks,
  notes: UndoNotes,
): Promise<Outcome> {
  const { removal: way, name, number } = entry;
  const isRefused = wasRefused(entry);
  const stays = (why: string): Outcome => (isRefused ? 'never there' : { why });
  if (name === undefined) return stays(wasMade(entry) ? NAMELESS : UNKNOWN);
  if (!isCreatedByRun(entry, prefix)) return stays(`its name does not begin with ${prefix}`);
  if (way === undefined) return stays('the interface shows no way to remove it');
  notes.removing(number);
  const ask = () => asked(way.operation, { path: way.path, ...(way.headers && { headers: way.headers }) });
  const { status, isRepeated } = await (isSurelyThere(entry) ? found(ask) : ask());
  if (isDone(status)) return 'removed';
  if (isRefused && notThere.has(status)) return 'never there';
  if (mayBeGone(entry, status, isRepeated))
    return way.headers === undefined || wasMade(entry) ? 'not found' : { why: ELSEWHERE };
  if (typeof status === 'number') notes.kept(number, status);
  return { why: whyNot(way.operation, status) };
}

const wasMade = ({ status }: LedgerEntry): boolean => status !== undefined && isSuccess(status);

/** Not where the target said that it created it, and no removal was on its way: then it has no way to remove it. */
const mayBeGone = (entry: LedgerEntry, status: number | string, isRepeated: boolean): boolean =>
  notFound.has(status) && (!wasMade(entry) || entry.removing === true || isRepeated);

/** Not found is gone where the target is known to remove such things. */
function sorted(
  outcomes: ReadonlyMap<LedgerEntry | LedgerChange, Outcome>,
  removals: ReadonlySet<OperationId>,
  notes: UndoNotes,
): Undone {
  const undone: Undone = { done: [], left: [] };
  for (const [what, outcome] of outcomes) {
    const isGone = outcome === 'not found' && 'created' in what && isRemoving(what.removal?.operation, removals);
    if (isGone) notes.undone(what.number);
    if (isGone || outcome === 'removed' || outcome === 'never there') undone.done.push(what);
    else undone.left.push({ what, why: outcome === 'not found' ? NOT_FOUND : outcome.why });
  }
  return undone;
}

const isRemoving = (id: OperationId | undefined, removals: ReadonlySet<OperationId>): boolean =>
  id !== undefined && (removals.has(id) || operation(id).documented);

const UNREAD = 'what it was before could not be read';
const NAMELESS = 'it was accepted, and cannot be found again';
const UNKNOWN = 'nothing is known of it: no answer said whether it was created, and without a name it cannot be found';
const ELSEWHERE = 'it was not found, and may be in another workspace: no answer said whether it was created';
const NOT_FOUND = 'it was not found (404): it is gone, or was never created, or this target has no way to remove it';
