/** Holds answers back as a network would. */
import type { App } from '../pipeline/app.ts';
import { holdBack } from '../http/hold-back.ts';
import type { Random } from '../time/random.ts';

/** Milliseconds, both inclusive. */
export interface Latency {
  readonly least: number;
  readonly most: number;
}

/** Each answer waits a whole number of milliseconds, drawn anew. */
export function withLatency(app: App, { least, most }: Latency, random: Random): App {
  return async (ctx) => {
    await holdBack(ctx.res, least + (random.next() % (most - least + 1)));
    await app(ctx);
  };
}
