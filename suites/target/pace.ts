/** Spreads requests evenly: at most so many a second, over all that share the pace. */
import { setTimeout as wait } from 'node:timers/promises';

export type Pace = (signal?: AbortSignal) => Promise<void>;

/** 0: no limit. */
export function createPace(requestsASecond: number, now: () => number = () => performance.now()): Pace {
  if (requestsASecond === 0) return async () => {};
  const stepMs = 1000 / requestsASecond;
  let nextMs = 0;
  return async (signal) => {
    const at = Math.max(nextMs, now());
    nextMs = at + stepMs;
    const waitMs = at - now();
    if (waitMs > 0) await wait(waitMs, undefined, signal === undefined ? {} : { signal });
  };
}
