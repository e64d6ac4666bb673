/** Faults of the two lists of values: one too many, one too few, the wrong window. */
import { deviationsOf } from '../table.ts';
import { onSuccess, type Deviation, type Deviations } from '../deviation.ts';
import type { Context } from '../../pipeline/context.ts';
import {
  asksInstead,
  DAY,
  dimensionsOf,
  HOUR,
  isCalledBy,
  lengthOf,
  queryOf,
  refusesQuery,
  timestamp,
} from './faults.ts';

interface Values {
  values: string[];
}

type Edit = (values: string[], query: URLSearchParams, ctx: Context) => string[];

const edits =
  (id: 'listMetricsGroupBy' | 'listMetricsResourceTypes') =>
  (what: string, edit: Edit): Deviation =>
    onSuccess(what, [id], ({ values }: Values, ctx) => ({ values: edit(values, queryOf(ctx), ctx) }));

const lists = edits('listMetricsGroupBy');
const types = edits('listMetricsResourceTypes');

function asksTypesInstead(what: string, edit: (query: URLSearchParams) => void): Deviation {
  return asksInstead(what, edit, 'listMetricsResourceTypes');
}

const everyType = ['agent', 'custom_domain', 'job', 'mcp_server', 'sandbox', 'volume'];

export const enumsDeviations: Deviations = deviationsOf({
  'metrics.enums.group-by-values': {
    '': lists('lists the first dimension twice', (values) => [...values, ...values.slice(0, 1)]),
    'without-uuid': lists('leaves resource_uuid out', (values) => values.filter((value) => value !== 'resource_uuid')),
    // Whatever is listed beside the five is not accepted either.
    label: lists('lists label as well', (values) => [...values, 'label']),
    'first-call-only': {
      what: 'lists fewer from the second call on',
      wrap: (app) => {
        let calls = 0;
        const fewer = lists('lists fewer', (values) => ((calls += 1) > 1 ? values.slice(1) : values));
        return fewer.wrap(app);
      },
    },
    member: lists('lists no workspace for those who may not group by it', (values, _, ctx) =>
      isCalledBy(ctx, 'account-member') ? values.filter((value) => value !== 'workspace') : values,
    ),
  },

  'metrics.enums.group-by-values-accepted': {
    '': refusesQuery('refuses to group by resource_uuid over more than a year', 400, isLongByUuid),
    // The rule follows from two others: what is listed is the five, and the five are accepted.
    'camel-case': lists('lists the names of the fields', (values) =>
      values.map((value) => value.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())),
    ),
  },

  'metrics.enums.resource-types-window-required': {
    '': asksTypesInstead('takes the next day where endTime is missing', (query) => {
      const start = query.get('startTime');
      if (start !== null && !query.has('endTime')) query.set('endTime', timestamp(Date.parse(start) + DAY));
    }),
    'no-window': asksTypesInstead('lists the types of a fixed day where no window is given', (query) => {
      if (query.size > 0) return;
      query.set('startTime', '2026-01-01T00:00:00Z');
      query.set('endTime', '2026-01-02T00:00:00Z');
    }),
    'date-only': asksTypesInstead('takes a date for its midnight', (query) => {
      for (const name of ['startTime', 'endTime']) {
        const value = query.get(name) ?? '';
        if (/^\d{4}-\d\d-\d\d$/.test(value)) query.set(name, `${value}T00:00:00Z`);
      }
    }),
    'month-13': asksTypesInstead('takes month 13 to 19 for December', (query) => {
      for (const name of ['startTime', 'endTime']) {
        const value = query.get(name);
        if (value !== null) query.set(name, value.replace(/^(\d{4})-1[3-9]-/, '$1-12-'));
      }
    }),
  },

  'metrics.enums.resource-types-agree-with-data': {
    '': types('leaves out the last type in windows of up to two days', (values, query) =>
      lengthOf(query) <= 2 * DAY ? values.slice(0, -1) : values,
    ),
    twice: types('lists a type twice where there are several', (values) =>
      values.length > 1 ? [...values, values[0]!] : values,
    ),
    'no-domains': types('never lists custom_domain', (values) => values.filter((value) => value !== 'custom_domain')),
    names: types('lists functions for mcp_server', (values) =>
      values.map((value) => (value === 'mcp_server' ? 'function' : value)),
    ),
    member: types('lists agents only for members', (values, _, ctx) =>
      isCalledBy(ctx, 'account-member') ? values.filter((value) => value === 'agent') : values,
    ),
  },

  'metrics.enums.resource-types-follow-window': {
    '': types('lists every type there is, whatever the window', () => everyType),
    'sandbox-always': types('lists sandbox in every window', (values) => [...new Set([...values, 'sandbox'])]),
    'to-come': types('lists agent in windows to come', (values, query) =>
      Date.parse(query.get('startTime') ?? '') > Date.UTC(2200, 0) ? ['agent'] : values,
    ),
    'long-windows': types('leaves out types in windows of more than 600 days', (values, query) =>
      lengthOf(query) > 600 * DAY ? values.slice(1) : values,
    ),
    'not-first': types('leaves out types in windows that do not begin on the hour, from 40 days on', (values, query) =>
      lengthOf(query) > 40 * DAY && Date.parse(query.get('startTime') ?? '') % HOUR !== 0
        ? values.slice(0, -1)
        : values,
    ),
  },
});

/** Alone, without any further parameter. */
function isLongByUuid(query: URLSearchParams): boolean {
  return query.size === 3 && dimensionsOf(query).join() === 'resource_uuid' && lengthOf(query) > 366 * DAY;
}
