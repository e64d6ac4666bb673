/** The usual ways in which a metrics operation can be wrong, to make deviations of. */
import type {
  AccountMetricsDataEntry,
  AccountMetricsResponse,
  OperationId,
  Resolution,
} from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import type { AccountRole, WorkspaceRole } from '../../state/accounts.ts';
import { askedWith, isFor, onSuccess, type Deviation } from '../deviation.ts';

export type Entry = AccountMetricsDataEntry;
export type Item = Entry['timeseries'][number];

export const SECOND = 1000;
export const HOUR = 3600 * SECOND;
export const DAY = 24 * HOUR;

/** Answers as if another question had been asked; `edit` leaves the query as it is where there is no fault. */
export function asksInstead(
  what: string,
  edit: (query: URLSearchParams, ctx: Context) => void,
  id: OperationId = 'getAccountMetrics',
): Deviation {
  return {
    what,
    effect: 'change query',
    wrap: (app) => (ctx) => (isFor(ctx, [id]) ? askedWith(app, ctx, (query) => edit(query, ctx)) : app(ctx)),
  };
}

/** Refuses some of what it would answer. */
export function refusesQuery(
  what: string,
  status: number,
  concerns: (query: URLSearchParams, ctx: Context) => boolean,
  message = 'This is refused.',
): Deviation {
  return {
    what,
    effect: 'refuse',
    wrap: (app) => async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply?.status !== 200 || !isFor(ctx, ['getAccountMetrics']) || !concerns(queryOf(ctx), ctx)) return;
      ctx.state.reply = { status, body: { error: 'refused', code: status, message } };
    },
  };
}

/** Changes some of its answers; `edit` gets the body to change, and the query. */
export function answersInstead(
  what: string,
  edit: (body: AccountMetricsResponse, query: URLSearchParams) => void,
): Deviation {
  return onSuccess(what, ['getAccountMetrics'], (body: AccountMetricsResponse, ctx) => {
    edit(body, queryOf(ctx));
    return body;
  });
}

/** Changes the timeseries of the entries whose answer is concerned. */
export function timeseries(
  what: string,
  edit: (items: Item[], body: AccountMetricsResponse, query: URLSearchParams) => Item[],
): Deviation {
  return answersInstead(what, (body, query) => {
    for (const entry of body.data) entry.timeseries = edit(entry.timeseries, body, query);
  });
}

export function queryOf(ctx: Context): URLSearchParams {
  return new URLSearchParams(ctx.querystring);
}

/** Milliseconds of the window asked for; NaN where an end is missing or unreadable. */
export function lengthOf(query: URLSearchParams): number {
  return Date.parse(query.get('endTime') ?? '') - Date.parse(query.get('startTime') ?? '');
}

export function dimensionsOf(query: URLSearchParams): string[] {
  return query.get('groupBy')?.split(',') ?? [];
}

export function isGrouped(query: URLSearchParams): boolean {
  return query.has('groupBy');
}

/** Makes the window end so long after its start. */
export function shorten(query: URLSearchParams, length: number): void {
  query.set('endTime', timestamp(Date.parse(query.get('startTime') ?? '') + length));
}

export function timestamp(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** A bucket without activity; with usage where its neighbours have it. */
export function emptyBucket(instant: number, like: Item | undefined): Item {
  return { timestamp: timestamp(instant), cost: 0, ...(like?.usage === undefined ? {} : { usage: 0 }) };
}

export function asksFor(query: URLSearchParams, resolution: Resolution): boolean {
  return query.get('resolution') === resolution;
}

/** Whether the caller has such a role in its account, or in the workspace it is first of all of. */
export function isCalledBy({ state }: Context, role: AccountRole | WorkspaceRole): boolean {
  const caller = state.credential?.caller;
  return caller?.accountRole === role || caller?.workspaces[0]?.role === role;
}
