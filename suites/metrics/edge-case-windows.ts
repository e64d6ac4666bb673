/** Windows at calendar edges, tried in addition to generated ones. */
import type { Resolution } from '../../spec/generated/types.ts';
import type { ResolvedWindow } from '../kit/generators/window.ts';
import { DAY, HOUR, SECOND, WEEK, firstOfMonth, windowOf } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

/** Those whose number depends on the date come last, so that an index always means the same window. */
export const edgeCaseWindows = (latest: number): ResolvedWindow[] => [
  ...fixedWindows(latest),
  ...calendarEdgeWindows(latest),
];

/**
 * Windows of one bucket, of two, and with unaligned ends, for each resolution. Monthly ones never start on day 29 to
 * 31.
 */
export function fixedWindows(latest: number): ResolvedWindow[] {
  const month = firstOfMonth(latest);
  const tenth = firstOfMonth(latest, -1) + 9 * DAY;
  const lengths: [Resolution, number, number[]][] = [
    ['hourly', month, [SECOND, HOUR, HOUR + SECOND, DAY]],
    ['daily', month, [SECOND, DAY, DAY + SECOND, 31 * DAY]],
    ['weekly', month, [SECOND, DAY, WEEK, WEEK + SECOND, 12 * WEEK]],
    ['monthly', tenth, [SECOND, DAY, 38 * DAY]],
  ];
  const years = [1, 12, 24].map((months) => windowOf(firstOfMonth(month, -months), month));
  return [
    ...lengths.flatMap(([resolution, end, list]) =>
      list.map((length) => ({ window: windowOf(end - length, end), resolution })),
    ),
    ...years.map((window) => ({ window, resolution: 'monthly' as const })),
  ];
}

/** Windows that start, end at or contain 29 February or New Year: fewer of them in the first days of a year. */
export function calendarEdgeWindows(latest: number): ResolvedWindow[] {
  const year = new Date(latest).getUTCFullYear();
  const leapDay = Date.UTC(Math.floor((year - 1) / 4) * 4, 1, 29);
  const newYears = [year, year - 1].map((eachYear) => Date.UTC(eachYear, 0)).filter((day) => day + 3 * DAY <= latest);
  const around = [leapDay, leapDay + DAY, ...newYears].flatMap((midnight) => [
    windowOf(midnight - 3 * DAY, midnight + 3 * DAY),
    windowOf(midnight - DAY, midnight),
    windowOf(midnight, midnight + 2 * DAY),
  ]);
  return around.map((window) => ({ window, resolution: 'daily' }));
}

/** Windows of this length in milliseconds around nights of a past year with a clock change. */
export function aroundClockChanges(length: number, latest: number): Window[] {
  const before = Math.floor(length / 2 / DAY) * DAY;
  const year = new Date(latest).getUTCFullYear();
  return clockChanges([year - 1, year])
    .filter((night) => night - before + length <= latest)
    .slice(-6)
    .map((night) => windowOf(night - before, night - before + length));
}

/** Midnights before clock changes in Europe, North America and Australia. */
function clockChanges(years: readonly number[]): number[] {
  return years.flatMap((eachYear) => [
    sunday(eachYear, 3, 8),
    sunday(eachYear, 3, 25),
    sunday(eachYear, 4, 1),
    sunday(eachYear, 10, 1),
    sunday(eachYear, 10, 25),
    sunday(eachYear, 11, 1),
  ]);
}

/** Windows across the nights on which clocks change in Europe, North America and Australia. */
export function acrossClockChanges(latest: number): ResolvedWindow[] {
  const year = new Date(latest).getUTCFullYear();
  const nights = clockChanges([year - 1, year]).filter((night) => night + 5 * DAY < latest);
  const around: [Resolution, number, number][] = [
    ['hourly', DAY, 2 * DAY],
    ['daily', 4 * DAY, 5 * DAY],
    ['weekly', 30 * DAY, 5 * DAY],
  ];
  return nights.flatMap((night) =>
    around.map(([resolution, before, after]) => ({ window: windowOf(night - before, night + after), resolution })),
  );
}

/** The first Sunday at or after a day of a month; months count from 1. */
function sunday(year: number, month: number, from: number): number {
  const day = new Date(Date.UTC(year, month - 1, from));
  return day.setUTCDate(from + ((7 - day.getUTCDay()) % 7));
}
