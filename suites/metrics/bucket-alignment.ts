/** metrics.buckets.alignment: which instants buckets start at. */
import type { Resolution } from '../../spec/generated/types.ts';
import { requirement } from '../../spec/requirements/index.ts';
import type { Run } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import { parseMetrics, fetchMetrics, requestMetrics } from '../kit/metrics/request.ts';
import { bucketStarts } from './buckets.ts';
import {
  DAY,
  HOUR,
  SECOND,
  WEEK,
  endOf,
  firstOfMonth,
  pastWindow,
  timestamp,
  windowOf,
} from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

export async function observeAlignment(run: Run): Promise<void> {
  const latest = endOf(pastWindow(run));
  // The longest of these windows is 70 days, so none ends after the latest instant.
  const month = firstOfMonth(latest, -3);
  const starts = async (window: Window, resolution: Resolution) => {
    const [entry] = (await fetchMetrics(run.client, { ...window, resolution })).data;
    return entry === undefined ? [] : bucketStarts(entry);
  };
  for (const day of [1, 2, 4]) {
    const start = weekday(month, day) + 10 * HOUR;
    const weekly = await starts(windowOf(start, start + 3 * WEEK), 'weekly');
    run.observe(
      `weekly buckets of a window from a ${nameOfDay(start)} at 10:00 on`,
      describeAlignment(weekly, start, 'weekly'),
    );
  }
  const unaligned: [Resolution, number][] = [
    ['hourly', month + 90 * 60 * SECOND + HOUR / 4],
    ['daily', month + 10 * HOUR],
    ['monthly', month + 14 * DAY + 10 * HOUR],
  ];
  for (const [resolution, start] of unaligned) {
    const found = await starts(
      windowOf(start, start + { hourly: DAY, daily: 5 * DAY, weekly: WEEK, monthly: 70 * DAY }[resolution]),
      resolution,
    );
    run.observe(`${resolution} buckets of a window that is not aligned`, describeAlignment(found, start, resolution));
  }
  await observeYears(run, latest);
}

/** Lengths around one year, over a common year and across 29 February. */
async function observeYears(run: Run, latest: number): Promise<void> {
  const { acceptedDays, refusedAboveDays } = requirement('metrics.resolution.weekly-cap').values;
  const leapDay = Date.UTC(Math.floor((new Date(latest).getUTCFullYear() - 1) / 4) * 4, 1, 29);
  const [common, leap] = [leapDay + 10 * DAY, leapDay - 200 * DAY];
  for (const [description, start] of [
    ['a common year', common],
    ['a leap year', leap],
  ] as const) {
    for (const [length, text] of [
      [acceptedDays * DAY - SECOND, `${acceptedDays} days less a second`],
      [acceptedDays * DAY, `${acceptedDays} days`],
      [acceptedDays * DAY + SECOND, `${acceptedDays} days and a second`],
      [refusedAboveDays * DAY, `${refusedAboveDays} days`],
    ] as const) {
      const window = windowOf(start, start + length);
      const picked = await requestMetrics(run.client, { ...window });
      run.observe(`resolution picked for ${text} of ${description}`, resolutionOf(picked));
      const weekly = await requestMetrics(run.client, { ...window, resolution: 'weekly' });
      run.observe(`weekly asked for ${text} of ${description}`, String(weekly.response.status));
    }
  }
}

function resolutionOf(exchange: Exchange): string {
  return exchange.response.status === 200 ? parseMetrics(exchange).resolution : String(exchange.response.status);
}

/** The first such day (0 is Sunday) at or after an instant, at midnight. */
function weekday(from: number, day: number): number {
  return from + ((day - new Date(from).getUTCDay() + 7) % 7) * DAY;
}

function nameOfDay(instant: number): string {
  return ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'][new Date(instant).getUTCDay()]!;
}

/** Describes where the first bucket starts relative to the window, and the alignment of the second one. */
function describeAlignment([first, second]: readonly number[], start: number, resolution: Resolution): string {
  if (first === undefined || second === undefined) return 'fewer than two buckets';
  const side = first < start ? 'before startTime' : 'at startTime';
  const time = timestamp(second).slice(11);
  const day = {
    hourly: '',
    daily: '',
    weekly: ` on a ${nameOfDay(second)}`,
    monthly: ` on day ${new Date(second).getUTCDate()}`,
  };
  return `first bucket ${first > start ? 'after startTime' : side}, second${day[resolution]} at ${time}`;
}
