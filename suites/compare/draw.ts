/** Random choices of one seed. */
import * as fc from 'fast-check';

export interface Draw {
  /** At least 0, less than 1. */
  readonly fraction: () => number;
  /** Undefined if the list is empty. */
  readonly oneOf: <T>(list: readonly T[]) => T | undefined;
  /** In proportion to the weights. Undefined if there is nothing to choose. */
  readonly weighted: <T>(list: readonly (readonly [item: T, weight: number])[]) => T | undefined;
  readonly from: <T>(arbitrary: fc.Arbitrary<T>) => T;
}

export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  // Mulberry32.
  const fraction = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    fraction,
    oneOf: (list) => list[Math.floor(fraction() * list.length)],
    weighted(list) {
      let rest = fraction() * list.reduce((sum, [, weight]) => sum + weight, 0);
      return list.find(([, weight]) => (rest -= weight) < 0)?.[0] ?? list.at(-1)?.[0];
    },
    from: (arbitrary) => fc.sample(arbitrary, { seed: Math.floor(fraction() * 2 ** 31), numRuns: 1 })[0]!,
  };
}
