/** Reads the query parameters of the metrics operations. Throws a 400 problem that names an invalid parameter. */
import { parseInstant } from '../../spec/rfc3339.ts';
import { defaultMetricsChoices, type MetricsChoices } from './options.ts';
import { invalidField, Problem } from '../http/problems.ts';
import { BILLING_DIMENSION_NAMES, isBillingDimension, type BillingDimension } from './dimensions.ts';
import { GROUP_BY_VALUES, isGroupByValue, MAX_GROUP_BY_VALUES, type GroupByValue } from './groups.ts';
import { MAX_ENTRIES } from './pages.ts';
import { allowedResolutions, isResolution, selectResolution, RESOLUTIONS, type Resolution } from './resolutions.ts';
import type { Window } from './windows.ts';

export interface Filters {
  readonly workspace?: string;
  /** Not validated: an unknown type matches nothing. */
  readonly resourceType?: string;
  readonly resourceName?: string;
  readonly resourceUuid?: string;
  readonly billingDimension?: BillingDimension;
}

export interface MetricsQuery {
  readonly window: Window;
  /** The requested resolution, or one selected by the window's length. */
  readonly resolution: Resolution;
  /** In canonical order: a,b and b,a are the same query (metrics.group-by.order-irrelevant). */
  readonly groupBy: readonly GroupByValue[];
  readonly filters: Filters;
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor?: string;
}

/** Names and decoded values, in the order of the query string. */
export type Parameters = Iterable<readonly [string, string]>;

type ParameterValues = ReadonlyMap<string, string>;

const WINDOW = ['startTime', 'endTime'];
const FREE_FILTERS = ['workspace', 'resourceType', 'resourceName', 'resourceUuid'] as const;
const KNOWN = [...WINDOW, 'resolution', 'groupBy', ...FREE_FILTERS, 'billingDimension', 'limit', 'cursor'];
const UNSUPPORTED = ['label', 'unit'];
const TIMESTAMP =
  'an RFC 3339 timestamp such as 2026-10-01T00:00:00Z, with + written as %2B, in the years 0000 to 9999';
const EARLIEST = Date.parse('0000-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

export function readQuery(parameters: Parameters, choices: MetricsChoices = defaultMetricsChoices): MetricsQuery {
  const values = readParameters(parameters, KNOWN, UNSUPPORTED);
  const window = readWindow(values, choices);
  const cursor = values.get('cursor');
  return {
    window,
    resolution: readResolution(values.get('resolution'), window, choices),
    groupBy: readGroupBy(values.get('groupBy')),
    filters: readFilters(values),
    limit: readLimit(values.get('limit')),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** The parameters of an operation with only a window. */
export function readWindowOnly(parameters: Parameters): Window {
  return readWindow(readParameters(parameters, WINDOW, []));
}

/**
 * The known parameters by name. Repeated and empty parameters are not documented; both are refused,
 * because they are probably mistakes. Unknown parameters are ignored.
 */
function readParameters(
  parameters: Parameters,
  known: readonly string[],
  unsupported: readonly string[],
): ParameterValues {
  const values = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (unsupported.includes(name)) throw refused(`${name} is not supported; allowed: ${known.join(', ')}.`);
    if (!known.includes(name)) continue;
    if (values.has(name)) throw refused(`${name} is given more than once; allowed: once.`);
    if (value === '') throw refused(`${name} is empty; omit it or set a value.`);
    values.set(name, value);
  }
  return values;
}

function readWindow(
  values: ParameterValues,
  { emptyWindow }: Pick<MetricsChoices, 'emptyWindow'> = defaultMetricsChoices,
): Window {
  const start = readInstant(values, 'startTime');
  const end = readInstant(values, 'endTime');
  // The end is exclusive, so a window that ends at its start is empty.
  if (end < start || (end === start && emptyWindow === 'refused'))
    throw invalidField('endTime', values.get('endTime'), `an instant after startTime`);
  return { start, end };
}

function readInstant(values: ParameterValues, name: string): number {
  const text = values.get(name);
  if (text === undefined) throw refused(`${name} is missing; required: ${TIMESTAMP}.`);
  const instant = parseInstant(text);
  if (instant === undefined || instant < EARLIEST || instant > LATEST) throw invalidField(name, text, TIMESTAMP);
  return instant;
}

function readResolution(text: string | undefined, window: Window, choices: MetricsChoices): Resolution {
  if (text === undefined) return selectResolution(window, choices);
  if (!isResolution(text)) throw invalidField('resolution', text, RESOLUTIONS.join(', '));
  const allowed = allowedResolutions(window, choices);
  if (!allowed.includes(text)) throw invalidField('resolution', text, `${allowed.join(', ')} for so long a window`);
  return text;
}

function readGroupBy(text: string | undefined): GroupByValue[] {
  if (text === undefined) return [];
  const values = text.split(',');
  const wrong = values.find((value) => !isGroupByValue(value));
  if (wrong !== undefined) throw invalidField('groupBy', wrong, GROUP_BY_VALUES.join(', '));
  if (new Set(values).size < values.length) throw invalidField('groupBy', text, 'each dimension once');
  if (values.length > MAX_GROUP_BY_VALUES) {
    throw invalidField('groupBy', text, `at most ${MAX_GROUP_BY_VALUES} dimensions`);
  }
  return GROUP_BY_VALUES.filter((value) => values.includes(value));
}

function readFilters(values: ParameterValues): Filters {
  const dimension = values.get('billingDimension');
  if (dimension !== undefined && !isBillingDimension(dimension)) {
    throw invalidField('billingDimension', dimension, BILLING_DIMENSION_NAMES.join(', '));
  }
  const names = [...FREE_FILTERS, 'billingDimension'].filter((name) => values.has(name));
  return Object.fromEntries(names.map((name) => [name, values.get(name)]));
}

/** Clamps values above 100. Refuses 0, which is not documented: paging would never end. */
function readLimit(text: string | undefined): number {
  if (text === undefined) return MAX_ENTRIES;
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw invalidField('limit', text, 'a whole number from 1; above 100 acts as 100');
  return Math.min(limit, MAX_ENTRIES);
}

function refused(sentence: string): Problem {
  return new Problem(400, 'invalid_request', sentence);
}
