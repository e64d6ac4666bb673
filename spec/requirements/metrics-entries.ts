/** Rules for the entries of a metrics response: buckets, groups, cost and usage. */
import type { Requirement } from './requirement.ts';
import { billingDimensionTable, limits } from '../values.ts';

export const metricsEntriesRequirements = [
  {
    id: 'metrics.group-by.unknown-refused',
    level: 'must',
    since: '0.1.0',
    rule: 'An unknown groupBy name in any position, including a known name in another letter case, returns 400 (empty names are not tried).',
    sources: [{ heading: 'Errors', words: 'invalid or duplicate dimension name' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.group-by.at-most-three',
    level: 'must',
    since: '0.1.0',
    rule: 'More than 3 groupBy dimensions return 400.',
    sources: [{ heading: 'Limits', words: 'max 3 dimensions; no duplicates' }],
    needs: [],
    operations: ['getAccountMetrics'],
    values: { maxDimensions: limits.groupByDimensions },
  },
  {
    id: 'metrics.group-by.no-duplicates',
    level: 'must',
    since: '0.1.0',
    rule: 'A duplicate dimension in groupBy returns 400.',
    sources: [{ heading: 'Limits', words: 'max 3 dimensions; no duplicates' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.buckets.one-per-step-zeros-included',
    level: 'must',
    since: '0.1.0',
    rule: 'Each timeseries has one item per bucket of the window, in order, with an RFC 3339 timestamp and a cost, which is 0 for buckets without activity.',
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words: 'always; one item per bucket of the window, each with `timestamp` (RFC 3339), `cost`, and `usage`',
      },
      { heading: 'Billing metrics response (AccountMetricsResponse)', words: 'Buckets without activity have cost 0.' },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.buckets.step-lengths',
    level: 'must',
    since: '0.1.0',
    rule: 'Buckets are one hour, one day, seven days or one calendar month apart in UTC, regardless of daylight saving time; the first one of an unaligned window may be shorter (monthly windows that start on day 29 to 31 are not tried).',
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words: 'Bucket size applied (requested or auto-picked).',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.buckets.cover-the-window',
    level: 'must',
    since: '0.1.0',
    rule: 'An hourly, daily or monthly window with both ends aligned to the hour, day or month starts with a bucket at startTime and has exactly one bucket per unit; any other window, and every weekly one, is covered without gaps, and its last bucket starts before endTime.',
    sources: [
      { heading: 'Billing metrics response (AccountMetricsResponse)', words: 'one item per bucket of the window' },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.buckets.same-for-all-groups',
    level: 'must',
    since: '0.1.0',
    rule: 'All groups of a response and all pages of a query have the same bucket timestamps.',
    sources: [
      { heading: 'Billing metrics response (AccountMetricsResponse)', words: 'one item per bucket of the window' },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.buckets.end-exclusive',
    level: 'must',
    since: '0.1.0',
    rule: 'endTime is exclusive: no bucket starts at or after it.',
    sources: [{ heading: 'GET `/accounts/{accountId}/metrics`', words: 'Exclusive end.' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.buckets.alignment',
    level: 'observe',
    since: '0.1.0',
    rule: "What weekly and monthly buckets are aligned to (startTime, Monday, Sunday or the first of the month); whether the first bucket's timestamp may precede startTime; the length of a year (365 days, 366 days or a calendar year).",
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words: 'Bucket size applied (requested or auto-picked).',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.group-by.absent-one-entry',
    level: 'must',
    since: '0.1.0',
    rule: 'Without groupBy, data has exactly one entry, hasMore is false and nextCursor is empty.',
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words: 'A single aggregated entry when groupBy is absent.',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.group-by.every-set-accepted',
    level: 'must',
    since: '0.1.0',
    rule: 'Each of the 25 valid sets of 1 to 3 dimensions returns 200 (sets that contain workspace require an account admin).',
    sources: [
      { heading: 'GET `/accounts/{accountId}/metrics`', words: 'One dimension or a comma-separated list of up to 3' },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.group-by.order-irrelevant',
    level: 'must',
    since: '0.1.0',
    rule: 'Every permutation of a set of dimensions returns the same result over all pages, except for cursor values and the order of groups.',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics`',
        words: 'Order of the list does not matter (canonically sorted).',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.group-by.requested-fields-filled',
    level: 'must',
    since: '0.1.0',
    rule: 'Every entry contains the field of each requested dimension: workspace, resourceType, resourceName, resourceUuid or billingDimension; resourceUuid is best effort and may be absent or empty, but not in every entry if at least two of sandbox, agent, job and mcp_server have cost in the window.',
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words: "With several groupBy dimensions, every requested dimension's field is populated.",
      },
      {
        heading: 'GET `/accounts/{accountId}/metrics`',
        words: 'Instance id; best effort, not every resource type has one.',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.group-by.enriched-fields-filled',
    level: 'must',
    since: '0.1.0',
    rule: 'Entries are enriched: workspace is present for resource_uuid and resource_name, resourceType for resource_uuid, resource_name and billing_dimension, and resourceName for resource_uuid (resource_uuid enriches no entry whose resourceUuid is absent or empty).',
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words: '`workspace`; also filled (enriched) for `resource_uuid`, `resource_name`',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.group-by.other-fields-absent',
    level: 'must',
    since: '0.1.0',
    rule: 'A field that is neither requested nor enriched is absent.',
    sources: [{ heading: 'Billing metrics response (AccountMetricsResponse)', words: 'Present when groupBy includes' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.group-by.entries-distinct',
    level: 'must',
    since: '0.1.0',
    rule: 'No two entries have the same values of all requested dimensions and their enrichment.',
    sources: [{ heading: 'GET `/accounts/{accountId}/metrics`', words: 'Results are the cross-product.' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.cost.always-there',
    level: 'must',
    since: '0.1.0',
    rule: 'Every entry has summary.cost, and every item of its timeseries has cost; both are finite and not negative.',
    sources: [{ heading: 'Billing metrics response (AccountMetricsResponse)', words: 'always; USD for the group' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.usage.with-billing-dimension',
    level: 'must',
    since: '0.1.0',
    rule: 'If groupBy includes billing_dimension, the response has summary.totalUsage, every entry has summary.usage and every timeseries item has usage.',
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words: 'only when `billing_dimension` is among the groupBy dimensions',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.usage.absent-otherwise',
    level: 'must',
    since: '0.1.0',
    rule: 'If groupBy does not include billing_dimension, none of these usage fields is present at any depth.',
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words:
          'Mixed-unit totals are omitted on purpose, so usage values appear only when `billing_dimension` is a groupBy dimension; otherwise only cost (USD) appears.',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.usage.counts-are-whole',
    level: 'must',
    since: '0.1.0',
    rule: 'The usage of a billing dimension whose unit is count (discrete events) is a whole number, in summary.totalUsage, in every summary.usage and in every timeseries item.',
    sources: [{ heading: 'Billing metrics response (AccountMetricsResponse)', words: '`count` = discrete events' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.group-by.dimension-belongs-to-type',
    level: 'must',
    since: '0.1.0',
    rule: 'billingDimension is one of the twelve documented values, and resourceType in the same entry is the one documented for it (agent for agent_async_requests_count).',
    sources: [
      {
        heading: 'Billing metrics response (AccountMetricsResponse)',
        words: 'Billing dimensions (each has one unit):',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
    values: { table: billingDimensionTable },
  },
] as const satisfies readonly Requirement[];
