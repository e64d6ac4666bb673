/** Limits the request rate of all callers that share the pace, and adapts it to a target that refuses some requests (429). */
import { setTimeout as wait } from 'node:timers/promises';
import { createAcceptedRate } from './accepted-rate.ts';

export interface Pace {
  /** Resolves when the next request may be sent, to its turn, in the order of the calls. Rejects if the signal aborts first. */
  turn(signal?: AbortSignal): Promise<Turn>;
  /** Delays all requests, including those already waiting. */
  pause(milliseconds: number): void;
  /** Must be called with each response. `wasRefused`: its status was 429. */
  noteResponse(turn: Turn, wasRefused: boolean): void;
}

/** The rate at which a request was sent: the refusals of one rate lower it once. */
type Turn = number;

/** The time of a pace, in milliseconds. */
export interface Clock {
  now(): number;
  /** Rejects if the signal aborts first. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

const realClock: Clock = {
  now: () => performance.now(),
  wait: (milliseconds, signal) => wait(milliseconds, undefined, signal === undefined ? {} : { signal }),
};

/** The accepted rate is that of this time, or of the time since the last pause, but of no shorter one than the minimum. */
const [WINDOW_MS, MIN_WINDOW_MS] = [1500, 1000];
/** Turns that come later, because the processor is busy, are not made up for: that would be a burst. */
const MAX_LATE_MS = 50;

/** `requestsPerSecond`: 0 for no limit. */
export function createPace(requestsPerSecond: number, clock: Clock = realClock): Pace {
  const max = requestsPerSecond === 0 ? Infinity : requestsPerSecond;
  const accepted = createAcceptedRate();
  let decreases = 0;
  /** When responses came that were no refusals, since the last pause. */
  let acceptedAtMs: number[] = [];
  let nextMs = 0;
  /** The end of the last pause, or the time of the last refusal. At first now: no request was sent before. */
  let sinceMs = clock.now();

  const measuredRate = (now: number): number =>
    (acceptedAtMs.length * 1000) / Math.max(MIN_WINDOW_MS, now - (acceptedAtMs[0] ?? now));

  async function waitForTurn(calledMs: number, signal?: AbortSignal): Promise<Turn> {
    let at: number;
    do {
      const now = clock.now();
      at = Math.max(nextMs, sinceMs, calledMs);
      if (at > now) await clock.wait(Math.ceil(at - now), signal);
    } while (at < sinceMs); // a pause may begin during the wait
    const now = clock.now();
    nextMs = Math.max(at, now - MAX_LATE_MS) + 1000 / Math.min(max, accepted.rateAfter(now - sinceMs));
    return decreases;
  }

  let lastTurn: Promise<unknown> = Promise.resolve();
  return {
    turn(signal) {
      const calledMs = clock.now();
      const turn = lastTurn.then(() => waitForTurn(calledMs, signal));
      lastTurn = turn.catch(() => {});
      return turn;
    },
    pause(milliseconds) {
      sinceMs = Math.max(sinceMs, clock.now() + milliseconds);
    },
    noteResponse(turn, wasRefused) {
      const now = clock.now();
      if (!wasRefused) acceptedAtMs.push(now);
      acceptedAtMs = acceptedAtMs.filter((at) => at >= sinceMs && at > now - WINDOW_MS);
      // If none was accepted, the pause was too short.
      if (!wasRefused || turn !== decreases || acceptedAtMs.length === 0) return;
      accepted.lower(measuredRate(now), now - sinceMs);
      decreases += 1;
      sinceMs = Math.max(sinceMs, now);
    },
  };
}
