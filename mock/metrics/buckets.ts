/** Cuts a window into buckets: hours, days and months of UTC, and weeks of seven days from the window's start. */
import type { Resolution } from './resolutions.ts';
import { DAY, HOUR, type Window } from './windows.ts';

/** The first instant after `instant` at which a bucket ends, as if the window had no end. */
const NEXT: Record<Resolution, (instant: number) => number> = {
  hourly: (instant) => (Math.floor(instant / HOUR) + 1) * HOUR,
  daily: (instant) => (Math.floor(instant / DAY) + 1) * DAY,
  weekly: (instant) => instant + 7 * DAY,
  monthly: nextMonth,
};

/**
 * The edges of the buckets, in order: one more than there are buckets, from the window's start to its end.
 * A window that is not aligned has shorter buckets at its ends; the first one's timestamp is the window's start.
 */
export function bucketEdges({ start, end }: Window, resolution: Resolution): number[] {
  const edges = [];
  for (let edge = start; edge < end; edge = NEXT[resolution](edge)) edges.push(edge);
  return [...edges, end];
}

function nextMonth(instant: number): number {
  const date = new Date(instant);
  // Not Date.UTC: it takes the years 0 to 99 for 1900 to 1999.
  date.setUTCMonth(date.getUTCMonth() + 1, 1);
  return date.setUTCHours(0, 0, 0, 0);
}
