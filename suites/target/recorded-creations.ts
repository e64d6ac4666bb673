/** Groups the creations of a ledger by the resource that they name. */
import { wasRefused } from './read-ledger.ts';
import type { LedgerEntry } from './read-ledger.ts';
import { wasCreated } from './undo-requests.ts';

/** Creations with the same removal: one request removes the resource, whichever of them created it. */
export interface RecordedCreation {
  /** The one that created the resource, as far as is known. */
  readonly entry: LedgerEntry;
  readonly repeated: readonly LedgerEntry[];
}

/** Those that the target refused, which should not exist and on which nothing depends; and all others, the last one first. */
export function recordedCreations(
  creations: readonly LedgerEntry[],
): [refused: RecordedCreation[], others: RecordedCreation[]] {
  const keyOf = ({ number, removal }: LedgerEntry): string => JSON.stringify(removal ?? number);
  const certainty = (entry: LedgerEntry): number => (wasCreated(entry) ? 0 : wasRefused(entry) ? 2 : 1);
  const recorded = [...Map.groupBy(creations.toReversed(), keyOf).values()]
    .map((entries) => entries.toSorted((one, other) => certainty(one) - certainty(other)))
    .flatMap(([entry, ...repeated]) => (entry === undefined ? [] : [{ entry, repeated }]))
    .toSorted((one, other) => other.entry.number - one.entry.number);
  const isRefused = ({ entry }: RecordedCreation): boolean => wasRefused(entry);
  return [recorded.filter((each) => isRefused(each)), recorded.filter((each) => !isRefused(each))];
}
