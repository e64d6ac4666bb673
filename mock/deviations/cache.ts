/** The fault of a cache that forgets who may see what it holds. */
import type { Context } from '../pipeline/context.ts';
import type { Reply } from '../http/reply.ts';
import { anew } from './anew.ts';
import { repliesWith, type Deviation } from './deviation.ts';

/** Gives those who are denied an answer the last one 200 that somebody got to the same address. */
export function answersFromCache(
  what: string,
  concerns: (ctx: Context) => boolean,
  isDenied: (reply: Reply, ctx: Context) => boolean,
): Deviation {
  return anew(what, () => {
    const kept = new Map<string, Reply>();
    return repliesWith(what, (reply, ctx) => {
      if (!concerns(ctx)) return undefined;
      if (reply.status === 200) kept.set(ctx.url, reply);
      return isDenied(reply, ctx) ? kept.get(ctx.url) : undefined;
    });
  });
}
