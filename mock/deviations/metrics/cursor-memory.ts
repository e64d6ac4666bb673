/** Effects that remember the requests for earlier pages. */
import type { Effect } from '../deviation.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { runWith, bodyOf, isFor } from '../../wrap/wrapping.ts';
import { limitOf, queryOf } from './conditions.ts';
import { METRICS, type Body, type Entry } from './effects.ts';

const isMetrics = (ctx: Context): boolean => isFor(ctx, METRICS);
const cursorOf = (ctx: Context): string => queryOf(ctx).get('cursor') ?? '';

/** Uses the window of the request that returned the cursor. */
export const keepWindow: Effect = {
  kind: 'keep window of cursor',
  wrap: (app, applies) => {
    const firstQueries = new Map<string, URLSearchParams>();
    return async (ctx) => {
      if (!isMetrics(ctx)) return app(ctx);
      const query = queryOf(ctx);
      const first = firstQueries.get(cursorOf(ctx));
      const used = first !== undefined && applies(ctx) ? first : query;
      await runWith(app, ctx, (changed) => {
        for (const name of ['startTime', 'endTime'].filter((each) => used.has(each)))
          changed.set(name, used.get(name)!);
      });
      if (ctx.state.reply?.status === 200) firstQueries.set((bodyOf(ctx) as Body).meta.nextCursor, used);
    };
  },
};

/** Replaces a refused cursor with each of these in turn, undefined for no cursor, until one is accepted. */
export const tolerateCursor = (alternatives: (cursor: string) => readonly (string | undefined)[]): Effect => ({
  kind: 'accept as corrected',
  wrap: (app) => async (ctx) => {
    await app(ctx);
    const cursor = cursorOf(ctx);
    if (!isMetrics(ctx) || cursor === '') return;
    for (const other of alternatives(cursor)) {
      if (ctx.state.reply?.status !== 400) return;
      await runWith(app, ctx, (query) => (other === undefined ? query.delete('cursor') : query.set('cursor', other)));
    }
  },
});

/** Returns two pages as one; the second has this limit. */
export const joinPages = (secondLimit: number): Effect => ({
  kind: 'join pages',
  wrap: (app, applies) => async (ctx) => {
    await app(ctx);
    if (!isMetrics(ctx) || ctx.state.reply?.status !== 200 || !applies(ctx)) return;
    const first = bodyOf(ctx) as Body;
    if (!first.meta.hasMore) return;
    await runWith(app, ctx, (query) => {
      query.set('cursor', first.meta.nextCursor);
      query.set('limit', String(secondLimit));
    });
    const second = bodyOf(ctx) as Body;
    ctx.state.reply = { status: 200, body: { ...second, data: [...first.data, ...second.data] } };
  },
});

/** Runs `change` if a request has the same cursor as the request before. */
export const whenCursorReused = (kind: string, change: (ctx: Context) => void): Effect => ({
  kind,
  wrap: (app) => {
    let previous: string | null = null;
    return async (ctx) => {
      await app(ctx);
      if (!isMetrics(ctx)) return;
      const cursor = queryOf(ctx).get('cursor');
      if (cursor !== null && cursor === previous) change(ctx);
      previous = cursor;
    };
  },
});

/** Repeats the last group of a page as the first of the next. */
export const repeatAtBoundary: Effect = {
  kind: 'repeat entry',
  wrap: (app, applies) => {
    const lastEntries = new Map<string, Entry>();
    return async (ctx) => {
      const repeated = lastEntries.get(cursorOf(ctx));
      if (!isMetrics(ctx) || !applies(ctx)) return app(ctx);
      const limit = limitOf(queryOf(ctx));
      await runWith(app, ctx, (query) => repeated !== undefined && query.set('limit', String(limit - 1)));
      if (ctx.state.reply?.status !== 200) return;
      const body = bodyOf(ctx) as Body;
      if (body.meta.hasMore && body.data.length > 0) lastEntries.set(body.meta.nextCursor, body.data.at(-1)!);
      if (repeated !== undefined) body.data.unshift(repeated);
      ctx.state.reply = { status: 200, body };
    };
  },
};

/** Changes the next page if one of these operations was called since the previous page, whose last entry is `before`. */
export const whenCalledBetweenPages = (
  kind: string,
  operations: readonly OperationId[],
  change: (body: Body, before: Entry) => unknown,
): Effect => ({
  kind,
  wrap: (app) => {
    const pages = new Map<string, { calls: number; last: Entry }>();
    let calls = 0;
    return async (ctx) => {
      await app(ctx);
      if (isFor(ctx, operations)) calls += 1;
      if (!isMetrics(ctx) || ctx.state.reply?.status !== 200) return;
      const body = bodyOf(ctx) as Body;
      const before = pages.get(cursorOf(ctx));
      const last = body.data.at(-1);
      if (body.meta.hasMore && last !== undefined) pages.set(body.meta.nextCursor, { calls, last });
      if (before === undefined || before.calls === calls) return;
      change(body, before.last);
      ctx.state.reply = { status: 200, body };
    };
  },
});
