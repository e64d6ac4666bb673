/** Groups the creations of a ledger by the resource that they name. */
import { wasRefused } from './read-ledger.ts';
import type { LedgerEntry } from './read-ledger.ts';
import { wasCreated } from './undo-requests.ts';

/** Creations of the same kind and name, with the same removal: one request removes the resource, whichever of them created it. */
export interface RecordedCreation {
  /** The one that created the resource, as far as is known. */
  readonly entry: LedgerEntry;
  readonly repeated: readonly LedgerEntry[];
}

/** The last one first. What the target refused should not exist, and nothing depends on it. */
export function recordedCreations(
  creations: readonly LedgerEntry[],
): [created: RecordedCreation[], refused: RecordedCreation[]] {
  const keyOf = ({ number, created, name, removal }: LedgerEntry): string =>
    JSON.stringify([created, name, removal ?? number]);
  const certainty = (entry: LedgerEntry): number => (wasCreated(entry) ? 0 : wasRefused(entry) ? 2 : 1);
  const recorded = [...Map.groupBy(creations.toReversed(), keyOf).values()]
    .map((entries) => entries.toSorted((one, other) => certainty(one) - certainty(other)))
    .flatMap(([entry, ...repeated]) => (entry === undefined ? [] : [{ entry, repeated }]))
    .toSorted((one, other) => other.entry.number - one.entry.number);
  const isRefused = ({ entry }: RecordedCreation): boolean => wasRefused(entry);
  return [recorded.filter((each) => !isRefused(each)), recorded.filter((each) => isRefused(each))];
}
