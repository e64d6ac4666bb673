import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testTarget } from '../../testing/test-run.ts';
import { meteredCostIn, pastWindow, recentDays, settledWindow } from './windows.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-22T21:00:00Z'), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ['whole days', '2026-11-01T00:00:00Z', '2026-11-04T00:00:00Z', '2026-11-01', '2026-11-04'],
  ['the whole days of an unaligned window', '2026-11-01T10:00:00Z', '2026-11-04T12:00:00Z', '2026-11-02', '2026-11-04'],
  ['the one whole day until today', '2026-11-20T20:57:31Z', '2026-11-22T20:47:31Z', '2026-11-21', '2026-11-22'],
  ['the day of a window of hours', '2026-11-05T10:00:00Z', '2026-11-05T12:00:00Z', '2026-11-05', '2026-11-06'],
  ['the day of its first half', '2026-11-05T00:00:00Z', '2026-11-05T12:00:00Z', '2026-11-05', '2026-11-06'],
  ['the day of its second half', '2026-11-05T12:00:00Z', '2026-11-06T00:00:00Z', '2026-11-05', '2026-11-06'],
  ['the later of two half days', '2026-11-04T12:00:00Z', '2026-11-05T12:00:00Z', '2026-11-05', '2026-11-06'],
  ['yesterday for a window of hours today', '2026-11-22T17:57:31Z', '2026-11-22T20:57:31Z', '2026-11-21', '2026-11-22'],
])('pastWindow is %s', (_, start, end, first, after) => {
  const target = testTarget({ address: '', target: { metrics: { window: { start, end } } } });
  expect(pastWindow({ target })).toEqual({ startTime: `${first}T00:00:00Z`, endTime: `${after}T00:00:00Z` });
});

test.each([
  ['until two days ago', '2026-11-01', '2026-11-22', '2026-11-01', '2026-11-20', '2026-11-18'],
  ['all of an older window', '2026-11-01', '2026-11-04', '2026-11-01', '2026-11-04', '2026-11-02'],
  ['all of a window that is not settled', '2026-11-21', '2026-11-22', '2026-11-21', '2026-11-22', '2026-11-21'],
  [
    'one day of a window that has one settled day',
    '2026-11-19',
    '2026-11-22',
    '2026-11-19',
    '2026-11-20',
    '2026-11-19',
  ],
])('settledWindow is %s, and recentDays are its last two', (_, start, end, first, after, recent) => {
  const midnight = (day: string) => `${day}T00:00:00Z`;
  const target = testTarget({
    address: '',
    target: { metrics: { window: { start: midnight(start), end: midnight(end) } } },
  });
  expect(settledWindow({ target })).toEqual({ startTime: midnight(first), endTime: midnight(after) });
  expect(recentDays({ target })).toEqual({ startTime: midnight(recent), endTime: midnight(after) });
});

test('what a target lacks without cost names the window, and what to do', () => {
  const window = { startTime: '2026-11-01T00:00:00Z', endTime: '2026-11-04T00:00:00Z' };
  expect(meteredCostIn(window)).toMatch(
    /^metered cost between 2026-11-01T00:00:00Z and 2026-11-04T00:00:00Z: .* set metrics\.window in the target file/,
  );
});
