/** Undoes what a ledger says that a run did: puts back what it changed, removes what it created, the last first. */
import type { OperationId } from '../../spec/generated/types.ts';
import { eventually } from '../eventually.ts';
import type { CallInput, Client } from './client.ts';
import { isOwn } from './creations.ts';
import { isSuccess } from './ledger.ts';
import type { LedgerChange, LedgerContent, LedgerEntry, UndoNotes } from './read-ledger.ts';

/** What could not be undone, and why. */
export interface LeftBehind {
  what: LedgerEntry | LedgerChange;
  why: string;
}

export interface Undone {
  done: (LedgerEntry | LedgerChange)[];
  left: LeftBehind[];
}

/** What one entry came to: undone, still there, or not found after a removal that got no answer. */
type Outcome = 'undone' | 'not found' | { why: string };

/** So many requests without an answer in a row, and nothing more is asked. */
const MOST_UNANSWERED = 2;

/** Said of a thing that is busy with its last change. */
const busy = new Set<number | string>([409, 423]);
/** How long one that is to be put back is waited for. */
const BUSY_SECONDS = 30;

/**
 * Only what has the run's prefix in its name is removed, or in its displayName where the target made up the name: anything
 * else may be something that the run did not create. Gone already (404, 410) counts as removed, unless it may be in another
 * workspace, or the target had said that it created it: then it has no way to remove it, if no removal was on its way.
 */
export async function undo(
  content: LedgerContent,
  prefix: string,
  client: Client,
  notes: UndoNotes,
  busySeconds = BUSY_SECONDS,
): Promise<Undone> {
  const asked = asking(client);
  const outcomes = new Map<LedgerEntry | LedgerChange, Outcome>();
  for (const change of content.changes.toReversed()) {
    const putBack = () => asked(change.changed, { path: change.path, body: change.body });
    const status = await eventually(putBack, (answer) => !busy.has(answer), busySeconds);
    outcomes.set(change, isDone(status) ? 'undone' : { why: whyNot(change.changed, status) });
    if (isDone(status)) notes.undone(change.number);
  }
  const removals = new Set(content.removals);
  const removed = new Set<string>();
  for (const entry of content.creations.toReversed()) {
    const key = JSON.stringify(entry.removal) as string | undefined;
    // A second create of a name may have been answered with the first one.
    const isGone = key !== undefined && removed.has(key);
    const outcome = isGone ? 'undone' : await removal(entry, prefix, asked, notes);
    outcomes.set(entry, outcome);
    if (outcome !== 'undone') continue;
    notes.undone(entry.number);
    if (entry.removal === undefined || key === undefined) continue;
    removed.add(key);
    removals.add(entry.removal.operation);
  }
  return sorted(outcomes, removals, notes);
}

/** A status, or why there is none. */
type Asked = (id: OperationId, input: CallInput) => Promise<number | string>;

function asking(client: Client): Asked {
  let unanswered: string[] = [];
  return async (id, input) => {
    const [last] = unanswered;
    if (last !== undefined && unanswered.length >= MOST_UNANSWERED) return last;
    try {
      const { status } = (await client.call(id, input)).answer;
      unanswered = [];
      return status;
    } catch (error) {
      unanswered.push((error as Error).message);
      return (error as Error).message;
    }
  };
}

const isDone = (status: number | string): boolean => typeof status === 'number' && isSuccess(status);
const whyNot = (id: OperationId, status: number | string): string =>
  typeof status === 'number' ? `${id} was answered ${status}` : status;

/** What the removal of something that the target had refused to create may be answered: also that there is no such operation. */
const notThere = new Set<number | string>([404, 405, 410, 501]);

async function removal(entry: LedgerEntry, prefix: string, asked: Asked, notes: UndoNotes): Promise<Outcome> {
  const { removal: way, name, status: created, number } = entry;
  const isRefused = created !== undefined && !isSuccess(created);
  if (name === undefined) return isRefused ? 'undone' : { why: created === undefined ? UNKNOWN : NAMELESS };
  if (!isOwn(entry, prefix)) return isRefused ? 'undone' : { why: `its name does not begin with ${prefix}` };
  if (way === undefined) return isRefused ? 'undone' : { why: 'the interface shows no way to remove it' };
  notes.removing(number);
  const status = await asked(way.operation, { path: way.path, ...(way.headers && { headers: way.headers }) });
  if (isDone(status)) return 'undone';
  if (isRefused && notThere.has(status)) return 'undone';
  if (status === 404 || status === 410) {
    if (created === undefined) return way.headers === undefined ? 'undone' : { why: ELSEWHERE };
    if (entry.removing === true) return 'not found';
  }
  if (typeof status === 'number') notes.kept(number, status);
  return { why: whyNot(way.operation, status) };
}

/** Not found is gone where the target is known to remove such things: then the removal without an answer did it. */
function sorted(
  outcomes: ReadonlyMap<LedgerEntry | LedgerChange, Outcome>,
  removals: ReadonlySet<OperationId>,
  notes: UndoNotes,
): Undone {
  const undone: Undone = { done: [], left: [] };
  for (const [what, outcome] of outcomes) {
    const gone = outcome === 'not found' && 'created' in what && removals.has(what.removal?.operation as OperationId);
    if (gone) notes.undone(what.number);
    if (gone || outcome === 'undone') undone.done.push(what);
    else undone.left.push({ what, why: outcome === 'not found' ? NOT_FOUND : outcome.why });
  }
  return undone;
}

const NAMELESS = 'it was accepted, and cannot be found again';
const UNKNOWN = 'nothing is known of it: the answer was never seen, and without a name it cannot be found';
const ELSEWHERE = 'it was not found, and may be in another workspace: the answer to its creation was never seen';
const NOT_FOUND = 'it was not found (404), so it may be gone already: a removal was sent and its answer never seen';
