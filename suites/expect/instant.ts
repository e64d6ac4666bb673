/** Parses timestamps in responses. */
import { parseInstant } from '../../spec/rfc3339.ts';

/** Milliseconds since 1970. Undefined if it is not an RFC 3339 timestamp. */
export function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}

/**
 * Milliseconds since 1970 of a timestamp whose format is not documented: RFC 3339, ISO 8601, another date that JavaScript
 * parses, or seconds, milliseconds, microseconds or nanoseconds since 1970.
 */
export function parseLenientInstant(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [, seconds, fraction = ''] = sinceEpoch.exec(value) ?? [];
  if (seconds !== undefined) return Number(seconds + fraction.replace('.', '').padEnd(3, '0').slice(0, 3));
  const date = toExtendedFormat(value);
  const instant = parseInstant(date) ?? Date.parse(date);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Ten digits of seconds, then a fraction with or without a point. */
const sinceEpoch = /^(\d{10})(\.\d+|(?:\d{3}){1,3})?$/;

/** Converts the basic format of ISO 8601 (without separators) and a decimal comma, and omits what RFC 9557 appends in brackets. */
const toExtendedFormat = (text: string): string =>
  text
    .replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6')
    .replace(/(:\d\d),(?=\d)/, '$1.')
    .replace(/(?:\[[^[\]]*\])+$/, '');

/** Milliseconds from the first to the second. 0 if the precision of one of them is too low to tell. NaN if they differ and one is no timestamp. */
export function lateness(first: string, second: string): number {
  if (first === second) return 0;
  const [from = NaN, to = NaN] = [parseLenientInstant(first), parseLenientInstant(second)];
  const [fine, coarse] = [digitsOf(first), digitsOf(second)].toSorted((a, b) => b - a);
  const unclear = fine === coarse ? 0 : 10 ** (3 - (coarse ?? 0));
  return Math.abs(to - from) <= unclear ? 0 : to - from;
}

/** Timestamps in whole seconds differ after this time. */
export const MORE_THAN_A_SECOND_MS = 1100;

export const hasSecondPrecision = (timestamp: string): boolean => digitsOf(timestamp) === 0;

/** Whether it is a timestamp that is precise to the second or finer. */
export const hasSeconds = (value: unknown): value is string =>
  parseLenientInstant(value) !== undefined &&
  (sinceEpoch.test(String(value)) || /:\d\d:\d\d/.test(toExtendedFormat(String(value))));

/** Fraction digits, at most 3. */
function digitsOf(timestamp: string): number {
  const fraction = sinceEpoch.exec(timestamp)?.[2] ?? /:\d\d(\.\d+)/.exec(toExtendedFormat(timestamp))?.[1] ?? '';
  return Math.min(3, fraction.replace('.', '').length);
}
