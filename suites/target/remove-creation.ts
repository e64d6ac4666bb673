/** Removes one resource that a run created, and determines the outcome. */
import { isCreatedByRun, isRemovalOfCreation } from './creations.ts';
import type { Removal } from './ledger-lines.ts';
import { wasRefused } from './read-ledger.ts';
import type { LedgerEntry, UndoNotes } from './read-ledger.ts';
import { describeStatus, isBusy, isDone, isNotFound, neverExisted, wasCreated } from './undo-requests.ts';
import type { SendUndo, UndoResponse } from './undo-requests.ts';

/** `not found`: already removed, never created, or not removable on this target. */
export type RemovalOutcome = 'removed' | 'never existed' | 'not found' | NotUndone;

interface NotUndone {
  readonly why: string;
  /** The resource is still being changed, or another one uses it. */
  readonly isBusy?: boolean;
  /** Another attempt would have the same outcome. */
  readonly isFinal?: boolean;
  /** The removal got no response, was not sent, or was not permitted: it does not show whether the resource exists. */
  readonly isInconclusive?: boolean;
}

export const isBusyOutcome = (outcome: RemovalOutcome | undefined): boolean =>
  typeof outcome === 'object' && outcome.isBusy === true;

export interface RemovalContext {
  readonly send: SendUndo;
  /** Repeats the request while the resource is not found. */
  readonly sendUntilFound: (request: () => Promise<UndoResponse>) => Promise<UndoResponse>;
  /** Not found can then only mean not visible yet: the target creates and removes such resources. */
  readonly mustExist: (entry: LedgerEntry) => boolean;
  readonly prefix: string;
  readonly notes: UndoNotes;
  /** Why the resource is not the one that the ledger claims it to be. Throws HarnessError if there is no response. */
  readonly findFalseClaim: (entry: LedgerEntry) => Promise<string | undefined>;
}

export async function removeCreation(entry: LedgerEntry, context: RemovalContext): Promise<RemovalOutcome> {
  const { removal } = entry;
  const obstacle = obstacleTo(entry, context.prefix);
  if (removal === undefined || obstacle !== undefined)
    return wasRefused(entry) ? 'never existed' : { why: obstacle ?? NO_REMOVAL, isFinal: true };
  const falseClaim = await outcomeOfClaim(entry, context);
  if (falseClaim !== undefined) return falseClaim;
  const isFirst = entry.removing !== true;
  if (isFirst) context.notes.removing(entry.number);
  const { operation, path, headers } = removal;
  const request = () => context.send(operation, { path, ...(headers && { headers }) });
  const response = await (context.mustExist(entry) ? context.sendUntilFound(request) : request());
  if (isFirst && !response.wasSent) context.notes.unsent(entry.number);
  const { outcome } = outcomes.find(({ when }) => when(entry, response)) ?? {};
  if (outcome !== undefined) return outcome(removal, entry);
  if (typeof response.status === 'number') context.notes.kept(entry.number, response.status);
  const { status } = response;
  return {
    why: describeStatus(operation, status) + (isNotFound(status) ? GONE : ''),
    isBusy: isBusy(status),
    isFinal: neverExisted(status),
    isInconclusive: typeof status === 'string' || status === 401 || status === 403,
  };
}

/** Undefined if the removal is to be sent. */
async function outcomeOfClaim(
  entry: LedgerEntry,
  { findFalseClaim }: RemovalContext,
): Promise<RemovalOutcome | undefined> {
  try {
    const why = await findFalseClaim(entry);
    return why === undefined ? undefined : { why, isFinal: true };
  } catch (error) {
    return { why: (error as Error).message, isInconclusive: true };
  }
}

/** Why no removal can be sent. Undefined if one can. */
function obstacleTo(entry: LedgerEntry, prefix: string): string | undefined {
  if (entry.name === undefined) return wasCreated(entry) ? NO_NAME : UNKNOWN;
  if (!isCreatedByRun(entry, prefix)) return `its name does not begin with ${prefix}`;
  if (entry.removal === undefined) return NO_REMOVAL;
  return isRemovalOfCreation(entry) ? undefined : OTHER_REMOVAL;
}

interface OutcomeRow {
  readonly when: (entry: LedgerEntry, response: UndoResponse) => boolean;
  readonly outcome: (removal: Removal, entry: LedgerEntry) => RemovalOutcome;
}

/** What the response to a removal means; the first row that applies. If none does, the resource still exists. */
const outcomes: readonly OutcomeRow[] = [
  { when: (_, { status }) => isDone(status), outcome: () => 'removed' },
  { when: (entry, { status }) => wasRefused(entry) && neverExisted(status), outcome: () => 'never existed' },
  {
    when: mayBeGone,
    outcome: ({ headers }, entry) => (headers === undefined || wasCreated(entry) ? 'not found' : { why: ELSEWHERE }),
  },
];

/** If the target reported the creation and no removal was sent before, not found means that it cannot remove it. */
function mayBeGone(entry: LedgerEntry, { status, isRepeated }: UndoResponse): boolean {
  return isNotFound(status) && (!wasCreated(entry) || entry.removing === true || isRepeated);
}

const GONE = ': it is already gone, or this target cannot remove it';
const NO_REMOVAL = 'the interface has no operation to remove it';
const OTHER_REMOVAL = 'the removal in the ledger is not that of the resource';
const NO_NAME = 'it was created without a name and cannot be found again';
const UNKNOWN = 'no response confirmed its creation, and it has no name by which it could be found';
const ELSEWHERE = 'not found: no response confirmed its creation, and it may be in another workspace';
