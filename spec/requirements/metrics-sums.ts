/** Rules that compare metrics responses over past windows: sums (within the relative tolerance) and filters. */
import type { Requirement } from './requirement.ts';
import { billingDimensions } from '../values.ts';

export const metricsSumsRequirements = [
  {
    id: 'metrics.filters.billing-dimension-known',
    level: 'must',
    since: '0.1.0',
    rule: 'A billingDimension that is not documented returns 400 (the empty value is not tried).',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics`',
        words: 'One canonical billing dimension from the table above.',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
    values: { billingDimensions },
  },
  {
    id: 'metrics.sums.total-is-sum-of-groups',
    level: 'must',
    since: '0.1.0',
    rule: 'summary.totalCost is the sum of the costs of all groups; if there are several pages, it is either the sum of its own page on each page, or the sum over all pages on every page.',
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words: 'USD across the whole window; sum of all group costs in `data`.',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.sums.group-is-sum-of-buckets',
    level: 'must',
    since: '0.1.0',
    rule: 'The summary.cost and summary.usage of an entry are the sums of the cost and usage of its timeseries.',
    sources: [
      { heading: 'Billing metrics response (AccountMetricsResponse)', words: 'one item per bucket of the window' },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.sums.total-independent-of-group-by',
    level: 'must',
    since: '0.1.0',
    rule: 'The total over all groups equals the ungrouped total for every groupBy without resource_uuid, and does not exceed it with resource_uuid.',
    sources: [{ heading: 'Billing metrics response (AccountMetricsResponse)', words: 'USD across the whole window' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.sums.coarser-is-sum-of-finer',
    level: 'must',
    since: '0.1.0',
    rule: 'Dropping a dimension sums the groups: entries with the same remaining dimensions add up to the coarser entry in every bucket (if resource_uuid is dropped, to at most the coarser entry).',
    sources: [{ heading: 'GET `/accounts/{accountId}/metrics`', words: 'Results are the cross-product.' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.sums.split-windows-add-up',
    level: 'must',
    since: '0.1.0',
    rule: 'If a window is split at a bucket boundary, the cost over [a,b) plus the cost over [b,c) equals the cost over [a,c) for every group, and so does the usage, if present.',
    sources: [
      { heading: 'GET `/accounts/{accountId}/metrics`', words: 'Inclusive start.' },
      { heading: 'GET `/accounts/{accountId}/metrics`', words: 'Exclusive end.' },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.sums.resolutions-agree',
    level: 'must',
    since: '0.1.0',
    rule: 'For a window aligned to both resolutions, a daily bucket is the sum of its hourly buckets, and the totals of all resolutions are equal.',
    sources: [{ heading: 'Billing metrics response (AccountMetricsResponse)', words: 'USD across the whole window' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.filters.filter-is-the-slice',
    level: 'must',
    since: '0.1.0',
    rule: 'Filtering by a value of resourceType, resourceName, resourceUuid, billingDimension or workspace returns what grouping by that dimension returns for the value; several filters are combined with AND.',
    sources: [{ heading: 'GET `/accounts/{accountId}/metrics`', words: 'Restrict to one workspace name.' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.filters.nothing-matches-nothing',
    level: 'must',
    since: '0.1.0',
    rule: 'A filter value without a match returns cost 0 and no group with cost; an unknown resourceType or workspace may return 4xx instead.',
    sources: [{ heading: 'GET `/accounts/{accountId}/metrics`', words: 'Restrict to one workspace name.' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.sums.total-usage',
    level: 'must',
    since: '0.1.0',
    rule: 'If a single billing dimension is selected and there is one page, summary.totalUsage is the sum of the usages.',
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words: 'Only present when `billing_dimension` is among the requested groupBy dimensions; omitted otherwise.',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.sums.past-is-stable',
    level: 'must',
    since: '0.1.0',
    rule: 'Repeating a query for a past window returns the same result over all pages, except for cursor values and the order of groups.',
    sources: [
      { heading: 'What the service does', words: 'cost and usage per account, grouped and paged as a timeseries' },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.sums.inner-window-not-more',
    level: 'must',
    since: '0.1.0',
    rule: 'A window never costs more than a window that contains it.',
    sources: [{ heading: 'Billing metrics response (AccountMetricsResponse)', words: 'USD across the whole window' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
] as const satisfies readonly Requirement[];
