/** Decides how long requests are repeated if the target refuses all (429, or 503 with Retry-After), and when it is given up. */

/** Without any other response. Longer than the longest wait that is respected, and than windows of a minute. */
export const MAX_REFUSED_SECONDS = 90;
export const REFUSED = `the target has refused every request for ${MAX_REFUSED_SECONDS} s with status 429 (too many requests), or with Retry-After`;
/** Requests must have waited this often: a target may ask to wait for a minute. */
const MIN_WAITS = 4;
/** Longer than a window of a minute, but shorter than MAX_REFUSED_SECONDS, so that one request does not end the run. */
const MAX_WINDOW_SECONDS = 75;
/** Responses to what was sent before the first wait may still come. */
const MIN_WAITS_IN_WINDOW = 2;

export interface RefusalLimit {
  /** Must be called with each response. */
  note(wasRefused: boolean): void;
  /** Must be called when requests wait because of a refusal. Waits that overlap count once. */
  noteWait(milliseconds: number): void;
  /** Whether a refused request should be repeated until a window ends: at least two waits brought only refusals, for less than 75 s. */
  isWorthWaiting(): boolean;
  /** Whether any response was no refusal. */
  hasAccepted(): boolean;
  /** Whether nothing but refusals came for so long, and after so many waits, that no more requests should be sent. */
  isReached(): boolean;
}

export function createRefusalLimit(now: () => number = () => performance.now()): RefusalLimit {
  let refusedSinceMs: number | undefined;
  let waitsUntilMs = 0;
  let waitCount = 0;
  let hasAccepted = false;
  const refusedMs = (): number => (refusedSinceMs === undefined ? 0 : now() - refusedSinceMs);
  return {
    note(wasRefused) {
      if (wasRefused) refusedSinceMs ??= now();
      else [refusedSinceMs, waitCount, hasAccepted] = [undefined, 0, true];
    },
    noteWait(milliseconds) {
      if (now() >= waitsUntilMs) waitCount += 1;
      waitsUntilMs = Math.max(waitsUntilMs, now() + milliseconds);
    },
    hasAccepted: () => hasAccepted,
    isWorthWaiting: () => waitCount >= MIN_WAITS_IN_WINDOW && refusedMs() < MAX_WINDOW_SECONDS * 1000,
    isReached: () => waitCount >= MIN_WAITS && refusedMs() >= MAX_REFUSED_SECONDS * 1000,
  };
}
