/** Slices at every resolution except daily, compared with the same query without filters. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { mostExpensive, groupings, identified } from './entries.ts';
import { entriesOf, fetchPages } from './pages.ts';
import { sliceMismatches } from './slices.ts';
import { DAY, lastOf } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

/** Pairs of dimensions; each dimension is first once. */
export function dimensionPairs(run: Run, distance = 1): Dimension[][] {
  const names = dimensionsFor(run);
  return names.map((name, at) => [name, names[(at + distance) % names.length]!]);
}

/** Filters by one dimension and groups by another, which varies with the resolution; and filters by both. */
export async function checkPairsByResolution(run: Run, { startTime, endTime }: MetricsQuery): Promise<void> {
  const window = lastOf({ startTime: startTime!, endTime: endTime! }, DAY);
  const pairs = [undefined, 'hourly', 'weekly', 'monthly'].map((resolution, nth) =>
    dimensionPairs(run, 1 + (nth % (dimensionsFor(run).length - 1))).map((pair) => ({ resolution, pair })),
  );
  const inTurn = dimensionsFor(run).flatMap((_, at) => pairs.flatMap((each) => each[at] ?? []));
  await run.forEach(inTurn, ({ resolution, pair }) => pairMismatches(run, { ...window, resolution }, pair));
}

async function pairMismatches(run: Run, query: MetricsQuery & Window, pair: readonly Dimension[]): Promise<Mismatch[]> {
  const set = groupings(run).find((each) => each.length === 2 && pair.every((name) => each.includes(name)))!;
  const entries = entriesOf(await fetchPages(run, { ...query, groupBy: set.join(',') })).filter(identified(set));
  const picked = mostExpensive(entries);
  if (picked === undefined) return [];
  const slice = { set, pick: entries.indexOf(picked) };
  const [filterBy, groupBy] = pair.map((name) => [name]) as [Dimension[], Dimension[]];
  return [
    ...(await sliceMismatches(run, query, entries, { ...slice, filterBy, groupBy })),
    ...(await sliceMismatches(run, query, entries, { ...slice, filterBy: set, groupBy: [] })),
  ];
}
