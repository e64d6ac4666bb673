/** Slices that span two pages. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { groupings, keyOf, requestedFields, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { sliceMismatches } from './slices.ts';
import type { Groups } from './slices.ts';

/** Filters by the values with the most groups of a further dimension; empty if none has two groups. */
export async function pagedSliceMismatches(
  run: Run,
  query: MetricsQuery,
  groups: Groups,
  filterBy: readonly Dimension[],
): Promise<Mismatch[]> {
  const widest = groupings(run)
    .filter((set) => set.length === filterBy.length + 1 && filterBy.every((dimension) => set.includes(dimension)))
    .flatMap((set) => partsOf(set, groups.get(set.join())!, filterBy))
    .toSorted((a, b) => b.part.length - a.part.length)[0];
  if (widest === undefined || widest.part.length < 2) return [];
  const { set, entries, part } = widest;
  const slice = { set, pick: entries.indexOf(part[0]!), filterBy: [...filterBy], groupBy: set };
  return sliceMismatches(run, { ...query, limit: Math.ceil(part.length / 2) }, entries, slice);
}

interface Part {
  readonly set: Dimension[];
  readonly entries: readonly Entry[];
  /** The entries with the same values. */
  readonly part: readonly Entry[];
}

function partsOf(set: Dimension[], entries: readonly Entry[], filterBy: readonly Dimension[]): Part[] {
  const fields = requestedFields(filterBy);
  const named = entries.filter((entry) => fields.every((field) => valueOf(entry, field) !== ''));
  return [...Map.groupBy(named, (entry) => keyOf(entry, fields)).values()].map((part) => ({ set, entries, part }));
}
