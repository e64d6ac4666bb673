/** Faults of the filters: values that are taken though unknown, and slices that are none. */
import { deviationsOf } from '../table.ts';
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

export const filtersDeviations: Deviations = deviationsOf({
  'metrics.filters.billing-dimension-known': {
    '': readsDimension('passes over an unknown billingDimension', () => undefined),
    'other-case': readsDimension('takes billingDimension in any letter case', (value) => value.toLowerCase()),
    list: readsDimension('takes the first of a list', (value) => value.split(',')[0]),
    grouped: readsDimension('passes over an unknown one where it is grouped by', (value, query) =>
      dimensionsOf(query).includes('billing_dimension') ? undefined : value,
    ),
    named: readsDimension('passes over an unknown one beside resourceName', (value, query) =>
      query.has('resourceName') ? undefined : value,
    ),
    inherited: readsDimension('takes names that every object has', (value) => (value in {} ? undefined : value)),
  },

  'metrics.filters.filter-is-the-slice': {
    '': answersInstead('charges a hundredth more where resourceName is given', (body, query) => {
      if (query.has('resourceName')) scale(body, 1.01);
    }),
    'second-filter': asksInstead('passes over billingDimension beside resourceName', (query) => {
      if (query.has('resourceName')) query.delete('billingDimension');
    }),
    'billing-dimension': asksInstead('passes over billingDimension where it is not grouped by', (query) => {
      if (!dimensionsOf(query).includes('billing_dimension')) query.delete('billingDimension');
    }),
    'one-billing-dimension': asksInstead(
      'takes what volumes store for what images of agents do where it is asked for alone',
      (query) => {
        const isConcerned = query.get('billingDimension') === 'volume_storage_gbs' && !query.has('resourceType');
        if (isConcerned) query.set('billingDimension', 'agent_image_storage_gbs');
      },
    ),
    uuid: answersInstead('leaves the first bucket out where resourceUuid is given', (body, query) => {
      if (!query.has('resourceUuid')) return;
      for (const { timeseries } of body.data) if (timeseries[0] !== undefined) timeseries[0].cost = 0;
    }),
    workspace: asksInstead('passes over workspace where it is grouped by', (query) => {
      if (dimensionsOf(query).includes('workspace')) query.delete('workspace');
    }),
    usage: answersInstead('gives usage a tenth more where resourceType is given', (body, query) => {
      if (!query.has('resourceType')) return;
      for (const amount of body.data.flatMap(({ summary, timeseries }) => [summary, ...timeseries])) {
        if (amount.usage !== undefined) amount.usage *= 1.1;
      }
    }),
    hourly: asksInstead('passes over resourceType with hourly', (query) => {
      if (query.get('resolution') === 'hourly') query.delete('resourceType');
    }),
    'all-together': asksInstead('passes over a fourth filter', (query) => {
      for (const name of filtersOf(query).slice(3)) query.delete(name);
    }),
    longest: asksInstead('finds nothing by a resourceName of 20 characters and more', (query) => {
      const name = query.get('resourceName') ?? '';
      if (name.length >= 20) query.set('resourceName', name.slice(0, 19));
    }),
    'second-page': asksInstead('passes over resourceType on a later page', (query) => {
      if (query.has('cursor')) query.delete('resourceType');
    }),
    'hours-by-others': asksInstead(
      'passes over resourceName with hourly where it is grouped by something else',
      (query) => {
        const isByOthers = query.has('groupBy') && !dimensionsOf(query).includes('resource_name');
        if (asksFor(query, 'hourly') && isByOthers) query.delete('resourceName');
      },
    ),
    'picked-by-others': asksInstead(
      'passes over resourceUuid where the resolution is picked and it is grouped by something else',
      (query) => {
        const isByOthers = query.has('groupBy') && !dimensionsOf(query).includes('resource_uuid');
        if (!query.has('resolution') && isByOthers) query.delete('resourceUuid');
      },
    ),
    'second-of-hours': asksInstead('passes over a second filter with hourly', (query) => {
      if (asksFor(query, 'hourly'))
        filtersOf(query)
          .slice(1)
          .forEach((name) => query.delete(name));
    }),
    'second-on-later-pages': asksInstead('passes over a second filter on a later page', (query) => {
      if (query.has('cursor'))
        filtersOf(query)
          .slice(1)
          .forEach((name) => query.delete(name));
    }),
    'hours-turned-round': answersInstead(
      'tells the hours of a slice of groups from the last to the first',
      ({ data, resolution }, query) => {
        if (resolution !== 'hourly' || filtersOf(query).length === 0 || !query.has('groupBy')) return;
        for (const { timeseries } of data) {
          const costs = timeseries.map(({ cost }) => cost).toReversed();
          timeseries.forEach((item, at) => (item.cost = costs[at]!));
        }
      },
    ),
  },

  'metrics.filters.nothing-matches-nothing': {
    '': ignoresWhatMatchesNothing('passes over a resourceName that nothing has', ['resourceName']),
    wildcard: asksInstead('takes % as resourceName for any name', (query) => {
      if (query.get('resourceName') === '%') query.delete('resourceName');
    }),
    star: asksInstead('takes * as resourceName for any name', (query) => {
      if (query.get('resourceName') === '*') query.delete('resourceName');
    }),
    list: matches('takes the first of a list of names', (name, asked) => asked.startsWith(`${name},`)),
    'name-of-uuid': asksInstead('passes over resourceName beside resourceUuid', (query) => {
      if (query.has('resourceUuid')) query.delete('resourceName');
    }),
    beginning: matches('takes the beginning of a name for it', (name, asked) => name.startsWith(asked)),
    longer: matches('takes what goes on after a name for it', (name, asked) => asked.startsWith(name)),
    uuid: ignoresWhatMatchesNothing('passes over a resourceUuid that nothing has', ['resourceUuid']),
    type: ignoresWhatMatchesNothing('passes over an unknown resourceType', ['resourceType']),
    'foreign-dimension': ignoresWhatMatchesNothing(
      'passes over a resourceType that does not have the billingDimension',
      ['resourceType', 'billingDimension'],
    ),
    workspace: ignoresWhatMatchesNothing('passes over an unknown workspace', ['workspace']),
    'base-fee': answersInstead('charges a cent where there is nothing', (body, query) => {
      if (query.has('resourceName') && body.summary.totalCost === 0) body.summary.totalCost = 0.01;
    }),
  },
});
