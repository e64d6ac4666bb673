/** Faults of pages and cursors. */
import { deviationsOf } from '../table.ts';
import type { AccountMetricsResponse, OperationId } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { anew } from '../anew.ts';
import { askedWith, bodyOf, isFor, type App, type Deviation, type Deviations } from '../deviation.ts';
import { answersInstead, asksInstead, dimensionsOf, isGrouped, queryOf, refusesQuery, type Entry } from './faults.ts';
import { scale } from './figures.ts';

const limitOf = (query: URLSearchParams): number => Number(query.get('limit') ?? 100);

function readsLimit(what: string, read: (text: string) => string | undefined): Deviation {
  return asksInstead(what, (query) => {
    const text = query.get('limit');
    if (text === null || text === '' || /^\d+$/.test(text)) return;
    const other = read(text);
    if (other === undefined) query.delete('limit');
    else query.set('limit', other);
  });
}

/** Asks again, where a cursor is refused, with each of these in its place, until one is taken. */
function forgivesCursor(what: string, others: (cursor: string) => (string | undefined)[]): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const cursor = queryOf(ctx).get('cursor');
      if (!isFor(ctx, ['getAccountMetrics']) || cursor === null || cursor === '') return;
      for (const other of others(cursor)) {
        if (ctx.state.reply?.status !== 400) return;
        await askedWith(app, ctx, (query) =>
          other === undefined ? query.delete('cursor') : query.set('cursor', other),
        );
      }
    };
  return { what, wrap };
}

/** One long page made of two, where `concerns` holds. */
function joinsPages(what: string, concerns: (query: URLSearchParams) => boolean, secondLimit: string): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, ['getAccountMetrics']) || ctx.state.reply?.status !== 200 || !concerns(queryOf(ctx))) return;
      const first = bodyOf(ctx) as AccountMetricsResponse;
      if (!first.meta.hasMore) return;
      await askedWith(app, ctx, (query) => {
        query.set('cursor', first.meta.nextCursor);
        query.set('limit', secondLimit);
      });
      const second = bodyOf(ctx) as AccountMetricsResponse;
      ctx.state.reply = { status: 200, body: { ...second, data: [...first.data, ...second.data] } };
    };
  return { what, wrap };
}

/** A fault of a cursor that is used a second time at once. */
function whenReused(what: string, fault: (ctx: Context) => void): Deviation {
  const wrap = (app: App): App => {
    let before: string | null = null;
    return async (ctx) => {
      await app(ctx);
      if (!isFor(ctx, ['getAccountMetrics'])) return;
      const cursor = queryOf(ctx).get('cursor');
      if (cursor !== null && cursor === before) fault(ctx);
      before = cursor;
    };
  };
  return { what, wrap };
}

/** Repeats the last group of a page as the first one of the next. */
function repeatsAtBoundary(what: string, concerns: (query: URLSearchParams) => boolean): Deviation {
  const wrap = (app: App): App => {
    const lastBefore = new Map<string, Entry>();
    return async (ctx) => {
      const query = queryOf(ctx);
      const repeated = lastBefore.get(query.get('cursor') ?? '');
      if (!isFor(ctx, ['getAccountMetrics']) || !concerns(query)) return app(ctx);
      await askedWith(app, ctx, (asked) => repeated !== undefined && asked.set('limit', String(limitOf(query) - 1)));
      if (ctx.state.reply?.status !== 200) return;
      const body = bodyOf(ctx) as AccountMetricsResponse;
      if (body.meta.hasMore && body.data.length > 0) lastBefore.set(body.meta.nextCursor, body.data.at(-1)!);
      if (repeated !== undefined) body.data.unshift(repeated);
      ctx.state.reply = { status: 200, body };
    };
  };
  return { what, wrap };
}

const losesFirst = (what: string, concerns: (query: URLSearchParams) => boolean): Deviation =>
  answersInstead(what, (body, query) => {
    if (query.has('cursor') && concerns(query)) body.data.shift();
  });

/** Spoils the next page where one of these has happened since the one before; `before`: the last group of that. */
function shiftedBy(
  what: string,
  ids: readonly OperationId[],
  spoil: (body: AccountMetricsResponse, before: Entry) => void,
): Deviation {
  return anew(what, () => {
    const given = new Map<string, { happened: number; last: Entry }>();
    let happened = 0;
    return {
      what,
      wrap: (app) => async (ctx) => {
        await app(ctx);
        if (isFor(ctx, ids)) happened += 1;
        if (!isFor(ctx, ['getAccountMetrics']) || ctx.state.reply?.status !== 200) return;
        const body = bodyOf(ctx) as AccountMetricsResponse;
        const before = given.get(queryOf(ctx).get('cursor') ?? '');
        const last = body.data.at(-1);
        if (body.meta.hasMore && last !== undefined) given.set(body.meta.nextCursor, { happened, last });
        if (before === undefined || before.happened === happened) return;
        spoil(body, before.last);
        ctx.state.reply = { status: 200, body };
      },
    };
  });
}

/** Text of the query as sent, before it is decoded. */
const rawCursor = (ctx: Context): string => /(?:^|&)cursor=([^&]*)/.exec(ctx.querystring)?.[1] ?? '';

export const paginationDeviations: Deviations = deviationsOf({
  'metrics.pagination.limit-is-a-count': {
    '': readsLimit('takes the default for a limit that is no count', () => undefined),
    negative: readsLimit('takes a negative limit without its sign', (text) => text.replace(/^-(?=\d+$)/, '')),
    fraction: readsLimit('cuts fractions off', (text) => text.replace(/^([1-9]\d*)\.\d+$/, '$1')),
    'number-first': readsLimit('reads the number that a limit begins with', (text) =>
      text.replace(/^([1-9]\d*)[^\d.].*$/s, '$1'),
    ),
  },

  'metrics.pagination.foreign-cursor-refused': {
    '': forgivesCursor('begins anew for an unknown cursor', () => [undefined]),
    numbers: forgivesCursor('begins anew for a number as cursor', (cursor) =>
      /^-?\d+$/.test(cursor) ? [undefined] : [],
    ),
    'text-behind': forgivesCursor('passes over text behind a cursor', (cursor) =>
      Array.from({ length: Math.min(24, cursor.length - 1) }, (_, at) => cursor.slice(0, -1 - at)),
    ),
    'text-before': forgivesCursor('passes over text before a cursor', (cursor) =>
      Array.from({ length: Math.min(24, cursor.length - 1) }, (_, at) => cursor.slice(at + 1)),
    ),
  },

  'metrics.pagination.page-within-limit': {
    '': asksInstead('gives one entry more than limit', (query) => {
      if (/^[1-9]\d?$/.test(query.get('limit') ?? '')) query.set('limit', String(limitOf(query) + 1));
    }),
    'later-pages': asksInstead('gives one entry more than limit on later pages', (query) => {
      if (query.has('cursor') && /^[1-9]\d?$/.test(query.get('limit') ?? ''))
        query.set('limit', String(limitOf(query) + 1));
    }),
    default: joinsPages('gives 150 entries without limit', (query) => !query.has('limit') && isGrouped(query), '50'),
    instances: asksInstead('passes over limit for instances', (query) => {
      if (dimensionsOf(query).includes('resource_uuid') && /^\d+$/.test(query.get('limit') ?? ''))
        query.delete('limit');
    }),
    one: asksInstead('gives two entries for limit 1', (query) => {
      if (query.get('limit') === '1') query.set('limit', '2');
    }),
  },

  'metrics.pagination.limit-clamped': {
    '': refusesQuery('refuses a limit above 100', 400, (query) => limitOf(query) > 100),
    'above-1000': refusesQuery('refuses a limit above 1000', 400, (query) => limitOf(query) > 1000),
    'as-50': asksInstead('takes a limit above 100 for 50', (query) => {
      if (limitOf(query) > 100) query.set('limit', '50');
    }),
    late: joinsPages('gives 101 entries for limit 101', (query) => query.get('limit') === '101', '1'),
    overflow: asksInstead('reads limit as 16 bits', (query) => {
      if (limitOf(query) > 65_535) query.set('limit', String(limitOf(query) % 65_536 || 1));
    }),
  },

  'metrics.pagination.has-more-and-cursor-agree': {
    '': answersInstead('gives a cursor on the last page too', ({ meta }, query) => {
      if (isGrouped(query) && !meta.hasMore) meta.nextCursor = 'end';
    }),
    'no-cursor': answersInstead('has more without a cursor where the last page is full', (body, query) => {
      if (isGrouped(query) && !body.meta.hasMore && body.data.length === limitOf(query)) body.meta.hasMore = true;
    }),
    null: answersInstead('gives null for the cursor of an empty answer', (body) => {
      if (body.data.length === 0) body.meta.nextCursor = null as never;
    }),
    absent: answersInstead('leaves nextCursor out where nothing is grouped', (body, query) => {
      if (!isGrouped(query)) delete (body.meta as Partial<typeof body.meta>).nextCursor;
    }),
    instances: answersInstead('gives a cursor on the last page of instances', ({ meta }, query) => {
      if (dimensionsOf(query).includes('resource_uuid') && !meta.hasMore) meta.nextCursor = 'end';
    }),
    monthly: answersInstead('gives a cursor on the last page of groups with monthly', ({ meta, resolution }, query) => {
      if (isGrouped(query) && resolution === 'monthly' && !meta.hasMore) meta.nextCursor = 'end';
    }),
    filtered: answersInstead(
      'gives a cursor on the last page where resourceName is given and has cost',
      ({ data, meta }, query) => {
        if (isGrouped(query) && query.has('resourceName') && data.length > 0 && !meta.hasMore) meta.nextCursor = 'end';
      },
    ),
  },

  'metrics.pagination.every-group-once': {
    '': repeatsAtBoundary('repeats a group at the boundary of pages of 2 to 15', (query) => {
      const limit = limitOf(query);
      return limit >= 2 && limit <= 15;
    }),
    // What is left out is missed by the rule that limits change nothing as well.
    skips: answersInstead('leaves out the first group of later pages of 20 or less', (body, query) => {
      if (query.has('cursor') && limitOf(query) <= 20) body.data.shift();
    }),
    endless: answersInstead('gives the last page for ever with limit 7', (body, query) => {
      const cursor = query.get('cursor');
      if (limitOf(query) === 7 && !body.meta.hasMore && cursor !== null)
        body.meta = { hasMore: true, nextCursor: cursor };
    }),
    'endless-by-default': answersInstead('gives the second page for ever where no limit is given', (body, query) => {
      const cursor = query.get('cursor');
      if (!query.has('limit') && cursor !== null) body.meta = { hasMore: true, nextCursor: cursor };
    }),
    refused: refusesQuery('refuses every cursor, its own too', 400, (query) => query.has('cursor')),
    'refused-by-default': refusesQuery(
      'refuses its own cursors where no limit is given, and two dimensions are',
      400,
      (query) => query.has('cursor') && !query.has('limit') && dimensionsOf(query).length === 2,
    ),
    stops: answersInstead('has no page after the second one of less than 100', (body, query) => {
      if (query.has('cursor') && limitOf(query) < 100) body.meta = { hasMore: false, nextCursor: '' };
    }),
    instances: losesFirst('leaves out the first instance of later pages', (query) =>
      dimensionsOf(query).includes('resource_uuid'),
    ),
    hourly: losesFirst(
      'leaves out the first group of later pages where buckets are hours',
      (query) => query.get('resolution') === 'hourly',
    ),
    filtered: losesFirst('leaves out the first group of later pages of one billing dimension', (query) =>
      query.has('billingDimension'),
    ),
    'created-between': shiftedBy(
      'leaves out a group where a function is created between two pages',
      ['createFunction'],
      (body) => body.data.shift(),
    ),
    'removed-between': shiftedBy(
      'repeats a group where a VPC is removed between two pages',
      ['deleteVpc'],
      (body, before) => body.data.unshift(before),
    ),
  },

  'metrics.pagination.limit-changes-nothing-else': {
    '': answersInstead('charges more where limit is 10 or less', (body, query) => {
      if (limitOf(query) <= 10) scale(body, 1.001);
    }),
    buckets: answersInstead('gives the last bucket no cost on pages of 64', (body, query) => {
      if (limitOf(query) !== 64) return;
      for (const { timeseries } of body.data) if (timeseries.length > 0) timeseries.at(-1)!.cost = 0;
    }),
  },

  'metrics.pagination.cursor-repeatable': {
    '': whenReused('leaves out a group where a cursor is used twice', (ctx) => {
      const body = bodyOf(ctx) as AccountMetricsResponse;
      if (ctx.state.reply?.status !== 200) return;
      body.data.pop();
      ctx.state.reply = { status: 200, body };
    }),
    'good-once': whenReused('refuses a cursor that is used twice', (ctx) => {
      ctx.state.reply = { status: 400, body: { error: 'used_up', code: 400, message: 'This cursor was used before.' } };
    }),
  },

  'metrics.pagination.cursor-survives-encoding': {
    '': refusesQuery('refuses a cursor in percent-encoding', 400, (_, ctx) => rawCursor(ctx).includes('%')),
    'lower-case': refusesQuery('refuses percent-encoding in lower case', 400, (_, ctx) =>
      /%(?:[a-f][0-9a-f]|[0-9][a-f])/.test(rawCursor(ctx)),
    ),
  },
});
