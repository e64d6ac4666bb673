/** The forms in which users write a time. */
import { parseInstant } from '../../spec/rfc3339.ts';
import { MAX_INSTANT, type Instant } from './clock.ts';

/** Milliseconds since 1970, an RFC 3339 timestamp, or a Date. */
export type Time = number | string | Date;

export const TIME_FORM = 'an RFC 3339 timestamp such as 2026-11-01T00:00:00Z, a Date, or whole milliseconds since 1970';

/** Undefined if the value is of no such form, or not in the years 1970 to 9999. */
export function instantOf(value: unknown): Instant | undefined {
  const instant = millisecondsOf(value);
  return Number.isInteger(instant) && instant >= 0 && instant <= MAX_INSTANT ? instant : undefined;
}

function millisecondsOf(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string') return parseInstant(value) ?? Number.NaN;
  return typeof value === 'number' ? value : Number.NaN;
}
