/** When two sums of rounded numbers are near each other, for any number of decimals on either side. */
import { expect, test } from 'vitest';
import { NotTried } from '../target/violation.ts';
import type { BillingDimension } from '../../spec/generated/types.ts';
import type { Entry } from './entries.ts';
import { cost, isFine, near, sumOfPrintedFigures, sumFlaws, sumOfEntries, sumOfItems, usage } from './figures.ts';

const costs = (...all: number[]) =>
  sumOfItems(
    all.map((each) => ({ timestamp: '', cost: each })),
    [],
  );

test.each([
  ['cents, each rounded separately', costs(0.33, 0.33, 0.33), costs(1.01, 0), costs(1.5)],
  ['four decimals', costs(0.3333, 0.3333, 0.3333), costs(1.0001), costs(1.02)],
  ['six decimals', costs(0.333333, 0.333333, 0.333333), costs(1.000001), costs(1.00002)],
  ['full precision', costs(1 / 3, 1 / 3, 1 / 3), costs(1.000001), costs(1.00002)],
  ['cents against exact numbers', costs(1 / 3, 1 / 3), costs(0.67), costs(0.68)],
  ['zeros against exact numbers', costs(0, 0), costs(0.0000001), costs(0.0012345)],
  ['cents, each rounded down', costs(0.33, 0.33, 0.33), costs(1.02), costs(1.05)],
  ['six decimals, each rounded up', costs(0.333334, 0.333334, 0.333334), costs(0.999999), costs(0.99998)],
  ['no items', costs(), costs(0, 0), costs(0.02)],
])('%s', (_, sum, nearOne, farOne) => {
  expect(sumFlaws('a sum', sum, nearOne)).toEqual([]);
  expect(sumFlaws('a sum', sum, farOne)).toHaveLength(1);
});

const usages = (billingDimension: BillingDimension, ...all: number[]) =>
  sumOfItems(
    all.map((each) => ({ timestamp: '', cost: 0, usage: each })),
    [{ billingDimension } as Entry],
  );

test('measured usage may be rounded to whole numbers', () => {
  const of = 'agent_compute_runtime_gbs';
  expect(sumFlaws('a sum', usages(of, 3, 3, 3), usages(of, 10))).toEqual([]);
  expect(sumFlaws('a sum', usages(of, 3, 3, 3), usages(of, 14))).toHaveLength(1);
});

test('counted usage is exact', () => {
  const of = 'agent_async_requests_count';
  expect(sumFlaws('a sum', usages(of, 3, 3, 3), usages(of, 10))).toHaveLength(1);
  expect(near(usage(9, of), usage(9, of))).toBe(true);
});

test.each([
  [costs(10.123456, 3), true],
  [costs(0.02, 0.01, 0, 0), false],
  [costs(0, 0), false],
])('a sum is comparable if it is far larger than its rounding error', (sum, expected) => {
  expect(isFine(sum)).toBe(expected);
});

test('responses to the same query are equal to the last decimal', () => {
  expect(sumFlaws('again', costs(0.33), costs(0.34), { relation: 'same' })).toHaveLength(1);
  expect(sumFlaws('again', costs(0.33), costs(0.33 + 1e-12), { relation: 'same' })).toEqual([]);
});

test('within one response, every figure is as precise as the most precise one', () => {
  const relation = 'equal in one response';
  const fine = costs(0.123456, 0.234567);
  expect(sumFlaws('a sum', fine, costs(0.36))).toEqual([]);
  expect(sumFlaws('a sum', fine, costs(0.36), { relation })).toHaveLength(1);
  expect(sumFlaws('a sum', costs(0.33, 0.33, 0.33), costs(1.0), { relation })).toEqual([]);
});

test.each([
  [() => cost('442.394442'), 'figures that are numbers: one is "442.394442", which breaks metrics.cost.always-there'],
  [() => usage('1', 'volume_storage_gbh'), 'one is "1", which breaks metrics.usage.with-billing-dimension'],
])('a value that is not a number cannot be compared (%#)', (read, message) => {
  expect(read).toThrow(message);
  expect(read).toThrow(NotTried);
});

test('usage that is absent is near nothing', () => {
  expect(near(usage(undefined, 'volume_storage_gbh'), usage(undefined, 'volume_storage_gbh'))).toBe(false);
});

/** An entry with separately rounded bucket costs and a printed sum. */
const makeEntry = (sum: number, ...all: number[]): Entry => ({
  summary: { cost: sum },
  timeseries: all.map((each) => ({ timestamp: '', cost: each })),
});

test('the tolerance against another response covers the rounding of each bucket', () => {
  const sumOfBuckets = makeEntry(1.98, 0.33, 0.33, 0.33, 0, 0.33, 0.33, 0.33);
  const flaws = (sum: typeof sumOfEntries, other: number) =>
    sumFlaws('a sum', sum([sumOfBuckets]), sum([makeEntry(other, other)]));
  expect(flaws(sumOfPrintedFigures, 2)).toEqual([]);
  expect(flaws(sumOfPrintedFigures, 2.06)).toHaveLength(1);
  expect(flaws(sumOfEntries, 2)).toHaveLength(1);
  // A floating-point sum with more decimals than its terms.
  const noisy = makeEntry(1.9799999999999998, 0.33, 0.33, 0.33, 0, 0.33, 0.33, 0.33);
  expect(sumFlaws('a sum', sumOfPrintedFigures([noisy]), sumOfPrintedFigures([makeEntry(2, 2)]))).toEqual([]);
});
