/** The metrics queries that most rules judge: callers, resolutions, groupings, pages and filters in all pairs. */
import { strongestCaller } from '../engine/callers.ts';
import { coveringArray } from '../engine/covering-array.ts';
import type { Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import type { Traffic } from '../engine/traffic.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { grouped, requestMetrics, UNUSED_NAME } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { byBrandHeader } from '../kit/provision/caller-variants.ts';
import { clientOf, metricsCallers } from '../kit/metrics/request-variants.ts';
import type { MetricsCaller } from '../kit/metrics/request-variants.ts';
import type { Exchange } from '../target/exchange.ts';
import { differentGroupings } from './different-groupings.ts';
import { matchingFilters } from './matching-filters.ts';
import { meteredDays, meteredQueries } from './metered-days.ts';
import type { MeteredQueries } from './metered-days.ts';
import { seenCursor } from './pages.ts';

/** Page sizes, and the page after the first one. `whole` has no limit. */
const pages = ['whole', 'second', 'one', 'above'] as const;

/** The documented order of the dimensions, or the reverse. */
const orders = ['documented', 'reverse'] as const;

/** Authorization, or the one with the brand. */
const headers = ['standard', 'brand'] as const;

export interface MetricsRequest {
  readonly resolution: keyof MeteredQueries;
  readonly groupBy: readonly Dimension[];
  /** In which the query lists the dimensions. */
  readonly order: (typeof orders)[number];
  readonly filter: MetricsQuery;
  readonly page: (typeof pages)[number];
  readonly caller: MetricsCaller;
  /** That carries the credential. */
  readonly header: (typeof headers)[number];
}

const requestsOfRun = sharedValue<readonly MetricsRequest[]>();

export const metricsTraffic: Traffic<MetricsRequest> = {
  quickCount: 32,
  requests: (run) => requestsOfRun.get(run, () => coveringRequests(run)),
  send: sendMetrics,
  smaller: (request) =>
    Object.entries(simplest)
      .filter(([name, value]) => JSON.stringify(request[name as keyof MetricsRequest]) !== JSON.stringify(value))
      .map(([name, value]) => ({ ...request, [name]: value }))
      .filter(isValid),
};

const simplest: MetricsRequest = {
  resolution: 'daily',
  groupBy: [],
  order: 'documented',
  filter: {},
  page: 'whole',
  caller: 'strongest',
  header: 'standard',
};

/** Usage that is counted, and a resource type that has a single billing dimension. */
const ofOneUnit: readonly MetricsQuery[] = [
  { billingDimension: 'agent_async_requests_count' },
  { resourceType: 'volume' },
];

/** Only groups have pages, and only account admins may ask about workspaces. */
function isValid({ groupBy, page, filter, caller }: Partial<MetricsRequest>): boolean {
  if (groupBy?.length === 0 && page !== undefined && page !== 'whole') return false;
  // Under every grouping, two filters are enough.
  if (groupBy !== undefined && groupBy.length > 1 && filter !== undefined && !isCommon(filter)) return false;
  const asksForWorkspace = groupBy?.includes('workspace') === true || filter?.workspace !== undefined;
  return caller === undefined || caller === 'strongest' || !asksForWorkspace;
}

const isCommon = (filter: MetricsQuery): boolean =>
  Object.keys(filter).every((name) => ['resourceType', 'workspace'].includes(name));

async function coveringRequests(run: Run): Promise<readonly MetricsRequest[]> {
  const filters = await matchingFilters(run, await meteredDays(run, 2));
  const isPair = (filter: MetricsQuery): boolean => Object.keys(filter).length > 1;
  const alone = filters.filter((filter) => !isPair(filter));
  const groupings = differentGroupings(run);
  const factors = {
    groupBy: [groupings[0]!, [], ...groupings.slice(1)],
    // Each filter alone, and two that match the same group.
    filter: [{}, ...alone, ...filters.filter(isPair).slice(0, 1), ...ofOneUnit, { resourceName: UNUSED_NAME }],
    resolution: ['daily', 'hourly', 'weekly', 'monthly', 'picked'],
    page: pages,
    order: orders,
    header: headers,
    caller: await metricsCallers(run),
  } as const;
  return coveringArray(factors, isValid);
}

const limitOf = { whole: undefined, second: 2, one: 1, above: 1000 } as const;

async function sendMetrics(run: Run, request: MetricsRequest): Promise<readonly Exchange[]> {
  const base = (await meteredQueries(run))[request.resolution];
  const { [request.page]: limit } = limitOf;
  const groupBy = request.order === 'reverse' ? request.groupBy.toReversed() : request.groupBy;
  const query = grouped({ ...base, ...request.filter, ...(limit !== undefined && { limit }) }, groupBy);
  const own = clientOf(run, request.caller);
  const token = tokenOf(run, request.caller);
  const client = request.header === 'brand' && token !== undefined ? byBrandHeader(run, own, token) : own;
  const first = await requestMetrics(client, query);
  const cursor = request.page === 'second' ? seenCursor(first) : undefined;
  return cursor === undefined ? [first] : [first, await requestMetrics(client, { ...query, cursor })];
}

const tokenOf = ({ target }: Run, caller: MetricsCaller): string | undefined =>
  caller === 'strongest' ? strongestCaller(target).bearer : target.credentials[caller]?.value;
