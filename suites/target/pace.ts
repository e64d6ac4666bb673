/** Spreads requests evenly: at most so many a second, over all that share the pace. */
import { setTimeout as wait } from 'node:timers/promises';

export interface Pace {
  /** Resolves when the next request may leave; rejects where the signal comes first. */
  turn(signal?: AbortSignal): Promise<void>;
  /** For so long no further request gets its turn. */
  pause(milliseconds: number): void;
}

/** 0: no limit. */
export function createPace(requestsASecond: number): Pace {
  const stepMs = requestsASecond === 0 ? 0 : 1000 / requestsASecond;
  let nextMs = 0;
  return {
    async turn(signal) {
      const now = performance.now();
      const at = Math.max(nextMs, now);
      nextMs = at + stepMs;
      if (at > now) await wait(at - now, undefined, signal === undefined ? {} : { signal });
    },
    pause(milliseconds) {
      nextMs = Math.max(nextMs, performance.now() + milliseconds);
    },
  };
}
