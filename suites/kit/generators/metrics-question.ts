/** Windows with a resolution that fits them: few buckets, so that answers with many groups stay small. */
import * as fc from 'fast-check';
import type { MetricsQuery } from '../metrics/request.ts';
import { DAY, HOUR, WEEK } from '../metrics/windows.ts';
import type { Window } from '../metrics/windows.ts';
import { windowWithin } from './window.ts';

/** The windows, each asked with this resolution; undefined leaves it to the target. */
export function askedAt(window: fc.Arbitrary<Window>, resolution: string | undefined): fc.Arbitrary<MetricsQuery> {
  return window.map((chosen) => ({ ...chosen, resolution }));
}

/** Inside a window of the past that is a month long at most; aligned to the hour, or for daily and coarser to the day. */
export function questionWithin(past: Window): fc.Arbitrary<MetricsQuery> {
  return fc.oneof(
    askedAt(windowWithin(past, HOUR, 8 * HOUR), 'hourly'),
    askedAt(windowWithin(past, DAY, WEEK), 'daily'),
    askedAt(windowWithin(past, DAY, 31 * DAY), 'weekly'),
    askedAt(windowWithin(past, DAY, 31 * DAY), 'monthly'),
    askedAt(windowWithin(past, HOUR, 8 * HOUR), undefined),
  );
}
