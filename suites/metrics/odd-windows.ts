/** Windows in which buckets are easily cut wrong; tried beside the generated ones. */
import type { Resolution } from '../../spec/generated/types.ts';
import type { ResolvedWindow } from '../generators/window.ts';
import { DAY, HOUR, SECOND, WEEK, firstOfMonth, windowOf } from './windows.ts';

/** Windows of one bucket, of two, of odd ends, for each resolution; monthly ones not from day 29 to 31 on. */
export function oddWindows(latest: number): ResolvedWindow[] {
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

/** Windows across the nights on which clocks change in Europe, North America and Australia. */
export function acrossClockChanges(latest: number): ResolvedWindow[] {
  const year = new Date(latest).getUTCFullYear();
  const nights = [year - 1, year]
    .flatMap((of) => [
      sunday(of, 3, 8),
      sunday(of, 3, 25),
      sunday(of, 4, 1),
      sunday(of, 10, 1),
      sunday(of, 10, 25),
      sunday(of, 11, 1),
    ])
    .filter((night) => night + 5 * DAY < latest);
  const around: [Resolution, number, number][] = [
    ['hourly', DAY, 2 * DAY],
    ['daily', 4 * DAY, 5 * DAY],
    ['weekly', 30 * DAY, 5 * DAY],
  ];
  return nights.flatMap((night) =>
    around.map(([resolution, before, after]) => ({ window: windowOf(night - before, night + after), resolution })),
  );
}

/** The first Sunday from a day of a month on; months count from 1. */
function sunday(year: number, month: number, from: number): number {
  const day = new Date(Date.UTC(year, month - 1, from));
  return day.setUTCDate(from + ((7 - day.getUTCDay()) % 7));
}
