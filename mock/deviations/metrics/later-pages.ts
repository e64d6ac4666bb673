/** Faults of whoever judges the first page's question, and passes over what is invalid beside a cursor. */
import { deviationsOf } from '../table.ts';
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import { billingDimensions, groupByDimensions, resolutions } from '../../../spec/values.ts';
import { anew } from '../anew.ts';
import { askedWith, bodyOf, isFor, type App, type Deviation, type Deviations } from '../deviation.ts';
import { asksFor, asksInstead, DAY, dimensionsOf, lengthOf, queryOf } from './faults.ts';

const isAmong = (known: readonly string[], value: string | null): boolean => value === null || known.includes(value);

function passesOver(what: string, edit: (query: URLSearchParams) => void): Deviation {
  return asksInstead(`${what} beside a cursor`, (query) => {
    if (query.has('cursor')) edit(query);
  });
}

/** Answers some of what comes with a cursor for the window that the cursor was given for. */
function keepsWindow(what: string, concerns: (query: URLSearchParams) => boolean): Deviation {
  return anew(what, () => {
    const given = new Map<string, URLSearchParams>();
    const wrap =
      (app: App): App =>
      async (ctx) => {
        if (!isFor(ctx, ['getAccountMetrics'])) return app(ctx);
        const query = queryOf(ctx);
        const first = given.get(query.get('cursor') ?? '');
        const kept = first !== undefined && concerns(query) ? first : query;
        await askedWith(app, ctx, (asked) => {
          for (const name of ['startTime', 'endTime'].filter((each) => kept.has(each)))
            asked.set(name, kept.get(name)!);
        });
        if (ctx.state.reply?.status === 200) given.set((bodyOf(ctx) as AccountMetricsResponse).meta.nextCursor, kept);
      };
    return { what, wrap };
  });
}

export const laterPagesDeviations: Deviations = deviationsOf({
  'metrics.pagination.limit-is-a-count': {
    'later-page': passesOver('passes over a limit that is no count', (query) => {
      if (!/^[1-9]\d*$/.test(query.get('limit') ?? '1')) query.delete('limit');
    }),
  },

  'metrics.resolution.unknown-refused': {
    'later-page': passesOver('passes over an unknown resolution', (query) => {
      if (!isAmong(resolutions, query.get('resolution'))) query.delete('resolution');
    }),
  },

  'metrics.group-by.unknown-refused': {
    'later-page': passesOver('leaves unknown dimensions out', (query) => {
      const known = dimensionsOf(query).filter((name) => isAmong(groupByDimensions, name));
      if (known.length > 0) query.set('groupBy', known.join(','));
    }),
  },

  'metrics.filters.billing-dimension-known': {
    'later-page': passesOver('passes over an unknown one', (query) => {
      if (!isAmong(billingDimensions, query.get('billingDimension'))) query.delete('billingDimension');
    }),
  },

  'metrics.parameters.label-and-unit-unsupported': {
    'later-page': passesOver('passes over label and unit', (query) => {
      for (const name of ['label', 'unit']) query.delete(name);
    }),
  },

  'metrics.parameters.end-not-before-start': {
    'later-page': keepsWindow(
      'answers an endTime before startTime with the window of the cursor beside it',
      (query) => lengthOf(query) < 0,
    ),
  },

  'metrics.parameters.timestamps-rfc3339': {
    'later-page': keepsWindow(
      'answers what is no timestamp with the window of the cursor beside it',
      (query) => query.has('startTime') && query.has('endTime') && Number.isNaN(lengthOf(query)),
    ),
  },

  'metrics.resolution.hourly-cap': {
    'later-page': keepsWindow(
      'answers more than 7 days by the hour with the window of the cursor beside it',
      (query) => asksFor(query, 'hourly') && lengthOf(query) > 7 * DAY,
    ),
  },
});
