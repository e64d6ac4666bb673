import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketEdges } from './buckets.ts';
import { RESOLUTIONS } from './resolutions.ts';
import { printInstant, printInstants } from './windows.ts';

const edges = (start: string, end: string, resolution: (typeof RESOLUTIONS)[number]) =>
  bucketEdges({ start: Date.parse(start), end: Date.parse(end) }, resolution).map(printInstant);

test('an unaligned hourly window is split at the hours; its first and last buckets are shorter', () => {
  expect(edges('2026-10-01T00:30:00Z', '2026-10-01T02:15:00Z', 'hourly')).toEqual([
    '2026-10-01T00:30:00Z',
    '2026-10-01T01:00:00Z',
    '2026-10-01T02:00:00Z',
    '2026-10-01T02:15:00Z',
  ]);
});

test('days are UTC days of 24 hours, unaffected by daylight saving time', () => {
  expect(edges('2026-10-24T00:00:00Z', '2026-10-27T00:00:00Z', 'daily')).toEqual([
    '2026-10-24T00:00:00Z',
    '2026-10-25T00:00:00Z',
    '2026-10-26T00:00:00Z',
    '2026-10-27T00:00:00Z',
  ]);
});

test('weeks are seven days from the start of the window', () => {
  expect(edges('2026-10-07T05:00:00Z', '2026-10-20T00:00:00Z', 'weekly')).toEqual([
    '2026-10-07T05:00:00Z',
    '2026-10-14T05:00:00Z',
    '2026-10-20T00:00:00Z',
  ]);
});

test('months are calendar months, leap years and the first century included', () => {
  expect(edges('2024-01-31T00:00:00Z', '2024-03-02T00:00:00Z', 'monthly')).toEqual([
    '2024-01-31T00:00:00Z',
    '2024-02-01T00:00:00Z',
    '2024-03-01T00:00:00Z',
    '2024-03-02T00:00:00Z',
  ]);
  expect(edges('0099-12-01T00:00:00Z', '0100-02-01T00:00:00Z', 'monthly')).toHaveLength(3);
});

test('buckets cover any window without gap or overlap', () => {
  const instant = fc.integer({ min: Date.parse('1969-01-01T00:00:00Z'), max: Date.parse('2100-01-01T00:00:00Z') });
  const length = fc.integer({ min: 1, max: 7 * 86_400_000 });
  fc.assert(
    fc.property(instant, length, fc.constantFrom(...RESOLUTIONS), (start, milliseconds, resolution) => {
      const found = bucketEdges({ start, end: start + milliseconds }, resolution);
      expect(found[0]).toBe(start);
      expect(found.at(-1)).toBe(start + milliseconds);
      expect(found).toEqual([...new Set(found)].sort((left, right) => left - right));
    }),
  );
});

test('instants are serialized the same individually and as a list', () => {
  const instants = fc
    .array(fc.integer({ min: -1e12, max: 4e12 }), { maxLength: 5 })
    .map((list) => list.flatMap((start) => bucketEdges({ start, end: start + 90_000_000 }, 'hourly')));
  fc.assert(
    fc.property(instants, (list) => {
      expect(printInstants(list)).toEqual(list.map(printInstant));
    }),
  );
});
