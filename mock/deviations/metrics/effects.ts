/** Effects on metrics requests and responses. */
import type { Effect } from '../deviation.ts';
import type { AccountMetricsDataEntry, AccountMetricsResponse, OperationId } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import { runWith, bodyOf, isFor } from '../../wrap/wrapping.ts';
import { DAY, dimensionsOf, queryOf } from './conditions.ts';

export type Body = AccountMetricsResponse;
export type Entry = AccountMetricsDataEntry;
export type Bucket = Entry['timeseries'][number];

export const METRICS: readonly OperationId[] = ['getAccountMetrics'];

/** Runs the mock with another query. */
export function changeQuery(
  edit: (query: URLSearchParams, ctx: Context) => void,
  kind = 'change query',
  operations: readonly OperationId[] = METRICS,
): Effect {
  const wrap: Effect['wrap'] = (app, applies) => (ctx) =>
    isFor(ctx, operations) && applies(ctx) ? runWith(app, ctx, (query) => edit(query, ctx)) : app(ctx);
  return { kind, wrap };
}

export const ignore = (...names: readonly string[]): Effect =>
  changeQuery((query) => names.forEach((name) => query.delete(name)), 'ignore parameter');

export const set = (name: string, value: string): Effect => changeQuery((query) => query.set(name, value));

/** `read` returns undefined for a parameter to remove. Absent parameters remain absent. */
export const read = (name: string, edit: (value: string, query: URLSearchParams) => string | undefined): Effect =>
  changeQuery((query) => {
    const value = query.get(name);
    if (value === null) return;
    const other = edit(value, query);
    if (other === undefined) query.delete(name);
    else query.set(name, other);
  });

/** Without dimensions left, the request is not grouped. */
export const regroup = (edit: (names: string[]) => readonly string[]): Effect =>
  changeQuery((query) => {
    if (query.has('groupBy')) setDimensions(query, edit(dimensionsOf(query)));
  });

export function setDimensions(query: URLSearchParams, names: readonly string[]): void {
  if (names.length === 0) query.delete('groupBy');
  else query.set('groupBy', names.join());
}

/** Moves endTime to this many days after startTime. */
export const shorten = (days: number): Effect =>
  changeQuery((query) => {
    query.set('endTime', timestamp(Date.parse(query.get('startTime') ?? '') + days * DAY));
  });

export const swapEnds: Effect = changeQuery((query) => {
  const [start, end] = [query.get('startTime') ?? '', query.get('endTime') ?? ''];
  query.set('startTime', end);
  query.set('endTime', start);
});

/** Refuses requests that the mock would accept. */
export const refuse = (status = 400, message = 'This is refused.'): Effect =>
  afterSuccess('refuse', (ctx) => {
    ctx.state.reply = { status, body: { error: 'refused', code: status, message } };
  });

/** Changes the body of a 200. */
export const changeBody = (edit: (body: Body, query: URLSearchParams) => unknown, kind = 'change response'): Effect =>
  afterSuccess(kind, (ctx) => {
    const body = bodyOf(ctx) as Body;
    edit(body, queryOf(ctx));
    ctx.state.reply = { ...ctx.state.reply, status: 200, body };
  });

/** Runs `then` after a 200. */
export function afterSuccess(kind: string, then: (ctx: Context) => void): Effect {
  const wrap: Effect['wrap'] = (app, applies) => async (ctx) => {
    await app(ctx);
    if (isFor(ctx, METRICS) && ctx.state.reply?.status === 200 && applies(ctx)) then(ctx);
  };
  return { kind, wrap };
}

export const changeEntries = (edit: (entry: Entry) => unknown): Effect =>
  changeBody(({ data }) => data.forEach((entry) => edit(entry)), 'change entries');
export const changeSummaries = (edit: (summary: Entry['summary']) => unknown): Effect =>
  changeEntries(({ summary }) => edit(summary));
export const setField = (name: keyof Entry, value: unknown): Effect =>
  changeEntries((entry) => Object.assign(entry, { [name]: value }));
export const dropField = (name: keyof Entry): Effect =>
  changeBody(({ data }) => data.forEach((entry) => delete (entry as Partial<Entry>)[name]), 'drop field');
export const setMeta = (meta: Partial<Body['meta']>): Effect =>
  changeBody((body) => Object.assign(body.meta, meta), 'change cursor');

/** Replaces the buckets of every entry. */
export const rewriteBuckets = (edit: (buckets: Bucket[], body: Body) => Bucket[], kind = 'change buckets'): Effect =>
  changeBody((body) => {
    for (const entry of body.data) entry.timeseries = edit(entry.timeseries, body);
  }, kind);
export const changeBuckets = (edit: (bucket: Bucket) => unknown): Effect =>
  changeBody(
    ({ data }) => data.flatMap(({ timeseries }) => timeseries).forEach((bucket) => edit(bucket)),
    'change buckets',
  );
export const dropBuckets = (isDropped: (bucket: Bucket, at: number, all: Bucket[], body: Body) => boolean): Effect =>
  rewriteBuckets((buckets, body) => buckets.filter((each, at) => !isDropped(each, at, buckets, body)), 'drop buckets');

/** Multiplies every cost and usage of a response, so that its sums still agree. */
export const scale = (factor: number): Effect => changeBody((body) => scaleBody(body, factor), 'scale figures');
export const scaleTotalUsage = (factor: number): Effect =>
  changeBody(({ summary }) => {
    if (summary.totalUsage !== undefined) summary.totalUsage *= factor;
  }, 'scale figures');
/** Of entries and their buckets, not of the total. */
export const scaleUsage = (factor: number): Effect =>
  changeBody(({ data }) => {
    for (const amount of data.flatMap(({ summary, timeseries }) => [summary, ...timeseries]))
      if (amount.usage !== undefined) amount.usage *= factor;
  }, 'scale figures');

interface Amount {
  cost: number;
  usage?: number;
}

function scaleEntry({ summary, timeseries }: Entry, factor: number): void {
  for (const amount of [summary, ...timeseries] as Amount[]) {
    amount.cost *= factor;
    if (amount.usage !== undefined) amount.usage *= factor;
  }
}

function scaleBody({ summary, data }: Body, factor: number): void {
  summary.totalCost *= factor;
  if (summary.totalUsage !== undefined) summary.totalUsage *= factor;
  for (const entry of data) scaleEntry(entry, factor);
}

/** Two equal entries whose sum is the entry. */
export function halve(entry: Entry): Entry[] {
  scaleEntry(entry, 0.5);
  return [entry, structuredClone(entry)];
}

/** Removes an entry from the page and from the totals. */
export function removeEntry(body: Body, entry: Entry | undefined): void {
  if (entry === undefined) return;
  body.data = body.data.filter((other) => other !== entry);
  body.summary.totalCost -= entry.summary.cost;
  if (body.summary.totalUsage !== undefined) body.summary.totalUsage -= entry.summary.usage ?? 0;
}

/** Seconds are printed without a fraction if it is zero. */
export const timestamp = (instant: number): string => new Date(instant).toISOString().replace('.000Z', 'Z');

/** Without activity; has usage if `like` has. */
export const emptyBucket = (instant: number, like: Bucket | undefined): Bucket => ({
  timestamp: timestamp(instant),
  cost: 0,
  ...(like?.usage === undefined ? {} : { usage: 0 }),
});
