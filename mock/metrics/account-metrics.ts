/** The billing metrics of an account: computes the response from resources and query parameters. */
import { accessDenied, invalidField } from '../http/problems.ts';
import { defaultMetricsChoices, type CursorBond, type MetricsChoices } from './options.ts';
import { bucketEdges, firstTimestamp } from './buckets.ts';
import { entryFields, type GroupKey } from './groups.ts';
import type { Group } from './groupings.ts';
import { groupsOf, indexOf, type MeterIndex } from './meter-index.ts';
import type { Instant, MeteredAccount } from './meters.ts';
import { sortGroups } from './sort-groups.ts';
import { openCursor, pageOf, sealCursor } from './pages.ts';
import { readQuery, type Filters, type MetricsQuery, type Parameters } from './parameters.ts';
import { serializeMetrics } from './serialize-metrics.ts';
import type { Stretch } from './stretches.ts';
import { costOf, costPerBucket, readingsAt, type Readings } from './sums.ts';

export interface MetricsRequest extends MeteredAccount {
  readonly parameters: Parameters;
  readonly now: Instant;
  readonly isAccountAdmin: boolean;
  readonly accountId: string;
  readonly cursorSecret: string;
  readonly seed: number;
  /** Default: the mock's own. */
  readonly choices?: MetricsChoices;
}

/** A group with usage in the window. */
interface UsedGroup extends Group {
  /** Micro-dollars over the window. */
  readonly cost: number;
}

/** The only group of an account without resources. */
const NOTHING: Group = { key: [], stretches: [] };

/**
 * The response as JSON in UTF-8. Throws a Problem: 400 for an invalid parameter, 403 for one that only account admins may
 * use. Omits groups without usage in the window; the total covers all groups and is the same on every page.
 */
export function accountMetrics(request: MetricsRequest): Buffer {
  const { choices = defaultMetricsChoices } = request;
  const query = readQuery(request.parameters, choices);
  if (!request.isAccountAdmin && isForAdmins(query)) throw accessDenied();
  const scope = cursorScope(query, request.accountId, choices);
  const after = startAfter(query, scope, request.cursorSecret, choices);
  const cut = choices.cuts[query.resolution];
  const edges = bucketEdges(query.window, query.resolution, cut);
  const first = firstTimestamp(query.window, query.resolution, cut);
  const meters = indexOf(request, request.seed);
  const readings = readingsAt(edges, request.now, meters.earliest);
  const groups = sortGroups(usedGroups(meters, query, readings), choices.order, request.seed);
  // Without groupBy there is one entry, which needs no pages (metrics.group-by.absent-one-entry).
  const paging = query.groupBy.length === 0 ? defaultMetricsChoices : choices;
  const { groups: page, hasMore } = pageOf(groups, after, query.limit, edges.length - 1, paging);
  const last = page.at(-1);
  return serializeMetrics({
    window: query.window,
    resolution: query.resolution,
    fields: entryFields(query.groupBy),
    bucketStarts: edges.slice(0, -1).map((edge, index) => (index === 0 ? first : edge)),
    totals: groups,
    entries: page.map((group) => ({ ...group, costs: costPerBucket(group.stretches, readings) })),
    nextCursor: hasMore && last !== undefined ? sealCursor(last.key, scope, request.cursorSecret) : '',
  });
}

/** Undefined: the first page. */
function startAfter(
  { cursor, groupBy }: MetricsQuery,
  scope: string,
  secret: string,
  { cursorWithoutGroupBy }: MetricsChoices,
): GroupKey | undefined {
  if (cursor === undefined) return undefined;
  if (groupBy.length > 0) return openCursor(cursor, scope, secret);
  if (cursorWithoutGroupBy === 'ignored') return undefined;
  throw invalidField('cursor', cursor, 'with groupBy only');
}

function isForAdmins({ filters, groupBy }: MetricsQuery): boolean {
  return filters.workspace !== undefined || groupBy.includes('workspace');
}

/** The parts of a query that a cursor is bound to. */
function cursorScope(query: MetricsQuery, accountId: string, { cursor }: MetricsChoices): string {
  const { window, resolution, groupBy, filters, limit } = query;
  const parts: Readonly<Record<CursorBond, unknown>> = {
    window: [window.start, window.end],
    resolution,
    groupBy,
    filters,
    limit,
  };
  const bonds = Object.entries(parts).filter(([bond]) => cursor[bond as CursorBond] === 'bound');
  return JSON.stringify([accountId, ...bonds]);
}

/** The groups with usage in the window; without groupBy, a single group even without usage. */
function usedGroups(index: MeterIndex, { groupBy, filters }: MetricsQuery, readings: Readings): UsedGroup[] {
  const groups = groupsOf(index, groupBy);
  const narrow = narrowing(filters);
  const used: UsedGroup[] = [];
  for (const { key, stretches } of groups.length + groupBy.length === 0 ? [NOTHING] : groups) {
    const narrowed = narrow(stretches);
    const cost = costOf(narrowed, readings);
    if (cost > 0 || groupBy.length === 0) used.push({ key, stretches: narrowed, cost });
  }
  return used;
}

function narrowing(filters: Filters): (stretches: readonly Stretch[]) => readonly Stretch[] {
  if (Object.keys(filters).length === 0) return (stretches) => stretches;
  const { workspace, resourceType, resourceName, resourceUuid, billingDimension } = filters;
  const isWanted = ({ resource, dimension }: Stretch): boolean =>
    (workspace ?? resource.workspace) === resource.workspace &&
    (resourceType ?? resource.type) === resource.type &&
    (resourceName ?? resource.name) === resource.name &&
    (resourceUuid ?? resource.uuid) === resource.uuid &&
    (billingDimension ?? dimension) === dimension;
  return (stretches) => {
    // A loop, because `filter` takes longer, and there may be a million stretches.
    const wanted: Stretch[] = [];
    for (const stretch of stretches) if (isWanted(stretch)) wanted.push(stretch);
    return wanted;
  };
}
