/** Faults of pages that are asked for by a cursor: it stands for the whole question, and what else is said with it is not looked at. */
import { billingDimensions, resolutions } from '../../../spec/values.ts';
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import type { Context } from '../../context.ts';
import { anew } from '../anew.ts';
import { askedWith, bodyOf, isFor, type App, type Deviation, type Deviations } from '../deviation.ts';
import { asksFor, DAY, dimensionsOf, lengthOf, queryOf } from './faults.ts';

type Concerns = (query: URLSearchParams) => boolean;

/** Answers the page of the question that the cursor was given for, whatever is wrong with this one. */
function looksAtTheCursorAlone(what: string, concerns: Concerns): Deviation {
  return anew(what, () => {
    const givenFor = new Map<string, URLSearchParams>();
    const wrap =
      (app: App): App =>
      async (ctx) => {
        if (!isFor(ctx, ['getAccountMetrics'])) return app(ctx);
        const query = queryOf(ctx);
        const asked = givenFor.get(query.get('cursor') ?? '');
        await (asked !== undefined && concerns(query) ? askedAgain(app, ctx, asked) : app(ctx));
        const { nextCursor } = metaOf(ctx);
        if (nextCursor) givenFor.set(nextCursor, asked ?? query);
      };
    return { what, wrap };
  });
}

function askedAgain(app: App, ctx: Context, asked: URLSearchParams): Promise<void> {
  return askedWith(app, ctx, (query) => {
    for (const name of query.keys().toArray()) if (name !== 'cursor') query.delete(name);
    for (const [name, value] of asked) if (name !== 'cursor') query.set(name, value);
  });
}

const metaOf = (ctx: Context): Partial<AccountMetricsResponse['meta']> =>
  ctx.state.reply?.status === 200 ? (bodyOf(ctx) as AccountMetricsResponse).meta : {};

const dimensions = ['workspace', 'resource_type', 'resource_name', 'resource_uuid', 'billing_dimension'];
const isTime = (value: string | null): boolean =>
  /^\d{4}-\d\d-\d\dT[\d:]{8}Z$/.test(value ?? '') && !Number.isNaN(Date.parse(value ?? ''));
const isOneOf = (values: readonly string[], value: string | null): boolean => values.includes(value ?? '');
const isLonger =
  (resolution: 'hourly' | 'daily' | 'weekly', days: number): Concerns =>
  (query) =>
    asksFor(query, resolution) && lengthOf(query) > days * DAY;

export const laterPagesDeviations: Deviations = {
  'metrics.parameters.timestamps-rfc3339/later-pages': looksAtTheCursorAlone(
    'takes anything for a timestamp on later pages',
    (query) => !isTime(query.get('startTime')) || !isTime(query.get('endTime')),
  ),
  'metrics.parameters.end-not-before-start/later-pages': looksAtTheCursorAlone(
    'lets endTime be before startTime on later pages',
    (query) => lengthOf(query) < 0,
  ),
  'metrics.parameters.label-and-unit-unsupported/later-pages': looksAtTheCursorAlone(
    'ignores label and unit on later pages',
    (query) => query.has('label') || query.has('unit'),
  ),
  'metrics.resolution.unknown-refused/later-pages': looksAtTheCursorAlone(
    'takes any resolution on later pages',
    (query) => query.has('resolution') && !isOneOf(resolutions, query.get('resolution')),
  ),
  'metrics.resolution.hourly-cap/later-pages': looksAtTheCursorAlone(
    'has no cap of hourly windows on later pages',
    isLonger('hourly', 7),
  ),
  'metrics.resolution.daily-cap/later-pages': looksAtTheCursorAlone(
    'has no cap of daily windows on later pages',
    isLonger('daily', 90),
  ),
  'metrics.resolution.weekly-cap/later-pages': looksAtTheCursorAlone(
    'has no cap of weekly windows on later pages',
    isLonger('weekly', 366),
  ),
  'metrics.group-by.unknown-refused/later-pages': looksAtTheCursorAlone(
    'takes unknown dimensions on later pages',
    (query) => dimensionsOf(query).some((name) => !dimensions.includes(name)),
  ),
  'metrics.group-by.at-most-three/later-pages': looksAtTheCursorAlone(
    'takes four dimensions on later pages',
    (query) => dimensionsOf(query).length > 3,
  ),
  'metrics.group-by.no-duplicates/later-pages': looksAtTheCursorAlone(
    'takes a dimension twice on later pages',
    (query) => new Set(dimensionsOf(query)).size < dimensionsOf(query).length,
  ),
  'metrics.filters.billing-dimension-known/later-pages': looksAtTheCursorAlone(
    'takes an unknown billing dimension on later pages',
    (query) => query.has('billingDimension') && !isOneOf(billingDimensions, query.get('billingDimension')),
  ),
  'metrics.pagination.limit-is-a-count/later-pages': looksAtTheCursorAlone(
    'takes anything for a limit on later pages',
    (query) => !/^\d*$/.test(query.get('limit') ?? ''),
  ),
};
