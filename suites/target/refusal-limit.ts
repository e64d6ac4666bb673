/** Decides how long a target that refuses every request (429, or 503 with Retry-After) is asked again, and when it is given up. */

/** Without any other response. Longer than the longest wait that is respected, and than windows of a minute. */
export const MAX_REFUSED_SECONDS = 90;
/** Requests must have waited this often: a target may ask to wait for a minute. */
const MIN_WAITS = 4;
/** So that a single request waits for the next window of a minute, but does not reach the limit for all others. */
const MAX_WAIT_SECONDS = 75;
/** After one wait the target may not have answered everything that was sent before. */
const MIN_WAITS_OF_ALL = 2;

export interface RefusalLimit {
  /** Must be called with each response. */
  note(wasRefused: boolean): void;
  /** Must be called when requests wait because of a refusal. Waits that overlap count once. */
  noteWait(milliseconds: number): void;
  /** Whether a refused request should wait for the end of a window: so many times nothing but refusals came, and not for too long. */
  isWorthWaiting(): boolean;
  /** Whether nothing but refusals came for so long, and after so many waits, that no more requests should be sent. */
  isReached(): boolean;
}

export function createRefusalLimit(now: () => number = () => performance.now()): RefusalLimit {
  let refusedSinceMs: number | undefined;
  let waitsUntilMs = 0;
  let waitCount = 0;
  const refusedMs = (): number => (refusedSinceMs === undefined ? 0 : now() - refusedSinceMs);
  return {
    note(wasRefused) {
      if (wasRefused) refusedSinceMs ??= now();
      else [refusedSinceMs, waitCount] = [undefined, 0];
    },
    noteWait(milliseconds) {
      if (now() >= waitsUntilMs) waitCount += 1;
      waitsUntilMs = Math.max(waitsUntilMs, now() + milliseconds);
    },
    isWorthWaiting: () => waitCount >= MIN_WAITS_OF_ALL && refusedMs() < MAX_WAIT_SECONDS * 1000,
    isReached: () => waitCount >= MIN_WAITS && refusedMs() >= MAX_REFUSED_SECONDS * 1000,
  };
}
