/** Buckets of two resolutions of one window: the coarser ones are sums of the finer ones. */
import { instantOf } from '../expect/instant.ts';
import type { Mismatch } from '../target/violation.ts';
import { bucketStarts } from './buckets.ts';
import type { Entry } from './entries.ts';
import { sumMismatches, sumOfItems } from './figures.ts';
import type { Page } from './pages.ts';

/**
 * Each coarser bucket contains the finer ones that start in it. Returns nothing if a coarser bucket starts inside a
 * finer one, as weekly ones may.
 */
export function bucketSumMismatches(description: string, coarse: Entry, fine: Entry, { exchange }: Page): Mismatch[] {
  const starts = bucketStarts(coarse);
  const edges = new Set(bucketStarts(fine));
  if (!starts.every((start, at) => at === 0 || edges.has(start))) return [];
  const sides = [fine, coarse].map((entry) => ({ entry, items: itemsByBucket(entry, starts) }));
  return starts.flatMap((start) => {
    const [expected, actual] = sides.map(({ entry, items }) => sumOfItems(items.get(start) ?? [], [entry]));
    const name = `${description}, the bucket ${new Date(start).toISOString()}`;
    return sumMismatches(name, expected!, actual!, { exchange });
  });
}

/** Groups items by the last start that is not after them. Items before every start belong to the first. */
function itemsByBucket({ timeseries }: Entry, starts: readonly number[]): Map<number | undefined, Entry['timeseries']> {
  return Map.groupBy(timeseries, ({ timestamp }) => {
    const instant = instantOf(timestamp) ?? Number.NaN;
    return starts.findLast((start) => start <= instant) ?? starts[0];
  });
}
