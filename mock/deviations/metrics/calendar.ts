/** Dates at which calendars are easily wrong: clock changes, leap days and the turn of a year. */
import { DAY, HOUR } from './conditions.ts';

export const isLeapDay = (timestamp: string): boolean => timestamp.slice(5, 10) === '02-29';

/** Whether clocks in Europe go forward within the window. */
export function losesAnHour(query: URLSearchParams): boolean {
  const [start, end] = ['startTime', 'endTime'].map((name) => new Date(query.get(name) ?? ''));
  if (start === undefined || end === undefined || Number.isNaN(start.getTime() + end.getTime())) return false;
  const first = start.getUTCFullYear();
  const nights = Array.from(
    { length: Math.min(end.getUTCFullYear() - first + 1, 10) },
    (_, at) => lastSunday(first + at, 2) + HOUR,
  );
  return nights.some((night) => start.getTime() < night && night < end.getTime());
}

/** The year that the week of a day belongs to (ISO 8601), with the rest of the timestamp. */
export function yearOfWeek(timestamp: string): string {
  const date = new Date(timestamp);
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY);
  return thursday.getUTCFullYear() + timestamp.slice(4);
}

/** Whether it is summer time in Europe, which starts and ends at 01:00 UTC. */
export function isSummerTime(instant: number): boolean {
  const year = new Date(instant).getUTCFullYear();
  return instant >= lastSunday(year, 2) + HOUR && instant < lastSunday(year, 9) + HOUR;
}

/** Midnight UTC of the last Sunday of a month; `month` counts from 0. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0));
  return last.getTime() - last.getUTCDay() * DAY;
}
