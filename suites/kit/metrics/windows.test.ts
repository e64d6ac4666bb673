import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testTarget } from '../../testing/test-run.ts';
import { pastWindow } from './windows.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-22T21:00:00Z'), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ['whole days', '2026-11-01T00:00:00Z', '2026-11-04T00:00:00Z', '2026-11-01', '2026-11-04'],
  [
    'the whole days of one that is not aligned',
    '2026-11-01T10:00:00Z',
    '2026-11-04T12:00:00Z',
    '2026-11-02',
    '2026-11-04',
  ],
  ['the one whole day until today', '2026-11-20T20:57:31Z', '2026-11-22T20:47:31Z', '2026-11-21', '2026-11-22'],
  ['the day of some hours', '2026-11-05T10:00:00Z', '2026-11-05T12:00:00Z', '2026-11-05', '2026-11-06'],
  ['the day of a first half', '2026-11-05T00:00:00Z', '2026-11-05T12:00:00Z', '2026-11-05', '2026-11-06'],
  ['the day of a second half', '2026-11-05T12:00:00Z', '2026-11-06T00:00:00Z', '2026-11-05', '2026-11-06'],
  ['the later of two half days', '2026-11-04T12:00:00Z', '2026-11-05T12:00:00Z', '2026-11-05', '2026-11-06'],
  ['yesterday, of some hours today', '2026-11-22T17:57:31Z', '2026-11-22T20:57:31Z', '2026-11-21', '2026-11-22'],
])('asks about %s', (_, start, end, first, after) => {
  const target = testTarget({ address: '', target: { metrics: { window: { start, end } } } });
  expect(pastWindow({ target })).toEqual({ startTime: `${first}T00:00:00Z`, endTime: `${after}T00:00:00Z` });
});
