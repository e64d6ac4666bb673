/** Counts how many requests wait for each other. */

/** Milliseconds. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The time during which any of the requests is in flight, in units of the mean duration of a request. */
export function countSteps(intervals: readonly Interval[]): number {
  if (intervals.length === 0) return 0;
  let busyMs = 0;
  let reachedMs = -Infinity;
  for (const { start, end } of intervals.toSorted((a, b) => a.start - b.start)) {
    busyMs += Math.max(0, end - Math.max(start, reachedMs));
    reachedMs = Math.max(reachedMs, end);
  }
  const totalMs = intervals.reduce((sum, { start, end }) => sum + end - start, 0);
  return Math.round((busyMs * intervals.length) / totalMs);
}
