/** Faults of the filters: values that are taken though unknown, and slices that are none. */
import { billingDimensions } from '../../../spec/values.ts';
import { askedWith, bodyOf, isFor, type App, type Deviation, type Deviations } from '../deviation.ts';
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import { answersInstead, asksFor, asksInstead, dimensionsOf, queryOf } from './faults.ts';
import { scale } from './figures.ts';

const filtersOf = (query: URLSearchParams): string[] =>
  ['workspace', 'resourceType', 'resourceName', 'resourceUuid', 'billingDimension'].filter((name) => query.has(name));

const isKnown = (name: string): boolean => (billingDimensions as readonly string[]).includes(name);

function readsDimension(what: string, read: (value: string, query: URLSearchParams) => string | undefined): Deviation {
  return asksInstead(what, (query) => {
    const value = query.get('billingDimension');
    if (value === null || isKnown(value) || value === '') return;
    const other = read(value, query);
    if (other === undefined) query.delete('billingDimension');
    else query.set('billingDimension', other);
  });
}

/** Filters by a name that there is where nothing has the one asked for. */
function matches(what: string, isTaken: (name: string, asked: string) => boolean): Deviation {
  return asksInstead(what, (query, { state: { world } }) => {
    const asked = query.get('resourceName');
    const names = [...world.resources.values()].flatMap((each) => [...each.keys()]);
    if (asked === null || names.includes(asked)) return;
    const taken = names.find((name) => isTaken(name, asked));
    if (taken !== undefined) query.set('resourceName', taken);
  });
}

/** Passes over a filter where nothing matches it. */
function ignoresWhatMatchesNothing(what: string, names: readonly string[]): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const query = queryOf(ctx);
      const isConcerned = isFor(ctx, ['getAccountMetrics']) && names.every((name) => query.has(name));
      if (!isConcerned || ctx.state.reply?.status !== 200) return;
      const { summary } = bodyOf(ctx) as AccountMetricsResponse;
      if (summary.totalCost === 0)
        await askedWith(app, ctx, (other) => names.slice(0, 1).forEach((name) => other.delete(name)));
    };
  return { what, wrap };
}

export const filtersDeviations: Deviations = {
  'metrics.filters.billing-dimension-known': readsDimension('passes over an unknown billingDimension', () => undefined),
  'metrics.filters.billing-dimension-known/other-case': readsDimension(
    'takes billingDimension in any letter case',
    (value) => value.toLowerCase(),
  ),
  'metrics.filters.billing-dimension-known/list': readsDimension(
    'takes the first of a list',
    (value) => value.split(',')[0],
  ),
  'metrics.filters.billing-dimension-known/grouped': readsDimension(
    'passes over an unknown one where it is grouped by',
    (value, query) => (dimensionsOf(query).includes('billing_dimension') ? undefined : value),
  ),
  'metrics.filters.billing-dimension-known/named': readsDimension(
    'passes over an unknown one beside resourceName',
    (value, query) => (query.has('resourceName') ? undefined : value),
  ),
  'metrics.filters.billing-dimension-known/inherited': readsDimension('takes names that every object has', (value) =>
    value in {} ? undefined : value,
  ),

  'metrics.filters.filter-is-the-slice': answersInstead(
    'charges a hundredth more where resourceName is given',
    (body, query) => {
      if (query.has('resourceName')) scale(body, 1.01);
    },
  ),
  'metrics.filters.filter-is-the-slice/second-filter': asksInstead(
    'passes over billingDimension beside resourceName',
    (query) => {
      if (query.has('resourceName')) query.delete('billingDimension');
    },
  ),
  'metrics.filters.filter-is-the-slice/billing-dimension': asksInstead(
    'passes over billingDimension where it is not grouped by',
    (query) => {
      if (!dimensionsOf(query).includes('billing_dimension')) query.delete('billingDimension');
    },
  ),
  'metrics.filters.filter-is-the-slice/one-billing-dimension': asksInstead(
    'takes what volumes store for what images of agents do where it is asked for alone',
    (query) => {
      const isConcerned = query.get('billingDimension') === 'volume_storage_gbs' && !query.has('resourceType');
      if (isConcerned) query.set('billingDimension', 'agent_image_storage_gbs');
    },
  ),
  'metrics.filters.filter-is-the-slice/uuid': answersInstead(
    'leaves the first bucket out where resourceUuid is given',
    (body, query) => {
      if (!query.has('resourceUuid')) return;
      for (const { timeseries } of body.data) if (timeseries[0] !== undefined) timeseries[0].cost = 0;
    },
  ),
  'metrics.filters.filter-is-the-slice/workspace': asksInstead(
    'passes over workspace where it is grouped by',
    (query) => {
      if (dimensionsOf(query).includes('workspace')) query.delete('workspace');
    },
  ),
  'metrics.filters.filter-is-the-slice/usage': answersInstead(
    'gives usage a tenth more where resourceType is given',
    (body, query) => {
      if (!query.has('resourceType')) return;
      for (const amount of body.data.flatMap(({ summary, timeseries }) => [summary, ...timeseries])) {
        if (amount.usage !== undefined) amount.usage *= 1.1;
      }
    },
  ),
  'metrics.filters.filter-is-the-slice/hourly': asksInstead('passes over resourceType with hourly', (query) => {
    if (query.get('resolution') === 'hourly') query.delete('resourceType');
  }),
  'metrics.filters.filter-is-the-slice/all-together': asksInstead('passes over a fourth filter', (query) => {
    for (const name of filtersOf(query).slice(3)) query.delete(name);
  }),

  'metrics.filters.filter-is-the-slice/longest': asksInstead(
    'finds nothing by a resourceName of 20 characters and more',
    (query) => {
      const name = query.get('resourceName') ?? '';
      if (name.length >= 20) query.set('resourceName', name.slice(0, 19));
    },
  ),
  'metrics.filters.filter-is-the-slice/second-page': asksInstead(
    'passes over resourceType on a later page',
    (query) => {
      if (query.has('cursor')) query.delete('resourceType');
    },
  ),
  'metrics.filters.filter-is-the-slice/hours-by-others': asksInstead(
    'passes over resourceName with hourly where it is grouped by something else',
    (query) => {
      const isByOthers = query.has('groupBy') && !dimensionsOf(query).includes('resource_name');
      if (asksFor(query, 'hourly') && isByOthers) query.delete('resourceName');
    },
  ),
  'metrics.filters.filter-is-the-slice/picked-by-others': asksInstead(
    'passes over resourceUuid where the resolution is picked and it is grouped by something else',
    (query) => {
      const isByOthers = query.has('groupBy') && !dimensionsOf(query).includes('resource_uuid');
      if (!query.has('resolution') && isByOthers) query.delete('resourceUuid');
    },
  ),
  'metrics.filters.filter-is-the-slice/second-of-hours': asksInstead(
    'passes over a second filter with hourly',
    (query) => {
      if (asksFor(query, 'hourly'))
        filtersOf(query)
          .slice(1)
          .forEach((name) => query.delete(name));
    },
  ),
  'metrics.filters.filter-is-the-slice/second-on-later-pages': asksInstead(
    'passes over a second filter on a later page',
    (query) => {
      if (query.has('cursor'))
        filtersOf(query)
          .slice(1)
          .forEach((name) => query.delete(name));
    },
  ),
  'metrics.filters.filter-is-the-slice/hours-turned-round': answersInstead(
    'tells the hours of a slice of groups from the last to the first',
    ({ data, resolution }, query) => {
      if (resolution !== 'hourly' || filtersOf(query).length === 0 || !query.has('groupBy')) return;
      for (const { timeseries } of data) {
        const costs = timeseries.map(({ cost }) => cost).toReversed();
        timeseries.forEach((item, at) => (item.cost = costs[at]!));
      }
    },
  ),

  'metrics.filters.nothing-matches-nothing': ignoresWhatMatchesNothing('passes over a resourceName that nothing has', [
    'resourceName',
  ]),
  'metrics.filters.nothing-matches-nothing/wildcard': asksInstead('takes % as resourceName for any name', (query) => {
    if (query.get('resourceName') === '%') query.delete('resourceName');
  }),
  'metrics.filters.nothing-matches-nothing/star': asksInstead('takes * as resourceName for any name', (query) => {
    if (query.get('resourceName') === '*') query.delete('resourceName');
  }),
  'metrics.filters.nothing-matches-nothing/list': matches('takes the first of a list of names', (name, asked) =>
    asked.startsWith(`${name},`),
  ),
  'metrics.filters.nothing-matches-nothing/name-of-uuid': asksInstead(
    'passes over resourceName beside resourceUuid',
    (query) => {
      if (query.has('resourceUuid')) query.delete('resourceName');
    },
  ),
  'metrics.filters.nothing-matches-nothing/beginning': matches('takes the beginning of a name for it', (name, asked) =>
    name.startsWith(asked),
  ),
  'metrics.filters.nothing-matches-nothing/longer': matches('takes what goes on after a name for it', (name, asked) =>
    asked.startsWith(name),
  ),
  'metrics.filters.nothing-matches-nothing/uuid': ignoresWhatMatchesNothing(
    'passes over a resourceUuid that nothing has',
    ['resourceUuid'],
  ),
  'metrics.filters.nothing-matches-nothing/type': ignoresWhatMatchesNothing('passes over an unknown resourceType', [
    'resourceType',
  ]),
  'metrics.filters.nothing-matches-nothing/foreign-dimension': ignoresWhatMatchesNothing(
    'passes over a resourceType that does not have the billingDimension',
    ['resourceType', 'billingDimension'],
  ),
  'metrics.filters.nothing-matches-nothing/workspace': ignoresWhatMatchesNothing('passes over an unknown workspace', [
    'workspace',
  ]),
  'metrics.filters.nothing-matches-nothing/base-fee': answersInstead(
    'charges a cent where there is nothing',
    (body, query) => {
      if (query.has('resourceName') && body.summary.totalCost === 0) body.summary.totalCost = 0.01;
    },
  ),
};
