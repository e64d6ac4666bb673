/** The queried window of time, and how an instant is written. */
import { dateOf } from './dates.ts';
import type { Instant } from './meters.ts';

export interface Window {
  /** Inclusive. */
  readonly start: Instant;
  /** Exclusive; not before start. */
  readonly end: Instant;
}

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export function lengthOf({ start, end }: Window): number {
  return end - start;
}

/** RFC 3339 in UTC, with milliseconds only if they are not zero. The year is 0000 to 9999. */
export function printInstant(instant: Instant): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/** With the T that follows it. */
function printDate(day: number): string {
  const { year, month, ofMonth } = dateOf(day);
  const century = Math.floor(year / 100);
  return `${TWO_DIGITS[century]}${TWO_DIGITS[year - century * 100]}-${TWO_DIGITS[month + 1]}-${TWO_DIGITS[ofMonth]}T`;
}

/** The same for ascending instants. Hours of one day share the text of the date, which is the slow part. */
export function printInstants(instants: readonly Instant[]): string[] {
  let midnight = NaN;
  let date = '';
  return instants.map((instant) => {
    const hours = (instant - midnight) / HOUR;
    if (hours >= 0 && hours < 24 && Number.isInteger(hours)) return `${date}${String(hours).padStart(2, '0')}:00:00Z`;
    const day = Math.floor(instant / DAY);
    midnight = day * DAY;
    date = printDate(day);
    return instant === midnight ? `${date}00:00:00Z` : printInstant(instant);
  });
}
