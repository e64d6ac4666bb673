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

/** Of the rate at which the target accepted requests: a lower one is not refused. */
const DECREASE = 0.9;
/** Per second without a refusal. */
const INCREASE = 1.1;
const WINDOW_MS = 1000;

/** 0: no limit. */
export function createPace(requestsPerSecond: number): Pace {
  const max = requestsPerSecond === 0 ? Infinity : requestsPerSecond;
  /** Requests per second after the last refusal. */
  let accepted = Infinity;
  let refusedAtMs = -Infinity;
  /** When responses came that were no refusals. */
  let acceptedAtMs: number[] = [];
  let nextMs = 0;
  let pausedUntilMs = 0;
  const stepMs = (now: number): number =>
    1000 / Math.min(max, accepted * INCREASE ** ((now - refusedAtMs) / WINDOW_MS));
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
      acceptedAtMs = acceptedAtMs.filter((at) => at > now - WINDOW_MS);
      if (!wasRefused) acceptedAtMs.push(now);
      // Further refusals within the window belong to the same burst.
      else if (now - refusedAtMs > WINDOW_MS)
        [accepted, refusedAtMs] = [Math.max(1, acceptedAtMs.length * DECREASE), now];
    },
  };
}
