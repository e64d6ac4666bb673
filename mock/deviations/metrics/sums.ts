/** Deviations of the arithmetic: responses whose figures do not agree, within one response or with each other. */
import type { Effect } from '../deviation.ts';
import { across, type Table } from '../table.ts';
import { randomUUID } from 'node:crypto';
import { runWith, bodyOf, isFor } from '../../wrap/wrapping.ts';
import { all, any, not, whenQuery } from '../conditions.ts';
import {
  DAY,
  dimensionCount,
  groupByIs,
  grouped,
  groupedBy,
  has,
  HOUR,
  inBuckets,
  is,
  lacks,
  laterPage,
  limit,
  longerThan,
  pickedResolution,
  response,
  startOf,
  windowLength,
} from './conditions.ts';
import {
  changeBody,
  changeBuckets,
  changeEntries,
  METRICS,
  removeEntry,
  scale,
  scaleTotalUsage,
  scaleUsage,
  type Body,
  type Bucket,
  type Entry,
} from './effects.ts';

const severalDimensions = dimensionCount(2, Infinity);
const firstPage = not(laterPage);
const startsAfterMidnight = whenQuery('for windows that start after midnight', (query) => startOf(query) % DAY !== 0);
const startsWithinHour = whenQuery('for windows that start within an hour', (query) => startOf(query) % HOUR !== 0);
const endsWithinHour = whenQuery(
  'for windows that end within an hour',
  (query) => Date.parse(query.get('endTime') ?? '') % HOUR !== 0,
);
const oneHour = whenQuery('for windows of one hour', (query) => windowLength(query) === HOUR);

const dropLastCost = changeBody(({ summary, data }) => {
  if (data.length > 1) summary.totalCost -= data.at(-1)!.summary.cost;
}, 'change total');
const dropGroups = changeBody((body) => {
  body.data = [];
  body.summary.totalCost = 0;
  if (body.summary.totalUsage !== undefined) body.summary.totalUsage = 0;
  body.meta = { hasMore: false, nextCursor: '' };
}, 'drop entries');
const swapEndCosts = changeEntries(({ timeseries }: Entry) => {
  const [first, last] = [timeseries[0], timeseries.at(-1)];
  if (first !== undefined && last !== undefined) [first.cost, last.cost] = [last.cost, first.cost];
});

const severalBuckets = response('of several buckets', ({ data: [entry] }) => (entry?.timeseries.length ?? 0) > 1);
const changeTotal = (edit: (cost: number) => number): Effect =>
  changeBody(({ summary }) => (summary.totalCost = edit(summary.totalCost)), 'change total');
const changeGroupUsage = (edit: (usage: number, buckets: readonly Bucket[]) => number): Effect =>
  changeEntries(({ summary, timeseries }) => {
    if (summary.usage !== undefined) summary.usage = edit(summary.usage, timeseries);
  });

/** Applies the effect only to a request with the same URL as the one before. */
const whenRepeated = (effect: Effect): Effect => ({
  kind: `${effect.kind} when repeated`,
  wrap: (app, applies) => {
    let previous = '';
    const changed = effect.wrap(app, () => true);
    return (ctx) => {
      const isRepeated = ctx.url === previous && applies(ctx);
      previous = ctx.url;
      return isRepeated ? changed(ctx) : app(ctx);
    };
  },
});

/** Returns the totals of a request without this filter, unless the filtered cost is zero. */
const totalsWithout = (filter: string): Effect => ({
  kind: 'change total',
  wrap: (app, applies) => async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply?.status !== 200 || !isFor(ctx, METRICS) || !applies(ctx)) return;
    const body = bodyOf(ctx) as Body;
    if (body.summary.totalCost === 0) return;
    await runWith(app, ctx, (query) => ['cursor', filter].forEach((name) => query.delete(name)));
    ctx.state.reply = { ...reply, body: { ...body, summary: (bodyOf(ctx) as Body).summary } };
  },
});

export const sumsDeviations: Table = {
  'metrics.sums.total-is-sum-of-groups': {
    ...across(
      [
        grouped,
        all(
          has('limit'),
          limit('below 20', (count) => count < 20),
        ),
      ],
      {
        'omits the last group of the page from totalCost': dropLastCost,
      },
    ),
    'returns the sum of the pages so far as totalCost': changeBody((body, query) => {
      if (!body.meta.hasMore && !query.has('cursor')) return;
      const sum = body.data.reduce((total, { summary }) => total + summary.cost, 0);
      body.summary.totalCost = query.has('cursor') ? sum * 2 : sum;
    }, 'change total'),
    'rounds totalCost up to whole dollars for weekly': [inBuckets('weekly'), changeTotal(Math.ceil)],
    'rounds totalCost to cents, but not the costs of groups': changeTotal((cost) => Math.round(cost * 100) / 100),
    ...across([has('resourceType'), all(grouped, pickedResolution)], {
      'adds a tenth to totalCost': changeTotal((cost) => cost * 1.1),
    }),
    'returns the total of all workspaces if one with cost is requested': totalsWithout('workspace'),
    'returns the total of all names if one with cost is requested': totalsWithout('resourceName'),
    'returns the total of all instances if one with cost is requested': totalsWithout('resourceUuid'),
  },
  'metrics.sums.group-is-sum-of-buckets': {
    'doubles the last weekly bucket of an instance': [
      all(inBuckets('weekly'), groupedBy('resource_uuid')),
      changeEntries(({ timeseries }) => {
        if (timeseries.length > 0) timeseries.at(-1)!.cost *= 2;
      }),
    ],
    'omits the first weekly bucket from the usage of a group': [
      inBuckets('weekly'),
      changeGroupUsage((usage, [first]) => usage - (first?.usage ?? 0)),
    ],
    'rounds the usage of groups to whole numbers, but not that of buckets': changeGroupUsage((usage) =>
      Math.round(usage),
    ),
    'adds a thousandth to the cost of the tenth group of a page': [
      inBuckets('weekly'),
      changeBody(({ data: { 9: tenth } }) => tenth && (tenth.summary.cost *= 1.001)),
    ],
    'doubles weekly buckets if resourceName or workspace is sent': [
      all(inBuckets('weekly'), any(has('resourceName'), has('workspace'))),
      changeBuckets((bucket) => (bucket.cost *= 2)),
    ],
  },
  'metrics.sums.total-independent-of-group-by': {
    'omits the most expensive monthly group of two dimensions': [
      all(inBuckets('monthly'), groupByIs('resource_type', 'billing_dimension')),
      changeBody(
        (body) => removeEntry(body, body.data.toSorted((a, b) => b.summary.cost - a.summary.cost)[0]),
        'drop entry',
      ),
    ],
    ...across([grouped, dimensionCount(3)], { 'returns no groups': dropGroups }),
    ...across([groupByIs('resource_type'), groupedBy('resource_uuid')], {
      'returns higher monthly figures': [inBuckets('monthly'), scale(1.01)],
    }),
    'doubles the figures of several dimensions if it picks the resolution': [
      all(severalDimensions, pickedResolution),
      scale(2),
    ],
  },
  'metrics.sums.coarser-is-sum-of-finer': {
    ...across([inBuckets('hourly'), pickedResolution], {
      'swaps the costs of the first and last bucket for three dimensions': [dimensionCount(3), swapEndCosts],
    }),
    'swaps the names of the first two workspaces': [
      groupByIs('workspace'),
      changeBody(({ data: [first, second] }) => {
        if (first !== undefined && second !== undefined)
          [first.workspace, second.workspace] = [second.workspace!, first.workspace!];
      }),
    ],
    'doubles the usage of a resource type': [all(groupedBy('resource_type'), lacks('billingDimension')), scaleUsage(2)],
  },
  'metrics.sums.split-windows-add-up': {
    'adds a thousandth to figures of more than a day': [longerThan(1), scale(1.001)],
    'subtracts a hundredth from figures of windows that start after midnight': [startsAfterMidnight, scale(0.99)],
    'subtracts a thousandth from figures of more than one month': [
      all(inBuckets('monthly'), severalBuckets),
      scale(0.999),
    ],
    'moves the cost of the first hour to the second': [
      inBuckets('hourly'),
      changeEntries(({ timeseries: [first, second] }) => {
        if (first !== undefined && second !== undefined) [first.cost, second.cost] = [0, first.cost + second.cost];
      }),
    ],
    'adds a tenth to the usage of windows of more than ten days': [longerThan(10), scaleUsage(1.1)],
  },
  'metrics.sums.resolutions-agree': {
    ...across([inBuckets('daily'), all(inBuckets('hourly'), groupByIs('resource_type'))], {
      'swaps the costs of the first and last bucket': swapEndCosts,
    }),
    ...across([inBuckets('weekly'), inBuckets('monthly')], { 'adds a thousandth to figures': scale(1.001) }),
  },
  'metrics.sums.total-usage': {
    ...across(
      [has('billingDimension'), inBuckets('hourly'), inBuckets('monthly'), has('resourceName', 'billingDimension')],
      { 'doubles totalUsage': scaleTotalUsage(2) },
    ),
    'omits the last group from totalUsage': changeBody(({ summary, data }) => {
      if (summary.totalUsage !== undefined && data.length > 1) summary.totalUsage -= data.at(-1)!.summary.usage ?? 0;
    }, 'change total'),
    'returns totalUsage of custom domains in seconds': [
      is('billingDimension', 'custom_domain_active_time_hours'),
      scaleTotalUsage(3600),
    ],
  },
  'metrics.sums.past-is-stable': {
    ...across([firstPage], {
      'adds a thousandth to the figures of a repeated request': whenRepeated(scale(1.001)),
      'moves costs to other buckets for a repeated request': whenRepeated(swapEndCosts),
    }),
    'omits a group from the response to a repeated request': [
      all(grouped, firstPage),
      whenRepeated(changeBody((body) => removeEntry(body, body.data.at(-1)), 'drop entry')),
    ],
    'generates new ids of instances for each request': changeEntries(
      (entry) => entry.resourceUuid && (entry.resourceUuid = randomUUID()),
    ),
  },
  'metrics.sums.inner-window-not-more': {
    'multiplies figures by 50 if the window does not start on the hour': [startsWithinHour, scale(50)],
    'adds a tenth to figures if the window does not end on the hour': [endsWithinHour, scale(1.1)],
    // Splitting a window into hours detects this too.
    'multiplies the figures of a single hour by 48': [oneHour, scale(48)],
  },
};
