/** Conditions on metrics requests: their parameters, window and caller, and the resolution of the response. */
import type { AccountMetricsResponse, Resolution } from '../../../spec/generated/types.ts';
import type { Context } from '../../pipeline/context.ts';
import type { AccountRole, WorkspaceRole } from '../../state/accounts.ts';
import { bodyOf } from '../../wrap/wrapping.ts';
import { all, not, when, whenQuery, type Condition } from '../conditions.ts';
import { isByBrandHeader, isFromApiKey } from '../writes.ts';

const SECOND = 1000;
export const HOUR = 3600 * SECOND;
export const DAY = 24 * HOUR;

export const queryOf = (ctx: Context): URLSearchParams => new URLSearchParams(ctx.querystring);
export const dimensionsOf = (query: URLSearchParams): string[] => query.get('groupBy')?.split(',') ?? [];

/** Milliseconds; NaN if an end is missing or unreadable. */
export const windowLength = (query: URLSearchParams): number =>
  Date.parse(query.get('endTime') ?? '') - Date.parse(query.get('startTime') ?? '');

/** NaN if it is missing or unreadable. */
export const startOf = (query: URLSearchParams): number => Date.parse(query.get('startTime') ?? '');

/** The clamped default of the API is 100. */
export const limitOf = (query: URLSearchParams): number => Number(query.get('limit') ?? 100);

export const has = (...names: readonly string[]): Condition =>
  whenQuery(`with ${names.join(' and ')}`, (query) => names.every((name) => query.has(name)));
export const lacks = (...names: readonly string[]): Condition =>
  whenQuery(`without ${names.join(' and ')}`, (query) => names.every((name) => !query.has(name)));
export const is = (name: string, value: string): Condition =>
  whenQuery(`for ${name}=${value}`, (query) => query.get(name) === value);
export const parameter = (name: string, form: RegExp): Condition =>
  whenQuery(`for ${name} like ${form.source}`, (query) => form.test(query.get(name) ?? ''));

export const grouped = whenQuery('if grouped', (query) => query.has('groupBy'));
export const ungrouped = whenQuery('if nothing is grouped', (query) => !query.has('groupBy'));
export const laterPage = whenQuery('on later pages', (query) => query.has('cursor'));
export const pickedResolution = whenQuery('if it picks the resolution', (query) => !query.has('resolution'));
export const requests = (resolution: Resolution): Condition =>
  whenQuery(`for ${resolution}`, (query) => query.get('resolution') === resolution);

/** In this order. */
export const groupByIs = (...names: readonly string[]): Condition => is('groupBy', names.join());
/** In any order. */
export const groupedByOnly = (...names: readonly string[]): Condition =>
  whenQuery(
    `grouped by only ${names.join(' and ')}`,
    (query) => dimensionsOf(query).toSorted().join() === names.toSorted().join(),
  );
/** Among others. */
export const groupedBy = (...names: readonly string[]): Condition =>
  whenQuery(`grouped by ${names.join(' and ')}`, (query) => names.every((name) => dimensionsOf(query).includes(name)));
export const dimensionCount = (min: number, max = min): Condition =>
  whenQuery(`with ${min === max ? min : `${min} or more`} dimensions`, (query) => {
    const { length } = dimensionsOf(query);
    return length >= min && length <= max;
  });
/** `at` counts from 0. */
export const dimensionAt = (at: number, name: string): Condition =>
  whenQuery(`if ${name} is dimension ${at + 1}`, (query) => dimensionsOf(query)[at] === name);
export const limit = (name: string, holds: (limit: number) => boolean): Condition =>
  whenQuery(`for a limit ${name}`, (query) => holds(limitOf(query)));

const days = (name: string, count: number, holds: (length: number, bound: number) => boolean): Condition =>
  whenQuery(`for windows ${name} ${count} days`, (query) => holds(windowLength(query), count * DAY));
export const exactly = (count: number): Condition => days('of exactly', count, (length, bound) => length === bound);
export const longerThan = (count: number): Condition => days('longer than', count, (length, bound) => length > bound);
export const shorterThan = (count: number): Condition => days('shorter than', count, (length, bound) => length < bound);
export const atLeast = (count: number): Condition => days('of at least', count, (length, bound) => length >= bound);
export const atMost = (count: number): Condition => days('of at most', count, (length, bound) => length <= bound);
export const secondsBefore = (count: number, seconds = 1): Condition =>
  days(`${seconds} s shorter than`, count, (length, bound) => length === bound - seconds * SECOND);
export const secondAfter = (count: number): Condition => secondsBefore(count, -1);
export const endsBeforeStart = whenQuery('for endTime before startTime', (query) => windowLength(query) < 0);

/** A success whose body is so. Holds only after the mock has responded. */
export const response = (name: string, holds: (body: AccountMetricsResponse) => boolean): Condition =>
  when(name, (ctx) => ctx.state.reply?.status === 200 && holds(bodyOf(ctx) as AccountMetricsResponse));
/** Requested or picked. */
export const inBuckets = (resolution: Resolution): Condition =>
  response(`in ${resolution} buckets`, (body) => body.resolution === resolution);

const byRole = (role: AccountRole | WorkspaceRole): Condition =>
  when(`of ${role}s`, ({ state }) => {
    const caller = state.credential?.caller;
    return caller?.accountRole === role || caller?.workspaces[0]?.role === role;
  });
export const byAccountAdmin = byRole('account-admin');
export const byAccountMember = byRole('account-member');
export const byWorkspaceAdmin = byRole('workspace-admin');
/** Neither an account admin nor a workspace admin. */
export const byPlainMember = all(byAccountMember, not(byWorkspaceAdmin));
export const byApiKey = when('from API keys', isFromApiKey);
export const byBrandHeader = when('by brand header', isByBrandHeader);
