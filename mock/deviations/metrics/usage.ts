/** Faults of cost and usage: missing, where they must not be, or no numbers. */
import { deviationsOf } from '../table.ts';
import type { Deviations } from '../deviation.ts';
import { answersInstead, dimensionsOf, type Entry } from './faults.ts';

/** The first bucket is negative, the second one makes up for it. */
function credited({ timeseries: [first, second] }: Entry): void {
  if (first === undefined || second === undefined) return;
  second.cost += first.cost + 1;
  first.cost = -1;
}

export const costDeviations: Deviations = deviationsOf({
  'metrics.cost.always-there': {
    '': answersInstead('has a credit in the first of the weeks of an instance', (body, query) => {
      if (body.resolution === 'weekly' && dimensionsOf(query).includes('resource_uuid')) body.data.forEach(credited);
    }),
    // A figure that is missing or no number is no part of a sum either, and fits no schema.
    'quiet-buckets': answersInstead('leaves cost out of buckets without activity', (body) => {
      for (const { timeseries } of body.data) {
        for (const item of timeseries) if (item.cost === 0) delete (item as Partial<typeof item>).cost;
      }
    }),
    'summary-as-text': answersInstead('writes cost as text in later pages', (body, query) => {
      if (!query.has('cursor')) return;
      for (const { summary } of body.data) summary.cost = summary.cost.toFixed(6) as never;
    }),
    'null-by-workspace': answersInstead('has no cost for a workspace', (body, query) => {
      if (query.get('groupBy') !== 'workspace') return;
      for (const { summary } of body.data) summary.cost = null as never;
    }),
  },
});

const hasUsage = (query: URLSearchParams): boolean => dimensionsOf(query).includes('billing_dimension');

export const usageDeviations: Deviations = deviationsOf({
  'metrics.usage.with-billing-dimension': {
    '': answersInstead('gives no totalUsage with three dimensions', (body, query) => {
      if (dimensionsOf(query).length === 3) delete body.summary.totalUsage;
    }),
    'quiet-buckets': answersInstead('leaves usage out of buckets without any', (body) => {
      for (const { timeseries } of body.data) {
        for (const item of timeseries) if (item.usage === 0) delete item.usage;
      }
    }),
    'later-pages': answersInstead('gives no usage of groups on later pages', (body, query) => {
      if (query.has('cursor')) for (const { summary } of body.data) delete summary.usage;
    }),
    filtered: answersInstead('gives no totalUsage where resourceType is given', (body, query) => {
      if (query.has('resourceType')) delete body.summary.totalUsage;
    }),
    monthly: answersInstead('gives no usage of months', (body) => {
      if (body.resolution !== 'monthly') return;
      for (const item of body.data.flatMap(({ timeseries }) => timeseries)) delete item.usage;
    }),
    picked: answersInstead('gives no usage of buckets where the resolution is picked', (body, query) => {
      if (query.has('resolution')) return;
      for (const item of body.data.flatMap(({ timeseries }) => timeseries)) delete item.usage;
    }),
  },

  'metrics.usage.absent-otherwise': {
    '': answersInstead('adds usage of all units up to totalUsage 0', (body) => {
      body.summary.totalUsage ??= 0;
    }),
    types: answersInstead('gives usage of a resource type', (body, query) => {
      if (query.get('groupBy') === 'resource_type')
        for (const { summary } of body.data) summary.usage = summary.cost * 1000;
    }),
    filtered: answersInstead('gives usage where billingDimension is given', (body, query) => {
      if (!query.has('billingDimension') || hasUsage(query)) return;
      for (const item of body.data.flatMap(({ timeseries }) => timeseries)) item.usage = item.cost * 1000;
    }),
    'filtered-names': answersInstead('gives usage of the names of one resource type', (body, query) => {
      if (query.get('groupBy') !== 'resource_type,resource_name' || !query.has('resourceType')) return;
      for (const { summary } of body.data) summary.usage = summary.cost * 1000;
    }),
    'one-unit': answersInstead('gives totalUsage of resource types of one billing dimension', (body, query) => {
      if (!hasUsage(query) && ['volume', 'custom_domain'].includes(query.get('resourceType') ?? ''))
        body.summary.totalUsage ??= 12;
    }),
    null: answersInstead('gives usage null in weekly buckets', (body, query) => {
      if (body.resolution !== 'weekly' || hasUsage(query)) return;
      for (const item of body.data.flatMap(({ timeseries }) => timeseries)) item.usage = null as never;
    }),
  },
});
