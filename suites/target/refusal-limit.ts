/** Decides when a target that refuses every request (429, or 503 with Retry-After) is given up. */

/** Without any other response. Longer than the longest wait that is respected, and than windows of a minute. */
export const MAX_REFUSED_SECONDS = 90;
/** Requests must have waited this often: a target may ask to wait for a minute. */
const MIN_WAITS = 4;

export interface RefusalLimit {
  /** Must be called with each response. */
  note(wasRefused: boolean): void;
  /** Must be called when requests wait because of a refusal. Waits that overlap count once. */
  noteWait(milliseconds: number): void;
  /** Whether nothing but refusals came for so long, and after so many waits, that no more requests should be sent. */
  isReached(): boolean;
}

export function createRefusalLimit(now: () => number = () => performance.now()): RefusalLimit {
  let refusedSinceMs: number | undefined;
  let waitsUntilMs = 0;
  let waitCount = 0;
  return {
    note(wasRefused) {
      if (wasRefused) refusedSinceMs ??= now();
      else [refusedSinceMs, waitCount] = [undefined, 0];
    },
    noteWait(milliseconds) {
      if (now() >= waitsUntilMs) waitCount += 1;
      waitsUntilMs = Math.max(waitsUntilMs, now() + milliseconds);
    },
    isReached: () =>
      refusedSinceMs !== undefined && waitCount >= MIN_WAITS && now() - refusedSinceMs >= MAX_REFUSED_SECONDS * 1000,
  };
}
