import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateOf, dayOf } from './dates.ts';

test('days and dates are those of Date, from the year 0 to 9999', () => {
  const [first, last] = [Date.parse('0000-01-01T00:00:00Z') / 86_400_000, Date.UTC(9999, 11, 31) / 86_400_000];
  fc.assert(
    fc.property(fc.integer({ min: first, max: last }), (day) => {
      const date = new Date(day * 86_400_000);
      const { year, month, ofMonth } = dateOf(day);
      expect([year, month, ofMonth]).toEqual([date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]);
      expect(dayOf(year, month, ofMonth)).toBe(day);
    }),
    { numRuns: 2000 },
  );
});
