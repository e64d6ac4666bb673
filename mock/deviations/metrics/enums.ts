/** Deviations of the lists of dimensions and resource types: too many values, too few, the wrong window. */
import type { Effect } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import { bodyOf, isFor } from '../../wrap/wrapping.ts';
import { all, whenQuery } from '../conditions.ts';
import {
  atMost,
  byAccountMember,
  DAY,
  endsBeforeStart,
  groupByIs,
  has,
  HOUR,
  lacks,
  longerThan,
  startOf,
} from './conditions.ts';
import { changeQuery, refuse, timestamp } from './effects.ts';

const TYPES: readonly OperationId[] = ['listMetricsResourceTypes'];
const ends = ['startTime', 'endTime'];
const everyType = ['agent', 'custom_domain', 'job', 'mcp_server', 'sandbox', 'volume'];

/** `edit` also gets how many requests the operation had, this one included. */
const list =
  (operation: OperationId) =>
  (kind: string, edit: (values: readonly string[], requestCount: number) => readonly string[]): Effect => ({
    kind,
    wrap: (app, applies) => {
      let requestCount = 0;
      return async (ctx) => {
        await app(ctx);
        const { reply } = ctx.state;
        if (reply === undefined || reply.status >= 300 || !isFor(ctx, [operation]) || !applies(ctx)) return;
        const { values } = bodyOf(ctx) as { readonly values: readonly string[] };
        ctx.state.reply = { ...reply, body: { values: edit(values, (requestCount += 1)) } };
      };
    },
  });
const dimensions = list('listMetricsGroupBy');
const types = list('listMetricsResourceTypes');
const without = (name: string) => (values: readonly string[]) => values.filter((value) => value !== name);
const dropFirstType = types('drop value', (values) => values.slice(1));
const dropLastType = types('drop value', (values) => values.slice(0, -1));

const changeTypesQuery = (edit: (query: URLSearchParams) => void) => changeQuery(edit, 'accept as corrected', TYPES);
const correctEnds = (edit: (value: string) => string) =>
  changeTypesQuery((query) => {
    for (const name of ends.filter((each) => query.has(each))) query.set(name, edit(query.get(name)!));
  });

const swapTypesEnds = changeTypesQuery((query) => {
  const [start, end] = ends.map((name) => query.get(name) ?? '');
  query.set('startTime', end!);
  query.set('endTime', start!);
});

const noParameters = whenQuery('without parameters', ({ size }) => size === 0);
/** The window and groupBy. */
const threeParameters = whenQuery('with three parameters', ({ size }) => size === 3);
const inFuture = whenQuery('for windows that start after 2200', (query) => startOf(query) > Date.UTC(2200, 0));
const startsWithinHour = whenQuery('for windows that start within an hour', (query) => startOf(query) % HOUR !== 0);

export const enumsDeviations: Table = {
  'metrics.enums.group-by-values': {
    'lists the first dimension twice': dimensions('add value', (values) => [...values, ...values.slice(0, 1)]),
    'omits resource_uuid': dimensions('drop value', without('resource_uuid')),
    // An additional dimension is not accepted either.
    'lists label': dimensions('add value', (values) => [...values, 'label']),
    'lists fewer dimensions from the second call on': dimensions('drop value', (values, count) =>
      count > 1 ? values.slice(1) : values,
    ),
    'omits workspace for members': [byAccountMember, dimensions('drop value', without('workspace'))],
  },
  'metrics.enums.group-by-values-accepted': {
    'refuses groupBy=resource_uuid for more than a year': [
      all(threeParameters, groupByIs('resource_uuid'), longerThan(366)),
      refuse(),
    ],
    // Follows from two other rules: the five are listed, and the five are accepted.
    'lists field names instead of dimensions': dimensions('change value', (values) =>
      values.map((value) => value.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())),
    ),
  },
  'metrics.enums.resource-types-window-required': {
    'uses the next day if endTime is missing': [
      all(has('startTime'), lacks('endTime')),
      changeTypesQuery((query) => query.set('endTime', timestamp(startOf(query) + DAY))),
    ],
    'uses a fixed day if no window is sent': [
      noParameters,
      changeTypesQuery((query) => {
        query.set('startTime', '2026-01-01T00:00:00Z');
        query.set('endTime', '2026-01-02T00:00:00Z');
      }),
    ],
    'accepts a date as its midnight': correctEnds((value) =>
      /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value,
    ),
    'accepts a date as its midnight in endTime': changeTypesQuery((query) => {
      const end = query.get('endTime') ?? '';
      if (/^\d{4}-\d\d-\d\d$/.test(end)) query.set('endTime', `${end}T00:00:00Z`);
    }),
    'accepts months 13 to 19 as December': correctEnds((value) => value.replace(/^(\d{4})-1[3-9]-/, '$1-12-')),
  },
  'metrics.enums.resource-types-agree-with-data': {
    'omits the last type for windows of up to two days': [atMost(2), dropLastType],
    'lists the first of several types twice': types('add value', (values) =>
      values.length > 1 ? [...values, values[0]!] : values,
    ),
    'lists nothing for windows of at most an hour': [atMost(1 / 24), types('drop value', () => [])],
    'omits custom_domain': types('drop value', without('custom_domain')),
    'lists function instead of mcp_server': types('change value', (values) =>
      values.map((value) => (value === 'mcp_server' ? 'function' : value)),
    ),
    'lists only agent for members': [
      byAccountMember,
      types('drop value', (values) => values.filter((value) => value === 'agent')),
    ],
  },
  'metrics.enums.resource-types-follow-window': {
    'lists every type for every window': types('add value', () => everyType),
    'lists sandbox for every window': types('add value', (values) => [...new Set([...values, 'sandbox'])]),
    'lists agent for windows in the future': [inFuture, types('add value', () => ['agent'])],
    'swaps the ends of a window that ends before it starts': [endsBeforeStart, swapTypesEnds],
    'omits the first type for windows longer than 600 days': [longerThan(600), dropFirstType],
    'omits the last type for windows longer than 40 days that do not start on the hour': [
      all(longerThan(40), startsWithinHour),
      dropLastType,
    ],
  },
};
