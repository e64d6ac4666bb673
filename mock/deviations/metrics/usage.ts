/** Deviations of cost and usage: missing, present where they must not be, or not numbers. */
import { across, type Table } from '../table.ts';
import { all, any, not } from '../conditions.ts';
import {
  dimensionAt,
  dimensionCount,
  groupByIs,
  groupedBy,
  has,
  inBuckets,
  is,
  laterPage,
  pickedResolution,
} from './conditions.ts';
import { changeBody, changeBuckets, changeEntries, changeSummaries, type Bucket, type Entry } from './effects.ts';

const withUsage = groupedBy('billing_dimension');
const withoutUsage = not(withUsage);

const dropTotalUsage = changeBody(({ summary }) => delete summary.totalUsage, 'drop field');
const addTotalUsage = (value: number) => changeBody(({ summary }) => (summary.totalUsage ??= value), 'add field');
const dropBucketUsage = changeBuckets((bucket) => delete bucket.usage);
const usageFromCost = (amount: { cost: number; usage?: number }) => (amount.usage = amount.cost * 1000);
/** Of groups of async requests, whose unit is count. */
const changeCounts = (edit: (entry: Entry) => void) =>
  changeEntries((entry) => {
    if (entry.billingDimension === 'agent_async_requests_count') edit(entry);
  });
const scaleCount = (amount: { usage?: number }, factor: number) => {
  if (amount.usage !== undefined) amount.usage *= factor;
};
const addUsage = changeSummaries(usageFromCost);

export const usageDeviations: Table = {
  'metrics.cost.always-there': {
    'returns a credit in the first weekly bucket of an instance': [
      all(inBuckets('weekly'), groupedBy('resource_uuid')),
      changeEntries(({ timeseries: [first, second] }) => {
        if (first === undefined || second === undefined) return;
        second.cost += first.cost + 1;
        first.cost = -1;
      }),
    ],
    // A cost that is missing or not a number also breaks sums and the schema.
    'omits cost from buckets without activity': changeBuckets(
      (bucket: Partial<Bucket>) => bucket.cost === 0 && delete bucket.cost,
    ),
    'returns cost as a string on later pages': [
      laterPage,
      changeSummaries((summary) => (summary.cost = summary.cost.toFixed(6) as never)),
    ],
    'returns null as the cost of a workspace': [
      groupByIs('workspace'),
      changeSummaries((summary) => (summary.cost = null as never)),
    ],
  },
  'metrics.usage.with-billing-dimension': {
    ...across([dimensionCount(3), has('resourceType'), all(dimensionCount(3), dimensionAt(0, 'billing_dimension'))], {
      'omits totalUsage': dropTotalUsage,
    }),
    'omits usage from buckets without usage': changeBuckets((bucket) => bucket.usage === 0 && delete bucket.usage),
    'omits usage of groups on later pages': [laterPage, changeSummaries((summary) => delete summary.usage)],
    'omits totalUsage if it is zero': changeBody(
      ({ summary }) => summary.totalUsage === 0 && delete summary.totalUsage,
      'drop field',
    ),
    ...across([inBuckets('monthly'), pickedResolution], { 'omits usage from buckets': dropBucketUsage }),
  },
  'metrics.usage.absent-otherwise': {
    'returns totalUsage 0 if billing_dimension is not grouped by': addTotalUsage(0),
    ...across([groupByIs('resource_type'), all(groupByIs('resource_type', 'resource_name'), has('resourceType'))], {
      'returns usage of groups': addUsage,
    }),
    'returns usage of buckets if billingDimension is sent': [
      all(has('billingDimension'), withoutUsage),
      changeBuckets(usageFromCost),
    ],
    'returns totalUsage of resource types that have one billing dimension': [
      all(withoutUsage, any(is('resourceType', 'volume'), is('resourceType', 'custom_domain'))),
      addTotalUsage(12),
    ],
    'returns null as usage in weekly buckets': [
      all(inBuckets('weekly'), withoutUsage),
      changeBuckets((bucket) => (bucket.usage = null as never)),
    ],
  },
  'metrics.usage.counts-are-whole': {
    'counts requests in thousands': changeCounts(({ summary, timeseries }) =>
      [summary, ...timeseries].forEach((each) => scaleCount(each, 0.001)),
    ),
    'returns hourly counts that are estimated from a sample': [
      inBuckets('hourly'),
      changeCounts(({ timeseries }) => timeseries.forEach((each) => scaleCount(each, 0.97))),
    ],
    'spreads the requests of a group evenly over its days': [
      inBuckets('daily'),
      changeCounts(({ summary, timeseries }) => {
        for (const each of timeseries) each.usage = (summary.usage ?? 0) / (timeseries.length + 0.5);
      }),
    ],
  },
};
