/** Faults on days that calendars are easily wrong about: 29 February, the turn of a year, the nights on which clocks change. */
import { deviationsOf } from '../table.ts';
import type { Resolution } from '../../../spec/generated/types.ts';
import type { Deviation, Deviations } from '../deviation.ts';
import { answersInstead, asksFor, asksInstead, DAY, HOUR, lengthOf, refusesQuery, timeseries } from './faults.ts';

const isLeapDay = (timestamp: string | null): boolean => timestamp?.slice(5, 10) === '02-29';

/** Whether clocks in Europe go forward inside of the window. */
function losesAnHour(query: URLSearchParams): boolean {
  const [start, end] = ['startTime', 'endTime'].map((name) => new Date(query.get(name) ?? ''));
  if (start === undefined || end === undefined || Number.isNaN(start.getTime() + end.getTime())) return false;
  const first = start.getUTCFullYear();
  const nights = Array.from({ length: Math.min(end.getUTCFullYear() - first + 1, 10) }, (_, at) =>
    lastOfMarch(first + at),
  );
  return nights.some((night) => start.getTime() < night && night < end.getTime());
}

/** 01:00 UTC on the last Sunday of March. */
function lastOfMarch(year: number): number {
  const last = new Date(Date.UTC(year, 2, 31, 1));
  return last.getTime() - last.getUTCDay() * DAY;
}

const countsLocalHours = (what: string, resolution: Resolution, days: number): Deviation =>
  refusesQuery(
    what,
    400,
    (query) => asksFor(query, resolution) && lengthOf(query) > days * DAY - HOUR && losesAnHour(query),
  );

/** The year that the week of a day belongs to (ISO 8601). */
function yearOfWeek(timestamp: string): string {
  const date = new Date(timestamp);
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY);
  return thursday.getUTCFullYear() + timestamp.slice(4);
}

export const calendarDeviations: Deviations = deviationsOf({
  'metrics.resolution.hourly-cap': {
    'clock-change': countsLocalHours('refuses hourly for 7 days in which clocks go forward', 'hourly', 7),
  },

  'metrics.resolution.daily-cap': {
    'clock-change': countsLocalHours('refuses daily for 90 days in which clocks go forward', 'daily', 90),
  },

  'metrics.resolution.picked-by-window': {
    'clock-change': asksInstead('picks daily for just under 7 days in which clocks go forward', (query) => {
      const isShort = lengthOf(query) < 7 * DAY && lengthOf(query) >= 7 * DAY - HOUR;
      if (!query.has('resolution') && isShort && losesAnHour(query)) query.set('resolution', 'daily');
    }),
  },

  'metrics.buckets.one-per-step-zeros-included': {
    'leap-day': timeseries('has no bucket for 29 February', (items) =>
      items.filter(({ timestamp }) => !isLeapDay(timestamp)),
    ),
  },

  'metrics.buckets.cover-the-window': {
    'new-year': timeseries('has no daily bucket for 31 December', (items, body) =>
      body.resolution === 'daily' ? items.filter(({ timestamp }) => timestamp.slice(5, 10) !== '12-31') : items,
    ),
  },

  'metrics.answer.shape-and-echo': {
    'week-year': answersInstead('echoes the year of the week', (body) => {
      body.startTime = yearOfWeek(body.startTime);
    }),
    'leap-day': answersInstead('echoes 29 February as 1 March', (body) => {
      body.endTime = body.endTime.replace('-02-29T', '-03-01T');
    }),
    'from-leap-day': refusesQuery('refuses a window that starts on 29 February', 400, (query) =>
      isLeapDay(query.get('startTime')),
    ),
  },
});
