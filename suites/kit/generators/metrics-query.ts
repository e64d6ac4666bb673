/** Windows with a suitable resolution: few buckets, so that responses with many groups are small. */
import * as fc from 'fast-check';
import type { MetricsQuery } from '../metrics/request.ts';
import { DAY, HOUR, WEEK } from '../metrics/windows.ts';
import type { Window } from '../metrics/windows.ts';
import { windowWithin } from './window.ts';

/** Queries of the windows with this resolution. Undefined omits the parameter. */
export function queryAt(window: fc.Arbitrary<Window>, resolution: string | undefined): fc.Arbitrary<MetricsQuery> {
  return window.map((chosen) => ({ ...chosen, resolution }));
}

/** Inside a window of the past that is a month long at most; aligned to the hour, or for daily and coarser to the day. */
export function queryWithin(past: Window): fc.Arbitrary<MetricsQuery> {
  return fc.oneof(
    queryAt(windowWithin(past, HOUR, 8 * HOUR), 'hourly'),
    queryAt(windowWithin(past, DAY, WEEK), 'daily'),
    queryAt(windowWithin(past, DAY, 31 * DAY), 'weekly'),
    queryAt(windowWithin(past, DAY, 31 * DAY), 'monthly'),
    queryAt(windowWithin(past, HOUR, 8 * HOUR), undefined),
  );
}
