/** A pairwise covering array of three lists. */

/**
 * Triples in which every pair of values of two lists occurs: as few as possible, one per pair of the two longer lists. Throws
 * if `shortest` is longer than another list. Neighbours differ in two values at least.
 */
export function everyPairOfThree<One, Other, Third>(
  ones: readonly One[],
  others: readonly Other[],
  shortest: readonly Third[],
): [One, Other, Third][] {
  if (shortest.length > Math.min(ones.length, others.length)) throw new Error('The third list must be the shortest.');
  return others.flatMap((_, shift) =>
    ones.map((one, at): [One, Other, Third] => {
      const other = (at + shift) % others.length;
      return [one, others[other]!, shortest[(at + other) % shortest.length]!];
    }),
  );
}
