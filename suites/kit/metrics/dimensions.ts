/** The five dimensions of groupBy, their sets and orders. */
import type { GroupByDimension } from '../../../spec/generated/types.ts';
import { groupByDimensions } from '../../../spec/values.ts';
import type { Run } from '../../engine/conforms.ts';

export type Dimension = GroupByDimension;
export const dimensions: readonly Dimension[] = groupByDimensions;

/** The dimensions that the run's credential may group by. Only account admins may use workspace. */
export function dimensionsFor(run: Run): readonly Dimension[] {
  return run.target.credentials.admin === undefined ? dimensions.filter((name) => name !== 'workspace') : dimensions;
}

/** Every set of 1 to 3 dimensions, each in one order. */
export function setsOf(names: readonly Dimension[]): Dimension[][] {
  const subsetsUpTo = (size: number, from: readonly Dimension[]): Dimension[][] =>
    size === 0
      ? []
      : from.flatMap((name, at) => [
          [name],
          ...subsetsUpTo(size - 1, from.slice(at + 1)).map((rest) => [name, ...rest]),
        ]);
  return subsetsUpTo(3, names).sort((a, b) => a.length - b.length);
}

/** Every order of a list. */
export function permutationsOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutationsOf(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
