/** Delays responses like a network. */
import type { App } from '../pipeline/app.ts';
import { delay } from '../http/delay.ts';
import type { Random } from '../time/random.ts';

/** About 17 minutes; `--latency` has the same bound. */
export const MAX_LATENCY_MS = 999_999;

/** Whole milliseconds from 0 to MAX_LATENCY_MS, both inclusive. */
export interface Latency {
  readonly min: number;
  readonly max: number;
}

/**
 * Each response waits a random integer number of milliseconds.
 * @internal
 */
export function withLatency(app: App, { min, max }: Latency, random: Random): App {
  return async (ctx) => {
    await delay(ctx.res, min + (random.next() % (max - min + 1)));
    await app(ctx);
  };
}
