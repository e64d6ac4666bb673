/** Limits the request rate of all callers that share the pace. */
import { setTimeout as wait } from 'node:timers/promises';

export interface Pace {
  /** Resolves when the next request may be sent. Rejects if the signal aborts first. */
  turn(signal?: AbortSignal): Promise<void>;
  /** Delays all requests, including those already waiting. */
  pause(milliseconds: number): void;
}

/** 0: no limit. */
export function createPace(requestsPerSecond: number): Pace {
  const stepMs = requestsPerSecond === 0 ? 0 : 1000 / requestsPerSecond;
  let nextMs = 0;
  let pausedUntilMs = 0;
  return {
    async turn(signal) {
      let at: number;
      do {
        const now = performance.now();
        at = Math.max(nextMs, pausedUntilMs, now);
        nextMs = at + stepMs;
        if (at > now) await wait(Math.ceil(at - now), undefined, signal === undefined ? {} : { signal });
      } while (at < pausedUntilMs); // a pause may begin during the wait
    },
    pause(milliseconds) {
      pausedUntilMs = Math.max(pausedUntilMs, performance.now() + milliseconds);
    },
  };
}
