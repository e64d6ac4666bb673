import { expect, test } from 'vitest';
import { instantTold, lateness } from './instant.ts';

test.each([
  ['2026-01-02T03:04:05Z', 1_767_323_045_000],
  ['2026-01-02T04:04:05.250+01:00', 1_767_323_045_250],
  ['Fri, 02 Jan 2026 03:04:05 GMT', 1_767_323_045_000],
  ['1767323045', 1_767_323_045_000],
  ['1767323045250', 1_767_323_045_250],
])('%s tells an instant', (text, instant) => {
  expect(instantTold(text)).toBe(instant);
});

test.each(['yesterday', '', 'Z', 1_767_323_045, null])('%j tells none', (value) => {
  expect(instantTold(value)).toBeUndefined();
});

test.each([
  ['2026-01-02T03:04:05.250Z', '2026-01-02T03:04:05.250Z', 0],
  ['2026-01-02T03:04:05.250Z', '2026-01-02T03:04:05.251Z', 1],
  ['2026-01-02T03:04:05.250Z', '2026-01-02T03:04:05.249Z', -1],
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:04Z', -1000],
  ['2026-01-02T03:04:05Z', '2026-01-02T04:04:05+01:00', 0],
  // Cut or rounded.
  ['2026-01-02T03:04:05.900Z', '2026-01-02T03:04:05Z', 0],
  ['2026-01-02T03:04:05.900Z', '2026-01-02T03:04:06Z', 0],
  ['2026-01-02T03:04:05.900Z', '2026-01-02T03:04:03Z', -2900],
])('from %s to %s it is %i ms', (first, second, milliseconds) => {
  expect(lateness(first, second)).toBe(milliseconds);
});
