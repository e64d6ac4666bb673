/** Faults of the arithmetic: answers that do not add up, in themselves or with each other. */
import { deviationsOf } from '../table.ts';
import { randomUUID } from 'node:crypto';
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import { askedWith, bodyOf, isFor, repliesWith, type App, type Deviation, type Deviations } from '../deviation.ts';
import { answersInstead, DAY, dimensionsOf, HOUR, isGrouped, lengthOf, queryOf, type Entry } from './faults.ts';
import { dearest, scale, takeAway } from './figures.ts';

const has = (query: URLSearchParams, name: string): boolean => dimensionsOf(query).includes(name);

function exchangeEnds({ timeseries }: Entry): void {
  const [first, last] = [timeseries[0], timeseries.at(-1)];
  if (first === undefined || last === undefined) return;
  [first.cost, last.cost] = [last.cost, first.cost];
}

type Item = Entry['timeseries'][number];

function moveCost(from: Item | undefined, to: Item | undefined): void {
  if (from === undefined || to === undefined) return;
  [from.cost, to.cost] = [0, from.cost + to.cost];
}

/** Answers the question that was asked just before as another one: `concerns` says which are told apart. */
function whenRepeated(
  what: string,
  concerns: (query: URLSearchParams) => boolean,
  edit: Parameters<typeof answersInstead>[1],
): Deviation {
  const changed = answersInstead(what, edit);
  const wrap = (app: App): App => {
    const [asUsual, otherwise] = [app, changed.wrap(app)];
    let before = '';
    return (ctx) => {
      const isRepeated = ctx.url === before && concerns(new URLSearchParams(ctx.querystring));
      before = ctx.url;
      return isRepeated ? otherwise(ctx) : asUsual(ctx);
    };
  };
  return { what, wrap };
}

function startsAfterMidnight(query: URLSearchParams): boolean {
  return Date.parse(query.get('startTime') ?? '') % DAY !== 0;
}

function loseGroups(body: AccountMetricsResponse): void {
  body.data = [];
  body.summary.totalCost = 0;
  if (body.summary.totalUsage !== undefined) body.summary.totalUsage = 0;
  body.meta = { hasMore: false, nextCursor: '' };
}

/** Where the filter leaves some cost. */
function totalsWithout(what: string, filter: string): Deviation {
  return repliesWith(what, async (reply, ctx, app) => {
    if (reply.status !== 200 || !isFor(ctx, ['getAccountMetrics']) || !queryOf(ctx).has(filter)) return undefined;
    const own = bodyOf(ctx) as AccountMetricsResponse;
    if (own.summary.totalCost === 0) return undefined;
    await askedWith(app, ctx, (query) => ['cursor', filter].forEach((name) => query.delete(name)));
    return { ...reply, body: { ...own, summary: (bodyOf(ctx) as AccountMetricsResponse).summary } };
  });
}

function doublesTotalUsage(
  what: string,
  concerns: (body: AccountMetricsResponse, query: URLSearchParams) => boolean,
): Deviation {
  return answersInstead(what, (body, query) => {
    if (body.summary.totalUsage !== undefined && concerns(body, query)) body.summary.totalUsage *= 2;
  });
}

export const sumsDeviations: Deviations = deviationsOf({
  'metrics.sums.total-is-sum-of-groups': {
    '': answersInstead('leaves the last group of the page out of totalCost', (body, query) => {
      if (isGrouped(query) && body.data.length > 1) body.summary.totalCost -= body.data.at(-1)!.summary.cost;
    }),
    running: answersInstead('adds up what the pages until now have, for totalCost', (body, query) => {
      if (!body.meta.hasMore && !query.has('cursor')) return;
      const own = body.data.reduce((sum, { summary }) => sum + summary.cost, 0);
      body.summary.totalCost = query.has('cursor') ? own * 2 : own;
    }),
    cents: answersInstead('gives totalCost in whole dollars with weekly', (body) => {
      if (body.resolution === 'weekly') body.summary.totalCost = Math.ceil(body.summary.totalCost);
    }),
    filtered: answersInstead('adds a tenth to totalCost where resourceType is given', (body, query) => {
      if (query.has('resourceType')) body.summary.totalCost *= 1.1;
    }),
    'all-workspaces': totalsWithout('gives the total of all workspaces where one is given and has cost', 'workspace'),
    'all-names': totalsWithout('gives the total of all names where one is given and has cost', 'resourceName'),
    'all-instances': totalsWithout('gives the total of all instances where one is given and has cost', 'resourceUuid'),
    'short-pages': answersInstead(
      'leaves the last group out of totalCost where limit is under 20',
      ({ summary, data }, query) => {
        if (query.has('limit') && Number(query.get('limit')) < 20 && data.length > 1)
          summary.totalCost -= data.at(-1)!.summary.cost;
      },
    ),
    picked: answersInstead('adds a tenth to totalCost of groups where the resolution is picked', (body, query) => {
      if (isGrouped(query) && !query.has('resolution')) body.summary.totalCost *= 1.1;
    }),
  },

  'metrics.sums.group-is-sum-of-buckets': {
    '': answersInstead('counts the last week of an instance twice', (body, query) => {
      if (body.resolution !== 'weekly' || !has(query, 'resource_uuid')) return;
      for (const { timeseries } of body.data) if (timeseries.length > 0) timeseries.at(-1)!.cost *= 2;
    }),
    usage: answersInstead('leaves the first week out of the usage of a group', (body) => {
      if (body.resolution !== 'weekly') return;
      for (const { summary, timeseries } of body.data) {
        if (summary.usage !== undefined) summary.usage -= timeseries[0]?.usage ?? 0;
      }
    }),
    'one-group': answersInstead('lets the tenth group of a page cost a thousandth more than its buckets', (body) => {
      const tenth = body.data[9];
      if (tenth !== undefined && body.resolution === 'weekly') tenth.summary.cost *= 1.001;
    }),
    filtered: answersInstead('doubles the weeks of a group where resourceName or workspace is given', (body, query) => {
      if (body.resolution !== 'weekly' || !(query.has('resourceName') || query.has('workspace'))) return;
      for (const item of body.data.flatMap(({ timeseries }) => timeseries)) item.cost *= 2;
    }),
  },

  'metrics.sums.total-independent-of-group-by': {
    '': answersInstead('leaves the dearest group of two dimensions out with monthly', (body, query) => {
      if (body.resolution !== 'monthly' || query.get('groupBy') !== 'resource_type,billing_dimension') return;
      takeAway(body, dearest(body));
    }),
    'no-groups': answersInstead('has no groups, whatever they are of', (body, query) => {
      if (query.has('groupBy')) loseGroups(body);
    }),
    'no-finest-groups': answersInstead('has no groups of three dimensions', (body, query) => {
      if (dimensionsOf(query).length === 3) loseGroups(body);
    }),
    types: answersInstead('charges a type more than nothing grouped', (body, query) => {
      if (body.resolution === 'monthly' && query.get('groupBy') === 'resource_type') scale(body, 1.01);
    }),
    instances: answersInstead('charges instances more than their account', (body, query) => {
      if (body.resolution === 'monthly' && has(query, 'resource_uuid')) scale(body, 1.01);
    }),
    picked: answersInstead(
      'charges groups of several dimensions twice where the resolution is picked',
      (body, query) => {
        if (dimensionsOf(query).length > 1 && !query.has('resolution')) scale(body, 2);
      },
    ),
  },

  'metrics.sums.coarser-is-sum-of-finer': {
    '': answersInstead('exchanges the first and the last hour with three dimensions', (body, query) => {
      if (body.resolution === 'hourly' && dimensionsOf(query).length === 3) body.data.forEach(exchangeEnds);
    }),
    'two-groups': answersInstead('charges the first workspace for the second one', (body, query) => {
      const [first, second] = body.data;
      if (query.get('groupBy') !== 'workspace' || first === undefined || second === undefined) return;
      [first.workspace, second.workspace] = [second.workspace!, first.workspace!];
    }),
    usage: answersInstead('counts usage of a type twice', (body, query) => {
      if (!has(query, 'resource_type') || query.has('billingDimension')) return;
      for (const amount of body.data.flatMap(({ summary, timeseries }) => [summary, ...timeseries])) {
        if (amount.usage !== undefined) amount.usage *= 2;
      }
    }),
    picked: answersInstead(
      'exchanges the first and the last bucket with three dimensions where the resolution is picked',
      (body, query) => {
        if (dimensionsOf(query).length === 3 && !query.has('resolution')) body.data.forEach(exchangeEnds);
      },
    ),
  },

  'metrics.sums.split-windows-add-up': {
    '': answersInstead('charges a thousandth more for more than a day', (body, query) => {
      if (lengthOf(query) > DAY) scale(body, 1.001);
    }),
    start: answersInstead('charges a hundredth less for what begins after midnight', (body, query) => {
      if (startsAfterMidnight(query)) scale(body, 0.99);
    }),
    months: answersInstead('gives a discount for more than one month', (body) => {
      const months = body.data[0]?.timeseries.length ?? 0;
      if (body.resolution === 'monthly' && months > 1) scale(body, 0.999);
    }),
    edge: answersInstead('has the cost of the first hour in the second', (body) => {
      if (body.resolution === 'hourly') body.data.forEach(({ timeseries: [first, second] }) => moveCost(first, second));
    }),
  },

  'metrics.sums.resolutions-agree': {
    '': answersInstead('exchanges the first and the last day', (body) => {
      if (body.resolution === 'daily') body.data.forEach(exchangeEnds);
    }),
    weekly: answersInstead('charges a thousandth more with weekly', (body) => {
      if (body.resolution === 'weekly') scale(body, 1.001);
    }),
    monthly: answersInstead('charges a thousandth more with monthly', (body) => {
      if (body.resolution === 'monthly') scale(body, 1.001);
    }),
    'hourly-by-type': answersInstead('exchanges the first and the last hour of types', (body, query) => {
      if (body.resolution === 'hourly' && query.get('groupBy') === 'resource_type') body.data.forEach(exchangeEnds);
    }),
  },

  'metrics.sums.total-usage': {
    '': answersInstead('gives twice the usage as totalUsage where billingDimension is given', (body, query) => {
      if (query.has('billingDimension') && body.summary.totalUsage !== undefined) body.summary.totalUsage *= 2;
    }),
    'several-groups': answersInstead('leaves the last of several groups out of totalUsage', (body) => {
      const { summary, data } = body;
      if (summary.totalUsage !== undefined && data.length > 1) summary.totalUsage -= data.at(-1)!.summary.usage ?? 0;
    }),
    hours: answersInstead('gives totalUsage of custom domains in seconds', (body, query) => {
      const isHours = query.get('billingDimension') === 'custom_domain_active_time_hours';
      if (isHours && body.summary.totalUsage !== undefined) body.summary.totalUsage *= 3600;
    }),
    hourly: doublesTotalUsage(
      'gives twice the usage as totalUsage with hourly',
      ({ resolution }) => resolution === 'hourly',
    ),
    monthly: doublesTotalUsage(
      'gives twice the usage as totalUsage with monthly',
      ({ resolution }) => resolution === 'monthly',
    ),
    'second-filter': doublesTotalUsage(
      'gives twice the usage as totalUsage where a resourceName is beside billingDimension',
      (_, query) => query.has('resourceName') && query.has('billingDimension'),
    ),
  },

  'metrics.sums.past-is-stable': {
    '': whenRepeated(
      'charges a thousandth more when asked again',
      (query) => !query.has('cursor'),
      (body) => scale(body, 1.001),
    ),
    'one-group-less': whenRepeated(
      'forgets a group when asked again',
      (query) => isGrouped(query) && !query.has('cursor'),
      (body) => takeAway(body, body.data.at(-1)),
    ),
    instances: answersInstead('makes up the ids of instances at each question', ({ data }) => {
      for (const entry of data) if (entry.resourceUuid) entry.resourceUuid = randomUUID();
    }),
    buckets: whenRepeated(
      'moves cost to other buckets when asked again',
      (query) => !query.has('cursor'),
      (body) => body.data.forEach(exchangeEnds),
    ),
  },

  'metrics.sums.inner-window-not-more': {
    '': answersInstead('charges fifty times as much for what does not begin on the hour', (body, query) => {
      if (Date.parse(query.get('startTime') ?? '') % HOUR !== 0) scale(body, 50);
    }),
    end: answersInstead('charges a tenth more for what does not end on the hour', (body, query) => {
      if (Date.parse(query.get('endTime') ?? '') % HOUR !== 0) scale(body, 1.1);
    }),
    // Splitting a window into hours shows this as well.
    'one-hour': answersInstead('charges a single hour as a day', (body, query) => {
      if (lengthOf(query) === HOUR) scale(body, 48);
    }),
  },
});
