/** The instant that a member of an answer stands for. */
import { parseInstant } from '../../spec/rfc3339.ts';

/** Milliseconds since 1970; undefined where it is no RFC 3339 timestamp. */
export function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}

/**
 * Milliseconds since 1970 of a timestamp whose form is not shown: RFC 3339, ISO 8601, another date that can be read, or
 * seconds since 1970, or thousandths, millionths or billionths of them.
 */
export function parseLenientInstant(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [, seconds, fraction = ''] = sinceEpoch.exec(value) ?? [];
  if (seconds !== undefined) return Number(seconds + fraction.replace('.', '').padEnd(3, '0').slice(0, 3));
  const date = toExtendedFormat(value);
  const instant = parseInstant(date) ?? Date.parse(date);
  return Number.isNaN(instant) ? undefined : instant;
}

/** What follows the ten digits of the seconds is a fraction of one, with and without a point. */
const sinceEpoch = /^(\d{10})(\.\d+|(?:\d{3}){1,3})?$/;

/** ISO 8601 knows a form without signs between the parts, and a comma before the fraction. */
const toExtendedFormat = (text: string): string =>
  text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6').replace(/(:\d\d),(?=\d)/, '$1.');

/** How much later the second is than the first, in milliseconds: 0 where one of them is told too coarsely to say. */
export function lateness(first: string, second: string): number {
  const [from = NaN, to = NaN] = [parseLenientInstant(first), parseLenientInstant(second)];
  const [fine, coarse] = [digitsOf(first), digitsOf(second)].toSorted((a, b) => b - a);
  const unclear = fine === coarse ? 0 : 10 ** (3 - (coarse ?? 0));
  return Math.abs(to - from) <= unclear ? 0 : to - from;
}

/** Longer than any timestamp in whole seconds takes to become another one. */
export const MORE_THAN_A_SECOND_MS = 1100;

export const hasSecondPrecision = (timestamp: string): boolean => digitsOf(timestamp) === 0;

/** Of a second, as far as milliseconds. */
function digitsOf(timestamp: string): number {
  const fraction = sinceEpoch.exec(timestamp)?.[2] ?? /:\d\d(\.\d+)/.exec(toExtendedFormat(timestamp))?.[1] ?? '';
  return Math.min(3, fraction.replace('.', '').length);
}
