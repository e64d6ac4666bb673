/** Sets of groupBy dimensions. */
import * as fc from 'fast-check';
import { setsOf } from '../metrics/dimensions.ts';
import type { Dimension } from '../metrics/dimensions.ts';

/** One to three of these in any order, for groupBy. */
export function groupByOf(names: readonly Dimension[]): fc.Arbitrary<string> {
  return fc
    .constantFrom(...setsOf(names))
    .chain((set) => fc.shuffledSubarray(set, { minLength: set.length }))
    .map((set) => set.join(','));
}
