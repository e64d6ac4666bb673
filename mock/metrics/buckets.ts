/** Splits a window into buckets: hours, days, weeks and months, aligned with the UTC calendar or the window's start. */
import { defaultMetricsChoices, type Cut } from './options.ts';
import type { Resolution } from './resolutions.ts';
import { DAY, HOUR, type Window } from './windows.ts';

const LENGTH = { hourly: HOUR, daily: DAY, weekly: 7 * DAY } as const;
/** Of the epoch, a Thursday. */
const FIRST_WEEKDAY = 4;
const MONDAY = 1;

/**
 * The edges of the buckets, in order: one more than there are buckets, from the window's start to its end.
 * If the window is not aligned, its first and last buckets are shorter.
 */
export function bucketEdges(
  { start, end }: Window,
  resolution: Resolution,
  cut: Cut = defaultMetricsChoices.cuts[resolution],
): number[] {
  const edges = [];
  for (let edge = start, count = 1; edge < end; edge = edgeAfter(start, resolution, cut, count++)) edges.push(edge);
  return [...edges, end];
}

/** The timestamp of the bucket that begins with the window. */
export function firstTimestamp({ start }: Window, resolution: Resolution, { at, first }: Cut): number {
  return first === 'at startTime' || at === 'startTime' ? start : wholeFrom(start, resolution, at);
}

/** The nth edge after the start, ignoring the window's end. */
function edgeAfter(start: number, resolution: Resolution, { at }: Cut, count: number): number {
  if (at === 'startTime')
    return resolution === 'monthly' ? monthsAfter(start, count) : start + count * LENGTH[resolution];
  const whole = wholeFrom(start, resolution, at);
  return resolution === 'monthly' ? monthsAfter(whole, count) : whole + count * LENGTH[resolution];
}

/** The start of the calendar bucket that contains an instant. */
function wholeFrom(instant: number, resolution: Resolution, at: Exclude<Cut['at'], 'startTime'>): number {
  if (resolution === 'monthly') return firstOfMonth(instant);
  const weekday = typeof at === 'object' ? at.weekday : MONDAY;
  const offset = resolution === 'weekly' ? (weekday - FIRST_WEEKDAY) * DAY : 0;
  const length = LENGTH[resolution];
  return Math.floor((instant - offset) / length) * length + offset;
}

function firstOfMonth(instant: number): number {
  const date = new Date(instant);
  date.setUTCDate(1);
  return date.setUTCHours(0, 0, 0, 0);
}

/** The same day and time of a later month, or its last day if it is shorter. */
function monthsAfter(instant: number, count: number): number {
  const day = new Date(instant).getUTCDate();
  const date = new Date(instant);
  // Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999.
  date.setUTCMonth(date.getUTCMonth() + count, 1);
  const last = new Date(date);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  return date.setUTCDate(Math.min(day, last.getUTCDate()));
}
