/** The groupings in the order in which rules try them. */
import type { Run } from '../engine/conforms.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { finestGrouping, groupings } from './entries.ts';

/** Every set that the run's credential may group by: the finest one, then always the one that differs most from all before. */
export function differentGroupings(run: Run): Dimension[][] {
  const ordered: Dimension[][] = [];
  const others = new Set(groupings(run));
  const finest = finestGrouping(run).join();
  let next = [...others].find((set) => set.join() === finest);
  while (next !== undefined) {
    ordered.push(next);
    others.delete(next);
    next = mostDifferent([...others], ordered);
  }
  return ordered;
}

/** The first of the sets with the largest distance to the nearest other one. */
function mostDifferent(sets: readonly Dimension[][], others: readonly Dimension[][]): Dimension[] | undefined {
  const distances = sets.map((set) => Math.min(...others.map((other) => distance(set, other))));
  return sets[distances.indexOf(Math.max(...distances))];
}

/** How many dimensions only one of the sets has. */
const distance = (one: readonly Dimension[], other: readonly Dimension[]): number =>
  new Set(one).symmetricDifference(new Set(other)).size;
