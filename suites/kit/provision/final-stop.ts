/** Decides when an agent has stopped serving because of the newest update, and not of an earlier one that takes effect late. */

/** How long any update may take, if the slowest so far took so long: others may take longer, and time passes between two queries. */
export const toleratedMs = (slowestMs: number | undefined): number =>
  slowestMs === undefined ? Infinity : 2 * slowestMs + 1000;

export interface Stop {
  /** Called with each response and its instant. */
  isFinal(isServed: boolean, nowMs: number): boolean;
  /** Since when the agent has not been served. */
  sinceMs(): number;
}

/**
 * Whether the newest disabling update has taken effect, and not an earlier one that an enabling update follows: then the agent
 * would be served again after at most the time that a deployment takes. `firstMs`: the instant of the first disabling update.
 */
export function newStop(firstMs: number, slowestMs: number | undefined): Stop {
  let sinceMs = Infinity;
  return {
    isFinal(isServed, nowMs) {
      sinceMs = isServed ? Infinity : Math.min(sinceMs, nowMs);
      return nowMs - sinceMs >= Math.min(sinceMs - firstMs, toleratedMs(slowestMs));
    },
    sinceMs: () => sinceMs,
  };
}
