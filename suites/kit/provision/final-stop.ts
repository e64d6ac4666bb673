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

/** What is known of the disabling updates before the newest. Times in milliseconds. */
export interface Earlier {
  /** The instant of the last one. */
  readonly disabledMs: number;
  /** The longest time from one of them to the next update that enabled the agent. */
  readonly longestMs: number;
  /** How long to wait at most for an enabling update to take effect. */
  readonly maxMs: number;
}

const MIN_STOP_MS = 500;

/**
 * Whether the newest disabling update has taken effect. An earlier one stops the agent only until the enabling update after
 * it takes effect: about as long as the time between them, or as long as a deployment if one begins when another ends.
 */
export function newStop({ disabledMs, longestMs, maxMs }: Earlier): Stop {
  let sinceMs = Infinity;
  return {
    isFinal(isServed, nowMs) {
      sinceMs = isServed ? Infinity : Math.min(sinceMs, nowMs);
      return nowMs - sinceMs >= Math.max(2 * longestMs + MIN_STOP_MS, Math.min(sinceMs - disabledMs, maxMs));
    },
    sinceMs: () => sinceMs,
  };
}
