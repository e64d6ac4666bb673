/** Metrics queries as rules see them in anybody's traffic: what is invalid in them, and whether nothing is. */
import { headerNames } from '../../../spec/brand.ts';
import { requirement } from '../../../spec/requirements/index.ts';
import { billingDimensionTable, billingDimensions, limits } from '../../../spec/values.ts';
import { isKnownVersion } from '../../../spec/versions.ts';
import { serverTimeOf, type Facts, type Seen } from '../../judge/seen.ts';
import type { Dimension } from './dimensions.ts';
import { dimensions } from './dimensions.ts';
import { instantOf } from '../../expect/instant.ts';
import { DAY, HOUR, SECOND, isSettledAt } from './windows.ts';

/** The dimensions of the query without surrounding spaces, valid or not. Empty without groupBy; empty names are omitted. */
export function groupByOf(seen: Seen): string[] {
  const list = seen.parameter('groupBy') ?? '';
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

export const isDimension = (name: string): name is Dimension => (dimensions as readonly string[]).includes(name);

/** Whether a parameter occurs twice: which value counts is not documented. */
export const isRepeated = ({ query }: Seen): boolean => new Set(query.map(([name]) => name)).size < query.length;

/**
 * Whether every parameter is documented, occurs once and has a value, and no other version is named: what else means is not
 * documented.
 */
export function isPlain(seen: Seen, facts: Facts): boolean {
  const version = seen.header(headerNames(facts.brand).version);
  return (
    (version === undefined || isKnownVersion(version)) &&
    !isRepeated(seen) &&
    seen.query.every(
      ([name, value]) => seen.operation.queryParameters.includes(name) && value.trim() === value && value !== '',
    )
  );
}

/** Whether something else may explain the response to a query that must be refused: the account may not exist either. */
export const isUnclear = (seen: Seen, { account }: Facts): boolean =>
  isRepeated(seen) || (seen.status === 404 && seen.path['accountId'] !== account);

const ends = ['startTime', 'endTime'];

/** An RFC 3339 timestamp in UTC. */
const UTC_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const LEAP_SECOND = /:60/;

/** Milliseconds since 1970. */
export interface SeenWindow {
  readonly start: number;
  readonly end: number;
  /** Whether both are whole seconds: more digits may be dropped. */
  readonly isExact: boolean;
}

/** Undefined unless both ends are RFC 3339 in UTC and in order. */
export function windowIn(seen: Seen): SeenWindow | undefined {
  const [from = '', to = ''] = ends.map((name) => seen.parameter(name));
  if (![from, to].every((text) => UTC_FORM.test(text) && !LEAP_SECOND.test(text))) return undefined;
  const [start, end] = [instantOf(from), instantOf(to)];
  if (start === undefined || end === undefined || end <= start) return undefined;
  return { start, end, isExact: ![from, to].some((text) => /\.\d*[1-9]/.test(text)) };
}

/** Whether the window was over when the request was sent. */
export const isPast = (seen: Seen): boolean => (windowIn(seen)?.end ?? Infinity) <= (serverTimeOf(seen) ?? -Infinity);

/** Whether the window was settled when the request was sent: later requests get the same figures. */
export function isSettled(seen: Seen): boolean {
  const [window, time] = [windowIn(seen), serverTimeOf(seen)];
  return window !== undefined && time !== undefined && isSettledAt(window.end, time);
}

/** Whether no reading takes the value for an RFC 3339 timestamp. Without the forms that metrics.parameters.edge-cases observes. */
function isNoTimestamp(value: string): boolean {
  const read = value
    .trim()
    .toUpperCase()
    .replace(/ (?=\d\d:?\d\d$)/, '+') // A plus sign that is not percent-encoded.
    .replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
    .replace(/,(?=\d)/, '.')
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
    .replace(/:60(?=\.|Z|[+-])/, ':59');
  return instantOf(read) === undefined;
}

export const lacksWindow = (seen: Seen): boolean => ends.some((name) => seen.parameter(name) === undefined);

export const hasNoTimestamp = (seen: Seen): boolean =>
  ends.some((name) => isNoTimestamp(seen.parameter(name) ?? new Date(0).toISOString()));

/** The bounds of the length of the window in milliseconds: digits below a second may be dropped. Undefined if it cannot be read. */
export function lengthIn(seen: Seen): { readonly min: number; readonly max: number } | undefined {
  const window = windowIn(seen);
  if (window === undefined) return undefined;
  const length = window.end - window.start;
  return window.isExact ? { min: length, max: length } : { min: length - SECOND, max: length + SECOND };
}

/** The largest window that each resolution accepts, in days. */
const acceptedDays: ReadonlyMap<string, number> = new Map([
  ['hourly', requirement('metrics.resolution.hourly-cap').values.capDays],
  ['daily', requirement('metrics.resolution.daily-cap').values.capDays],
  ['weekly', requirement('metrics.resolution.weekly-cap').values.acceptedDays],
  ['monthly', Infinity],
]);

/** Whether each parameter that is present is valid in every reading. Absent ones are valid. */
const isValid: Readonly<Record<string, (value: string, seen: Seen, facts: Facts) => boolean>> = {
  startTime: () => true,
  endTime: () => true,
  resolution: (value, seen) => (lengthIn(seen)?.max ?? Infinity) <= (acceptedDays.get(value) ?? 0) * DAY,
  groupBy: (value) => {
    const names = value.split(',');
    return names.length <= limits.groupByDimensions && new Set(names).size === names.length && names.every(isDimension);
  },
  // Others may not exist, and a server may refuse them.
  workspace: (value, _, { workspace }) => value === workspace,
  resourceType: (value) => Object.values(billingDimensionTable).some(({ resourceType }) => resourceType === value),
  resourceName: (value) => /^[a-z0-9][a-z0-9.-]*$/.test(value) && value.length <= limits.nameLength,
  resourceUuid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  billingDimension: (value, seen) => {
    const known = billingDimensions.find((name) => name === value);
    const type = seen.parameter('resourceType');
    return known !== undefined && (type === undefined || billingDimensionTable[known].resourceType === type);
  },
  cursor: () => false,
  // Without groupBy a server may refuse it.
  limit: (value, seen) =>
    /^[1-9]\d{0,9}$/.test(value) && Number(value) <= 2_147_483_647 && seen.parameter('groupBy') !== undefined,
};

/** Whether a parameter of the query, which may be repeated, is valid in every reading. Its value must be present. */
export const isValidParameter = (seen: Seen, name: string, facts: Facts): boolean =>
  isValid[name]!(seen.parameter(name)!, seen, facts);

const callers: readonly unknown[] = ['admin', 'apiKey', 'member', 'workspaceAdmin'];

/**
 * Whether nothing can be invalid in the request: a past window of at least an hour, in whole seconds, of the target's account,
 * without a cursor, from a caller that may read it. `except`: parameters that another check covers.
 */
export function isValidQuery(seen: Seen, facts: Facts, except: readonly string[] = []): boolean {
  const workspace = seen.header(headerNames(facts.brand).workspace);
  return (
    isPlain(seen, facts) &&
    callers.includes(seen.caller) &&
    facts.account !== undefined &&
    seen.path['accountId'] === facts.account &&
    (workspace === undefined || workspace === facts.workspace) &&
    seen.exchange.request.body === undefined &&
    isAfterLaunch(seen) &&
    hasPlainWindow(seen) &&
    isPast(seen) &&
    seen.query.every(([name, value]) => except.includes(name) || isValid[name]!(value, seen, facts))
  );
}

/** A server may refuse times before it existed. Without a cap, monthly windows may begin at any time. */
function isAfterLaunch(seen: Seen): boolean {
  const window = windowIn(seen);
  if (window === undefined || window.start < 0) return false;
  return seen.parameter('resolution') === 'monthly' || window.start > (serverTimeOf(seen) ?? 0) - OLDEST;
}

/** A server may refuse windows of less than an hour (decision 066). Fractions of a second are only observed. */
function hasPlainWindow(seen: Seen): boolean {
  const window = windowIn(seen);
  const hasFraction = ends.some((name) => seen.parameter(name)?.includes('.') === true);
  return window !== undefined && window.end - window.start >= HOUR && !hasFraction;
}

/** Milliseconds. */
const OLDEST = 10 * 366 * DAY;

/** What the query asks for, apart from some parameters: equal for two requests for the same, whoever sent them. */
export function queryKey(seen: Seen, facts: Facts, without: readonly string[] = []): string {
  const names = headerNames(facts.brand);
  const headers = [names.workspace, names.version].map((name) => seen.header(name) ?? '');
  const query = seen.query
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => [name, name === 'groupBy' ? groupByOf(seen).toSorted().join() : value])
    .toSorted(([one], [other]) => (one! < other! ? -1 : 1));
  return JSON.stringify([seen.path['accountId'], headers, query]);
}

/** Whether both were sent by the same caller. Two callers that nobody knows may differ. */
export function isSameCaller({ caller: one }: Seen, { caller: other }: Seen): boolean {
  return one !== 'other' && one !== 'none' && JSON.stringify(one) === JSON.stringify(other);
}
