/** Splits a window into buckets: hours, days, weeks and months, aligned with the UTC calendar or the window's start. */
import { defaultMetricsChoices, type Cut } from './options.ts';
import type { Resolution } from './resolutions.ts';
import { dateOf, dayOf } from './dates.ts';
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
  const origin = cut.at === 'startTime' ? start : wholeFrom(start, resolution, cut.at);
  const edgeAfter = edgesAfter(origin, resolution);
  const edges = [];
  for (let edge = start, count = 1; edge < end; edge = edgeAfter(count++)) edges.push(edge);
  edges.push(end);
  return edges;
}

/** The timestamp of the bucket that begins with the window. */
export function firstTimestamp({ start }: Window, resolution: Resolution, { at, first }: Cut): number {
  return first === 'at startTime' || at === 'startTime' ? start : wholeFrom(start, resolution, at);
}

/** Returns the nth edge after that of a whole bucket, ignoring the window's end. */
function edgesAfter(origin: number, resolution: Resolution): (count: number) => number {
  if (resolution === 'monthly') return monthsAfter(origin);
  const length = LENGTH[resolution];
  return (count) => origin + count * length;
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
  const { year, month } = dateOf(Math.floor(instant / DAY));
  return dayOf(year, month, 1) * DAY;
}

/** Returns the same day and time of a later month, or its last day if it is shorter. */
function monthsAfter(instant: number): (count: number) => number {
  const day = Math.floor(instant / DAY);
  const { year, month, ofMonth } = dateOf(day);
  const timeOfDay = instant - day * DAY;
  return (count) => {
    const months = month + count;
    const first = firstDayOf(year, months);
    if (ofMonth <= SHORTEST_MONTH) return (first + ofMonth - 1) * DAY + timeOfDay;
    return (first + Math.min(ofMonth, firstDayOf(year, months + 1) - first) - 1) * DAY + timeOfDay;
  };
}

const SHORTEST_MONTH = 28;

/** `months`: from January of the year. */
const firstDayOf = (year: number, months: number): number => dayOf(year + Math.floor(months / 12), months % 12, 1);
