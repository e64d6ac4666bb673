/** A clock whose time passes as fast as the code that waits for it. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock } from '../target/pace.ts';

export interface VirtualClock extends Clock {
  /** Passes time until the promise settles. */
  run<T>(pending: Promise<T>): Promise<T>;
}

export function virtualClock(): VirtualClock {
  let now = 0;
  let waiting: { readonly at: number; readonly resolve: () => void }[] = [];
  return {
    now: () => now,
    wait(milliseconds) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ at: now + milliseconds, resolve });
      return promise;
    },
    async run(pending) {
      let isSettled = false;
      const settle = (): void => void (isSettled = true);
      pending.then(settle, settle);
      for (;;) {
        // Twice, because a sender also yields once before it waits.
        await yieldToEventLoop();
        await yieldToEventLoop();
        if (isSettled) return pending;
        if (waiting.length === 0) throw new Error('Nothing waits for the virtual clock.');
        now = Math.min(...waiting.map(({ at }) => at));
        for (const { at, resolve } of waiting) if (at <= now) resolve();
        waiting = waiting.filter(({ at }) => at > now);
      }
    },
  };
}
