/** Strings that are not an integer, and negative integers. Excludes 1.0, 1e2, +1, 0 and the empty string. */
import * as fc from 'fast-check';

/** By the mistake of a server that accepts them. */
export const nonCounts: Readonly<Record<string, readonly string[]>> = {
  'negative number': '-1 -2 -100 -101 -2147483648'.split(' '),
  fraction: '1.5 99.9 100.5'.split(' '),
  'fraction without whole part': '0.5 .5'.split(' '),
  'negative fraction': '-0.5 -1.5'.split(' '),
  word: 'ten abc'.split(' '),
  'word for all': 'all max *'.split(' '),
  'number of JavaScript': 'NaN Infinity -Infinity'.split(' '),
  'JSON value': 'null undefined true [] {}'.split(' '),
  'number and more': '10abc 10; 10% 1-1'.split(' '),
  'number after more': 'abc10 --1'.split(' '),
  'list of numbers': '1,0 10,20'.split(' '),
};

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
