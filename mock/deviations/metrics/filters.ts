/** Deviations of the filters: unknown values that are accepted, and responses that are not the slice. */
import { billingDimensions } from '../../../spec/values.ts';
import { runWith, bodyOf, isFor } from '../../wrap/wrapping.ts';
import { all, not, whenQuery } from '../conditions.ts';
import { deviationsOf, type Effect } from '../table.ts';
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

const unknownDimension = whenQuery('unknown billingDimension', (query) => {
  const value = query.get('billingDimension') || undefined;
  return value !== undefined && !(billingDimensions as readonly string[]).includes(value);
});
const longName = whenQuery(
  'resourceName of 20 characters or more',
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

export const filtersDeviations = deviationsOf({
  'metrics.filters.billing-dimension-known': {
    '': ['Ignores an unknown billingDimension', unknownDimension, ignore('billingDimension')],
    'other-case': [
      'Accepts billingDimension in any letter case',
      unknownDimension,
      read('billingDimension', (value) => value.toLowerCase()),
    ],
    list: [
      'Uses the first of a list of billing dimensions',
      unknownDimension,
      read('billingDimension', (value) => value.split(',')[0]),
    ],
    grouped: [
      'Ignores an unknown billingDimension if grouped by it',
      all(unknownDimension, groupedBy('billing_dimension')),
      ignore('billingDimension'),
    ],
    named: [
      'Ignores an unknown billingDimension if resourceName is sent',
      all(unknownDimension, has('resourceName')),
      ignore('billingDimension'),
    ],
    inherited: [
      'Ignores names that every object inherits',
      unknownDimension,
      read('billingDimension', (value) => (value in {} ? undefined : value)),
    ],
    'later-page': [
      'Ignores an unknown billingDimension if a cursor is sent',
      laterPage,
      read('billingDimension', (value) =>
        (billingDimensions as readonly string[]).includes(value) ? value : undefined,
      ),
    ],
  },
  'metrics.filters.filter-is-the-slice': {
    '': ['Adds a hundredth to figures if resourceName is sent', has('resourceName'), scale(1.01)],
    'second-filter': [
      'Ignores billingDimension if resourceName is sent',
      has('resourceName'),
      ignore('billingDimension'),
    ],
    'billing-dimension': [
      'Ignores billingDimension if not grouped by it',
      not(groupedBy('billing_dimension')),
      ignore('billingDimension'),
    ],
    'one-billing-dimension': [
      'Reads volume storage as agent image storage without resourceType',
      all(is('billingDimension', 'volume_storage_gbs'), lacks('resourceType')),
      set('billingDimension', 'agent_image_storage_gbs'),
    ],
    uuid: [
      'Returns no cost in the first bucket if resourceUuid is sent',
      has('resourceUuid'),
      changeEntries(({ timeseries: [first] }) => {
        if (first !== undefined) first.cost = 0;
      }),
    ],
    workspace: ['Ignores workspace if grouped by it', groupedBy('workspace'), ignore('workspace')],
    usage: ['Adds a tenth to usage if resourceType is sent', has('resourceType'), scaleUsage(1.1)],
    hourly: ['Ignores resourceType for hourly', requests('hourly'), ignore('resourceType')],
    'all-together': ['Ignores a fourth filter', ignoreFrom(3)],
    longest: [
      'Truncates a resourceName of 20 or more characters',
      longName,
      read('resourceName', (name) => name.slice(0, 19)),
    ],
    'second-page': ['Ignores resourceType on a later page', laterPage, ignore('resourceType')],
    'hours-by-others': [
      'Ignores resourceName for hourly if grouped by other dimensions',
      all(requests('hourly'), grouped, not(groupedBy('resource_name'))),
      ignore('resourceName'),
    ],
    'picked-by-others': [
      'Ignores resourceUuid if it picks the resolution and groups by other dimensions',
      all(pickedResolution, grouped, not(groupedBy('resource_uuid'))),
      ignore('resourceUuid'),
    ],
    'second-of-hours': ['Ignores a second filter for hourly', requests('hourly'), ignoreFrom(1)],
    'second-on-later-pages': ['Ignores a second filter on a later page', laterPage, ignoreFrom(1)],
    'hours-turned-round': [
      'Reverses the hourly costs of filtered groups',
      all(inBuckets('hourly'), filtered, grouped),
      changeEntries(({ timeseries }) => {
        const costs = timeseries.map(({ cost }) => cost).toReversed();
        for (const [at, bucket] of timeseries.entries()) bucket.cost = costs[at]!;
      }),
    ],
  },
  'metrics.filters.nothing-matches-nothing': {
    '': ['Ignores an unknown resourceName', ignoreUnmatched('resourceName')],
    wildcard: ['Reads % as any resourceName', is('resourceName', '%'), ignore('resourceName')],
    star: ['Reads * as any resourceName', is('resourceName', '*'), ignore('resourceName')],
    list: ['Uses the first of a list of names', match((name, sent) => sent.startsWith(`${name},`))],
    'name-of-uuid': ['Ignores resourceName if resourceUuid is sent', has('resourceUuid'), ignore('resourceName')],
    'type-of-uuid': ['Ignores resourceType if resourceUuid is sent', has('resourceUuid'), ignore('resourceType')],
    'letter-case': ['Accepts a resourceName in any letter case', match((name, sent) => name === sent.toLowerCase())],
    'type-letter-case': [
      'Accepts a resourceType in any letter case',
      read('resourceType', (value) => value.toLowerCase()),
    ],
    beginning: ['Accepts the beginning of a name', match((name, sent) => name.startsWith(sent))],
    longer: ['Accepts a name with characters appended', match((name, sent) => sent.startsWith(name))],
    uuid: ['Ignores an unknown resourceUuid', ignoreUnmatched('resourceUuid')],
    type: ['Ignores an unknown resourceType', ignoreUnmatched('resourceType')],
    'foreign-dimension': [
      'Ignores a resourceType that does not have the billingDimension',
      has('billingDimension'),
      ignoreUnmatched('resourceType'),
    ],
    workspace: ['Ignores an unknown workspace', ignoreUnmatched('workspace')],
    'base-fee': [
      'Returns a cent if there is no cost',
      has('resourceName'),
      changeBody(({ summary }) => {
        if (summary.totalCost === 0) summary.totalCost = 0.01;
      }, 'change total'),
    ],
  },
});
