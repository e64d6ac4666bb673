import { expect, test } from 'vitest';
import { resolutions } from '../../spec/values.ts';
import { allowedResolutions, selectResolution, RESOLUTIONS } from './resolutions.ts';
import { DAY } from './windows.ts';

const windowOf = (milliseconds: number) => ({ start: 1_000, end: 1_000 + milliseconds });

test.each([
  [1, 'hourly'],
  [7 * DAY - 1, 'hourly'],
  [7 * DAY, 'daily'],
  [90 * DAY - 1, 'daily'],
  [90 * DAY, 'weekly'],
  [365 * DAY - 1, 'weekly'],
  [365 * DAY, 'monthly'],
  [366 * DAY, 'monthly'],
  [3650 * DAY, 'monthly'],
])('a window of %d ms has the resolution %s', (length, resolution) => {
  expect(selectResolution(windowOf(length))).toBe(resolution);
});

test.each([
  [7 * DAY, ['hourly', 'daily', 'weekly', 'monthly']],
  [7 * DAY + 1, ['daily', 'weekly', 'monthly']],
  [90 * DAY, ['daily', 'weekly', 'monthly']],
  [90 * DAY + 1, ['weekly', 'monthly']],
  [366 * DAY, ['weekly', 'monthly']],
  [366 * DAY + 1, ['monthly']],
])('a window of %d ms may have the resolutions %j', (length, allowed) => {
  expect(allowedResolutions(windowOf(length))).toEqual(allowed);
});

test('the resolutions match the documents', () => {
  expect(RESOLUTIONS).toEqual(resolutions);
});
