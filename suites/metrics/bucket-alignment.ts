/** metrics.buckets.alignment: which instants buckets start at. */
import { WEEKDAYS } from '../../spec/observations/value-kind.ts';
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
  for (const day of ['Monday', 'Tuesday', 'Thursday'] as const) {
    const start = weekday(month, WEEKDAYS.indexOf(day)) + 10 * HOUR;
    const weekly = await starts(windowOf(start, start + 3 * WEEK), 'weekly');
    run.observe(`weekly buckets of a window from a ${day} at 10:00`, firstStarts(weekly, start, 'weekly'));
  }
  const unaligned: [Exclude<Resolution, 'weekly'>, number][] = [
    ['hourly', month + 90 * 60 * SECOND + HOUR / 4],
    ['daily', month + 10 * HOUR],
    ['monthly', month + 14 * DAY + 10 * HOUR],
  ];
  for (const [resolution, start] of unaligned) {
    const found = await starts(
      windowOf(start, start + { hourly: DAY, daily: 5 * DAY, monthly: 70 * DAY }[resolution]),
      resolution,
    );
    run.observe(`${resolution} buckets of an unaligned window`, firstStarts(found, start, resolution));
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
      run.observe(`default resolution for ${text} of ${description}`, resolutionOf(picked));
      const weekly = await requestMetrics(run.client, { ...window, resolution: 'weekly' });
      run.observe(`weekly for ${text} of ${description}`, { status: weekly.response.status });
    }
  }
}

function resolutionOf(exchange: Exchange) {
  const { status } = exchange.response;
  return status === 200 ? { resolution: parseMetrics(exchange).resolution } : { status };
}

/** The first such day (0 is Sunday) at or after an instant, at midnight. */
function weekday(from: number, day: number): number {
  return from + ((day - new Date(from).getUTCDay() + 7) % 7) * DAY;
}

/** Where the first bucket starts relative to the window, and the start of the second one. */
function firstStarts([first, second]: readonly number[], start: number, resolution: Resolution) {
  if (first === undefined || second === undefined) return 'fewer than two buckets';
  const side = first < start ? 'before startTime' : 'at startTime';
  const date = new Date(second);
  const day = {
    hourly: {},
    daily: {},
    weekly: { weekday: WEEKDAYS[date.getUTCDay()]! },
    monthly: { day: date.getUTCDate() },
  }[resolution];
  return {
    first: first > start ? 'after startTime' : side,
    second: { ...day, time: timestamp(second).slice(11) },
  } as const;
}
