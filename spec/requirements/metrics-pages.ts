/** Rules for metrics pagination and the two metrics enums. */
import type { Requirement } from './requirement.ts';
import { limits } from '../values.ts';

export const metricsPagesRequirements = [
  {
    id: 'metrics.pagination.limit-is-a-count',
    level: 'must',
    since: '0.1.0',
    rule: 'A limit that is negative or not an integer returns 400 (0 and the empty value are observed; 1.0, 1e2 and +1 are not tried).',
    sources: [{ heading: 'Errors', words: 'Metrics: missing or invalid parameter' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.pagination.foreign-cursor-refused',
    level: 'must',
    since: '0.1.0',
    rule: 'A cursor that the server did not issue returns 400 for a query with groupBy, whether it is invented or an issued cursor with text added around it (a cursor altered in one character is observed, because it may happen to be another valid one).',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics`',
        words: 'Opaque; the `meta.nextCursor` of a previous response.',
      },
      { heading: 'Errors', words: 'Metrics: missing or invalid parameter' },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.pagination.cursor-with-other-parameters',
    level: 'observe',
    since: '0.1.0',
    rule: 'A cursor used with parameters other than those it was issued for; a cursor altered in one character; a cursor without groupBy.',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics`',
        words: 'Opaque; the `meta.nextCursor` of a previous response.',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.pagination.page-within-limit',
    level: 'must',
    since: '0.1.0',
    rule: 'A page has at most limit entries, or at most 100 if limit is absent.',
    sources: [{ heading: 'Limits', words: 'default 100, max 100, larger values clamped silently' }],
    needs: [],
    operations: ['getAccountMetrics'],
    values: { defaultLimit: limits.metricsPageDefault },
  },
  {
    id: 'metrics.pagination.limit-clamped',
    level: 'must',
    since: '0.1.0',
    rule: 'A limit above 100 (up to 4294967296) returns 200 and has the same effect as 100.',
    sources: [{ heading: 'Limits', words: 'default 100, max 100, larger values clamped silently' }],
    needs: [],
    operations: ['getAccountMetrics'],
    values: { maxLimit: limits.metricsPageMax, largestTried: 2 ** 32 },
  },
  {
    id: 'metrics.pagination.has-more-and-cursor-agree',
    level: 'must',
    since: '0.1.0',
    rule: 'nextCursor is non-empty if hasMore is true, and an empty string if hasMore is false.',
    sources: [{ heading: 'Billing metrics response (AccountMetricsResponse)', words: 'Empty when hasMore is false.' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.pagination.every-group-once',
    level: 'must',
    since: '0.1.0',
    rule: 'For every limit from 1 to 100, following nextCursor terminates and returns each group exactly once.',
    sources: [{ heading: 'States and transitions', words: 'A next page can be requested with `meta.nextCursor`.' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.pagination.limit-changes-nothing-else',
    level: 'must',
    since: '0.1.0',
    rule: 'The combined pages contain the same groups with the same figures for every limit.',
    sources: [{ heading: 'GET `/accounts/{accountId}/metrics`', words: 'Page size for grouped results' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.pagination.cursor-repeatable',
    level: 'must',
    since: '0.1.0',
    rule: 'Using a cursor twice returns the same page, except for the value of the next cursor (not tried on a target that accepts each cursor once).',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics`',
        words: 'Opaque; the `meta.nextCursor` of a previous response.',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.pagination.pages-full',
    level: 'observe',
    since: '0.1.0',
    rule: 'Whether every page but the last is full, and whether hasMore is already false on the page that completes the groups.',
    sources: [{ heading: 'GET `/accounts/{accountId}/metrics`', words: 'Page size for grouped results' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.pagination.cursor-survives-encoding',
    level: 'must',
    since: '0.1.0',
    rule: 'A cursor works when it is percent-encoded as a query value.',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics`',
        words: 'Opaque; the `meta.nextCursor` of a previous response.',
      },
      {
        standard: 'RFC 3986',
        section: '2.1',
        words: 'A percent-encoding mechanism is used to represent a data octet in a component',
      },
    ],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.pagination.order',
    level: 'observe',
    since: '0.1.0',
    rule: 'The order of groups; whether resources created between two pages shift them.',
    sources: [{ heading: 'GET `/accounts/{accountId}/metrics`', words: 'Page size for grouped results' }],
    needs: [],
    operations: ['getAccountMetrics'],
  },
  {
    id: 'metrics.enums.group-by-values',
    level: 'must',
    since: '0.1.0',
    rule: 'enums/group-by returns exactly the five dimensions, each once.',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics/enums/group-by`',
        words: 'with every valid groupBy value (static list: the five dimensions above)',
      },
    ],
    needs: [],
    operations: ['listMetricsGroupBy'],
  },
  {
    id: 'metrics.enums.group-by-values-accepted',
    level: 'must',
    since: '0.1.0',
    rule: 'groupBy accepts every value that enums/group-by returns.',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics/enums/group-by`',
        words: 'with every valid groupBy value (static list: the five dimensions above)',
      },
    ],
    needs: [],
    operations: ['listMetricsGroupBy', 'getAccountMetrics'],
  },
  {
    id: 'metrics.enums.resource-types-window-required',
    level: 'must',
    since: '0.1.0',
    rule: 'enums/resource-types with a missing or invalid startTime or endTime returns 400.',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics/enums/resource-types`',
        words: 'Required query: `startTime`, `endTime` (same format).',
      },
    ],
    needs: [],
    operations: ['listMetricsResourceTypes'],
  },
  {
    id: 'metrics.enums.resource-types-agree-with-data',
    level: 'must',
    since: '0.1.0',
    rule: 'enums/resource-types returns distinct strings that include every resource type with cost in the window.',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics/enums/resource-types`',
        words: 'the resource types observed for the account in that window',
      },
    ],
    needs: [],
    operations: ['listMetricsResourceTypes', 'getAccountMetrics'],
  },
  {
    id: 'metrics.enums.resource-types-follow-window',
    level: 'must',
    since: '0.1.0',
    rule: 'enums/resource-types returns an empty list for a window without metered activity, and a wider window never returns fewer types.',
    sources: [
      {
        heading: 'GET `/accounts/{accountId}/metrics/enums/resource-types`',
        words: 'a type appears only when at least one metric event exists for it in range',
      },
    ],
    needs: [],
    operations: ['listMetricsResourceTypes'],
  },
] as const satisfies readonly Requirement[];
