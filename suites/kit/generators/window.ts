/** Windows that end in the past, sent with whole seconds. */
import * as fc from 'fast-check';
import type { Resolution } from '../../../spec/generated/types.ts';
import { requirement } from '../../../spec/requirements/index.ts';
import { resolutions } from '../../../spec/values.ts';
import { DAY, HOUR, SECOND, endOf, firstOfMonth, startOf, windowOf } from '../metrics/windows.ts';
import type { Window } from '../metrics/windows.ts';

/** Windows inside another, both ends on multiples of `step` milliseconds from 1970, at least one step and at most `longest` long. */
export function windowWithin(outer: Window, step: number, longest: number): fc.Arbitrary<Window> {
  const first = Math.ceil(startOf(outer) / step);
  const last = Math.floor(endOf(outer) / step);
  return fc
    .record({
      at: fc.integer({ min: first, max: last - 1 }),
      steps: fc.integer({ min: 1, max: Math.floor(longest / step) }),
    })
    .map(({ at, steps }) => windowOf(at * step, Math.min(at + steps, last) * step));
}

/** Windows of exactly this length in milliseconds that end within `days` days before `latest`, at any second. */
export function windowOfLength(length: number, latest: number, days = 30): fc.Arbitrary<Window> {
  return fc.integer({ min: 0, max: days * 86_400 }).map((earlier) => {
    const end = latest - earlier * SECOND;
    return windowOf(end - length, end);
  });
}

/** Windows of `shortest` to `longest` milliseconds, both included, that end within 30 days before `latest`. */
export function windowOfLengths(shortest: number, longest: number, latest: number): fc.Arbitrary<Window> {
  return fc
    .integer({ min: Math.ceil(shortest / SECOND), max: Math.floor(longest / SECOND) })
    .chain((seconds) => windowOfLength(seconds * SECOND, latest));
}

/** Well below the cap of the resolution. Only a few months, so that responses are small. */
const longest = {
  hourly: requirement('metrics.resolution.hourly-cap').values.capDays * DAY - HOUR,
  daily: (requirement('metrics.resolution.daily-cap').values.capDays - 1) * DAY,
  weekly: (requirement('metrics.resolution.weekly-cap').values.acceptedDays - 1) * DAY,
  monthly: 1100 * DAY,
};

/** Windows whose ends are on the hour, the day (weekly too) or the first of a month. */
export function alignedWindow(resolution: Resolution, latest: number): fc.Arbitrary<Window> {
  if (resolution === 'monthly') return wholeMonths(latest);
  const step = resolution === 'hourly' ? HOUR : DAY;
  const last = Math.floor(latest / step) * step;
  return fc
    .record({
      steps: fc.integer({ min: 1, max: longest[resolution] / step }),
      earlier: fc.integer({ min: 0, max: 60 }),
    })
    .map(({ steps, earlier }) => windowOf(last - (earlier + steps) * step, last - earlier * step));
}

function wholeMonths(latest: number): fc.Arbitrary<Window> {
  return fc
    .record({ months: fc.integer({ min: 1, max: 36 }), earlier: fc.integer({ min: 0, max: 12 }) })
    .map(({ months, earlier }) => windowOf(firstOfMonth(latest, -earlier - months), firstOfMonth(latest, -earlier)));
}

/** Windows that begin and end at any second; monthly ones not on day 29 to 31, which has no next month everywhere. */
export function unalignedWindow(resolution: Resolution, latest: number): fc.Arbitrary<Window> {
  const windows = windowOfLengths(SECOND, longest[resolution], latest);
  if (resolution !== 'monthly') return windows;
  return windows.map((window) => {
    const start = new Date(startOf(window));
    return windowOf(start.setUTCDate(Math.min(start.getUTCDate(), 28)), endOf(window));
  });
}

export interface ResolvedWindow {
  window: Window;
  /** Left to the target when undefined. */
  resolution: Resolution | undefined;
}

/** Windows with a permitted resolution, or with none. */
export function resolvedWindow(past: Window): fc.Arbitrary<ResolvedWindow> {
  const latest = endOf(past);
  const each = resolutions.flatMap((resolution) =>
    [alignedWindow, unalignedWindow].map((windows) =>
      fc.record({
        window: windows(resolution, latest),
        resolution: fc.constantFrom(resolution, resolution, resolution, undefined),
      }),
    ),
  );
  return fc.oneof(...each);
}
