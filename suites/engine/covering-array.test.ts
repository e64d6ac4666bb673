import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { coveringArray } from './covering-array.ts';

const pairsIn = (rows: readonly Readonly<Record<string, unknown>>[]): Set<string> =>
  new Set(
    rows.flatMap((row) =>
      Object.entries(row).flatMap((one, at) =>
        Object.entries(row)
          .slice(at + 1)
          .map((other) => JSON.stringify([one, other])),
      ),
    ),
  );

test('every pair occurs, in few rows', () => {
  const factors = { a: [1, 2, 3, 4, 5], b: ['x', 'y', 'z', 'w'], c: [true, false], d: ['p', 'q', 'r'] };
  const rows = coveringArray(factors, () => true);
  expect(pairsIn(rows).size).toBe(20 + 10 + 15 + 8 + 12 + 6);
  expect(rows.length).toBeLessThanOrEqual(26);
  expect(rows[0]).toMatchObject({ a: 1, b: 'x' });
});

test('an invalid combination never occurs, and every other pair does', () => {
  const factors = { caller: ['admin', 'member'], filter: ['none', 'workspace'], page: ['first', 'second'] };
  const isValid = (row: { caller?: string; filter?: string }): boolean =>
    row.caller !== 'member' || row.filter !== 'workspace';
  const rows = coveringArray(factors, isValid);
  expect(rows.every(isValid)).toBe(true);
  expect(pairsIn(rows).size).toBe(3 + 4 + 4);
});

test('any factors are covered, and the same ones always by the same rows', () => {
  const factors = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.uniqueArray(fc.nat(9), { minLength: 1 }), {
    minKeys: 2,
  });
  fc.assert(
    fc.property(factors, (given) => {
      const rows = coveringArray(given, () => true);
      const lengths = Object.values(given).map(({ length }) => length);
      const pairs = lengths.flatMap((one, at) => lengths.slice(at + 1).map((other) => one * other));
      expect(pairsIn(rows).size).toBe(pairs.reduce((sum, each) => sum + each, 0));
      expect(coveringArray(given, () => true)).toEqual(rows);
    }),
    { numRuns: 30 },
  );
});
