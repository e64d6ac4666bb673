/** Limits the request rate of all callers that share the pace, and adapts it to a target that refuses some requests (429). */
import { setTimeout as wait } from 'node:timers/promises';

export interface Pace {
  /** Resolves when the next request may be sent, in the order of the calls. Rejects if the signal aborts first. */
  turn(signal?: AbortSignal): Promise<void>;
  /** Delays all requests, including those already waiting. */
  pause(milliseconds: number): void;
  /** Must be called with each response. `wasRefused`: its status was 429. */
  noteResponse(wasRefused: boolean): void;
}

/** After a refusal, requests are sent at this fraction of the rate that the target accepted. */
const DECREASE = 0.9;
/** When the rate reaches again what the target accepted. It stays near it for about that long, and then rises ever faster. */
const RECOVERY_MS = 10_000;
/** The accepted rate is that of this time, or of the time since the last pause, but of no shorter one than the minimum. */
const [WINDOW_MS, MIN_WINDOW_MS] = [1000, 200];
/** In requests per second. With a lower one it would take too long to rise again. */
const MIN_ACCEPTED = 2;

/**
 * The fraction of the accepted rate at which requests are sent after a refusal and a pause: rises fast at first, slowly around
 * 1, then fast again, as in CUBIC (RFC 9438 section 4.2), because each refusal can cost a pause. All times in milliseconds.
 */
export function recovered(now: number, refusedAtMs: number, pausedUntilMs: number): number {
  const sinceMs = Math.max(0, now - Math.max(refusedAtMs, pausedUntilMs));
  return 1 + (1 - DECREASE) * (sinceMs / RECOVERY_MS - 1) ** 3;
}

/** 0: no limit. */
export function createPace(requestsPerSecond: number): Pace {
  const max = requestsPerSecond === 0 ? Infinity : requestsPerSecond;
  /** Requests per second before the last refusal. */
  let accepted = Infinity;
  let refusedAtMs = -Infinity;
  /** When responses came that were no refusals. */
  let acceptedAtMs: number[] = [];
  let nextMs = 0;
  /** At first: no request was sent before. */
  let pausedUntilMs = performance.now();
  const stepMs = (now: number): number => 1000 / Math.min(max, accepted * recovered(now, refusedAtMs, pausedUntilMs));
  const acceptedRate = (now: number): number => {
    const windowMs = Math.min(WINDOW_MS, Math.max(MIN_WINDOW_MS, now - pausedUntilMs));
    return (acceptedAtMs.filter((at) => at > now - windowMs).length * 1000) / windowMs;
  };
  let lastTurn = Promise.resolve();
  async function waitForTurn(calledMs: number, signal?: AbortSignal): Promise<void> {
    let at: number;
    do {
      const now = performance.now();
      at = Math.max(nextMs, pausedUntilMs, calledMs);
      if (at > now) await wait(Math.ceil(at - now), undefined, signal === undefined ? {} : { signal });
    } while (at < pausedUntilMs); // a pause may begin during the wait
    nextMs = at + (accepted === Infinity ? 1000 / max : stepMs(performance.now()));
  }
  return {
    turn(signal) {
      const calledMs = performance.now();
      const turn = lastTurn.then(() => waitForTurn(calledMs, signal));
      lastTurn = turn.catch(() => {});
      return turn;
    },
    pause(milliseconds) {
      pausedUntilMs = Math.max(pausedUntilMs, performance.now() + milliseconds);
    },
    noteResponse(wasRefused) {
      const now = performance.now();
      if (!wasRefused) acceptedAtMs.push(now);
      acceptedAtMs = acceptedAtMs.filter((at) => at > now - WINDOW_MS);
      // Further refusals within the window, or during a pause, belong to the same burst.
      if (!wasRefused || now < pausedUntilMs || now - refusedAtMs <= WINDOW_MS) return;
      accepted = Math.max(MIN_ACCEPTED, acceptedRate(now));
      refusedAtMs = now;
    },
  };
}
