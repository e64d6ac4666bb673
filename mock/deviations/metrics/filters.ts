/** Deviations of the filters: unknown values that are accepted, and responses that are not the slice. */
import type { Effect } from '../deviation.ts';
import { across, type Row, type Table } from '../table.ts';
import { billingDimensions } from '../../../spec/values.ts';
import { runWith, bodyOf, isFor } from '../../wrap/wrapping.ts';
import { all, always, not, whenQuery } from '../conditions.ts';
import {
  grouped,
  groupedBy,
  has,
  inBuckets,
  is,
  lacks,
  laterPage,
  pickedResolution,
  queryOf,
  requests,
} from './conditions.ts';
import {
  changeBody,
  changeEntries,
  changeQuery,
  ignore,
  METRICS,
  read,
  scale,
  scaleUsage,
  set,
  type Body,
} from './effects.ts';

const filters = ['workspace', 'resourceType', 'resourceName', 'resourceUuid', 'billingDimension'];
const sentFilters = (query: URLSearchParams): string[] => filters.filter((name) => query.has(name));
const filtered = whenQuery('with a filter', (query) => sentFilters(query).length > 0);

const unknownDimension = whenQuery('for an unknown billingDimension', (query) => {
  const value = query.get('billingDimension') || undefined;
  return value !== undefined && !(billingDimensions as readonly string[]).includes(value);
});
const longName = whenQuery(
  'for a resourceName of 20 characters or more',
  (query) => (query.get('resourceName') ?? '').length >= 20,
);

/** Ignores the filters after the first `count`. */
const ignoreFrom = (count: number): Effect =>
  changeQuery((query) => {
    for (const name of sentFilters(query).slice(count)) query.delete(name);
  }, 'ignore parameter');

/** Replaces an unknown resourceName by an existing name that matches. */
const match = (matches: (name: string, sent: string) => boolean): Effect =>
  changeQuery((query, { state: { world } }) => {
    const sent = query.get('resourceName');
    const names = [...world.resources.values()].flatMap((each) => [...each.keys()]);
    if (sent === null || names.includes(sent)) return;
    const name = names.find((each) => matches(each, sent));
    if (name !== undefined) query.set('resourceName', name);
  }, 'accept as corrected');

/** Ignores a filter if nothing matches it. */
const ignoreUnmatched = (name: string): Effect => ({
  kind: 'ignore parameter',
  wrap: (app, applies) => async (ctx) => {
    await app(ctx);
    const isAffected = isFor(ctx, METRICS) && applies(ctx) && queryOf(ctx).has(name);
    if (!isAffected || ctx.state.reply?.status !== 200) return;
    const { summary } = bodyOf(ctx) as Body;
    if (summary.totalCost === 0) await runWith(app, ctx, (query) => query.delete(name));
  },
});

const isDimension = (value: string): boolean => (billingDimensions as readonly string[]).includes(value);
const readUnknown = (edit: (value: string) => string | undefined): Row => [
  unknownDimension,
  read('billingDimension', edit),
];

export const filtersDeviations: Table = {
  'metrics.filters.billing-dimension-known': {
    ...across([always, groupedBy('billing_dimension'), has('resourceName')], {
      'ignores an unknown billingDimension': [unknownDimension, ignore('billingDimension')],
    }),
    'accepts billingDimension in any letter case': readUnknown((value) => value.toLowerCase()),
    'uses the first of a list of billing dimensions': readUnknown((value) => value.split(',')[0]),
    'ignores names that every object inherits': readUnknown((value) => (value in {} ? undefined : value)),
    'ignores an unknown billingDimension if a cursor is sent': [
      laterPage,
      read('billingDimension', (value) => (isDimension(value) ? value : undefined)),
    ],
  },
  'metrics.filters.filter-is-the-slice': {
    'adds a hundredth to figures if resourceName is sent': [has('resourceName'), scale(1.01)],
    ...across([has('resourceName'), not(groupedBy('billing_dimension'))], {
      'ignores billingDimension': ignore('billingDimension'),
    }),
    'reads volume storage as agent image storage without resourceType': [
      all(is('billingDimension', 'volume_storage_gbs'), lacks('resourceType')),
      set('billingDimension', 'agent_image_storage_gbs'),
    ],
    'returns no cost in the first bucket if resourceUuid is sent': [
      has('resourceUuid'),
      changeEntries(({ timeseries: [first] }) => first && (first.cost = 0)),
    ],
    'ignores workspace if grouped by it': [groupedBy('workspace'), ignore('workspace')],
    'adds a tenth to usage if resourceType is sent': [has('resourceType'), scaleUsage(1.1)],
    ...across([requests('hourly'), laterPage], {
      'ignores resourceType': ignore('resourceType'),
      'ignores a second filter': ignoreFrom(1),
    }),
    'ignores a fourth filter': ignoreFrom(3),
    'truncates a resourceName of 20 or more characters': [longName, read('resourceName', (name) => name.slice(0, 19))],
    'ignores resourceName for hourly if grouped by other dimensions': [
      all(requests('hourly'), grouped, not(groupedBy('resource_name'))),
      ignore('resourceName'),
    ],
    'ignores resourceUuid if it picks the resolution and groups by other dimensions': [
      all(pickedResolution, grouped, not(groupedBy('resource_uuid'))),
      ignore('resourceUuid'),
    ],
    'reverses the hourly costs of filtered groups': [
      all(inBuckets('hourly'), filtered, grouped),
      changeEntries(({ timeseries }) => {
        const costs = timeseries.map(({ cost }) => cost).toReversed();
        for (const [at, bucket] of timeseries.entries()) bucket.cost = costs[at]!;
      }),
    ],
  },
  'metrics.filters.nothing-matches-nothing': {
    ...across([is('resourceName', '%'), is('resourceName', '*'), has('resourceUuid')], {
      'ignores resourceName': ignore('resourceName'),
    }),
    'uses the first of a list of names': match((name, sent) => sent.startsWith(`${name},`)),
    'ignores resourceType if resourceUuid is sent': [has('resourceUuid'), ignore('resourceType')],
    'accepts a resourceName in any letter case': match((name, sent) => name === sent.toLowerCase()),
    'accepts a resourceType in any letter case': read('resourceType', (value) => value.toLowerCase()),
    'accepts the beginning of a name': match((name, sent) => name.startsWith(sent)),
    'accepts a name with characters appended': match((name, sent) => sent.startsWith(name)),
    'ignores an unknown resourceName': ignoreUnmatched('resourceName'),
    'ignores an unknown resourceUuid': ignoreUnmatched('resourceUuid'),
    'ignores an unknown workspace': ignoreUnmatched('workspace'),
    ...across([always, has('billingDimension')], {
      'ignores an unknown resourceType': ignoreUnmatched('resourceType'),
    }),
    'returns a cent if there is no cost': [
      has('resourceName'),
      changeBody(({ summary }) => (summary.totalCost ||= 0.01), 'change total'),
    ],
  },
};
