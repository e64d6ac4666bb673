/** The instant that a member of an answer stands for. */
import { parseInstant } from '../../spec/rfc3339.ts';

/** Milliseconds since 1970; undefined where it is no RFC 3339 timestamp. */
export function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}

/** Milliseconds since 1970 of a timestamp whose form is not shown: RFC 3339, another date that can be read, or seconds or milliseconds since 1970. */
export function instantTold(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{10}(\d{3})?$/.test(value)) return Number(value.padEnd(13, '0'));
  const instant = parseInstant(value) ?? Date.parse(value);
  return Number.isNaN(instant) ? undefined : instant;
}

/** How much later the second is than the first, in milliseconds: 0 where one of them is told too coarsely to say. */
export function lateness(first: string, second: string): number {
  const [from = NaN, to = NaN] = [instantTold(first), instantTold(second)];
  const [fine, coarse] = [digitsOf(first), digitsOf(second)].toSorted((a, b) => b - a);
  const unclear = fine === coarse ? 0 : 10 ** (3 - (coarse ?? 0));
  return Math.abs(to - from) <= unclear ? 0 : to - from;
}

/** Longer than any timestamp in whole seconds takes to become another one. */
export const MORE_THAN_A_SECOND_MS = 1100;

export const isToldInSeconds = (timestamp: string): boolean => digitsOf(timestamp) === 0;

/** Of a second, as far as milliseconds. */
function digitsOf(timestamp: string): number {
  if (/^\d{13}$/.test(timestamp)) return 3;
  return Math.min(3, /:\d\d\.(\d+)/.exec(timestamp)?.[1]?.length ?? 0);
}
