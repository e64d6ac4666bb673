import { expect, test } from 'vitest';
import { parseDuration, parseDurationRange } from './durations.ts';

test.each([
  ['500ms', 500],
  ['1.5s', 1500],
  ['0s', 0],
  ['30m', 1_800_000],
  ['2h', 7_200_000],
  ['7d', 604_800_000],
])('%s is %d ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each(['', '5', 's', '-1s', '1 s', '1w', '1e3s', '5S', '1234567890s'])('"%s" is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test('a range has both ends, the end not before the start', () => {
  expect(parseDurationRange('2s..40s')).toEqual({ min: 2000, max: 40_000 });
  expect(parseDurationRange('2s')).toEqual({ min: 2000, max: 2000 });
  for (const text of ['40s..2s', '2s..', '..2s', '1s..2s..3s']) expect(parseDurationRange(text)).toBeUndefined();
});
