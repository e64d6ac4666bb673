/** Slices that span two pages. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { groupings, keyOf, requestedFields, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { sliceMismatches } from './slices.ts';
import type { GroupsOf } from './slices.ts';

/** Filters by the values with the most groups of a further dimension; empty if none has two groups. */
export async function pagedSliceMismatches(
  run: Run,
  query: MetricsQuery,
  groupsOf: GroupsOf,
  filterBy: readonly Dimension[],
): Promise<Mismatch[]> {
  const finerSets = groupings(run).filter(
    (set) => set.length === filterBy.length + 1 && filterBy.every((dimension) => set.includes(dimension)),
  );
  // The last sets have the dimensions with the most values.
  for (const set of finerSets.toReversed()) {
    const entries = await groupsOf(set);
    const part = largestPart(entries, filterBy);
    if (part.length < 2) continue;
    const slice = { set, pick: entries.indexOf(part[0]!), filterBy: [...filterBy], groupBy: set };
    return sliceMismatches(run, { ...query, limit: Math.ceil(part.length / 2) }, entries, slice);
  }
  return [];
}

/** The most entries with the same values of these dimensions. */
function largestPart(entries: readonly Entry[], by: readonly Dimension[]): readonly Entry[] {
  const fields = requestedFields(by);
  const named = entries.filter((entry) => fields.every((field) => valueOf(entry, field) !== ''));
  const parts = [...Map.groupBy(named, (entry) => keyOf(entry, fields)).values()];
  return parts.toSorted((a, b) => b.length - a.length)[0] ?? [];
}
