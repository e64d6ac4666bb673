/** Strings that are not an integer, and negative integers. Excludes 1.0, 1e2, +1, 0 and the empty string. */
import * as fc from 'fast-check';

export const nonCounts: readonly string[] = [
  ...'-1 -2 -100 -101 -2147483648 1.5 0.5 99.9 100.5 -0.5 -1.5 .5'.split(' '),
  ...'ten abc all max NaN Infinity -Infinity null undefined true [] {} *'.split(' '),
  ...'10abc abc10 1,0 10,20 1-1 --1 10; 10%'.split(' '),
];

export const nonCount: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: -2_147_483_648, max: -1 }).map(String),
  fc
    .record({ whole: fc.nat({ max: 150 }), tenths: fc.integer({ min: 1, max: 9 }) })
    .map(({ whole, tenths }) => `${whole}.${tenths}`),
  fc.stringMatching(/^[a-df-wyz]{1,12}$/),
  fc
    .record({ count: fc.nat({ max: 100 }), unit: fc.stringMatching(/^[a-df-wyz]{1,4}$/) })
    .map(({ count, unit }) => `${count}${unit}`),
);
