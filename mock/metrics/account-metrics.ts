/** The billing metrics of an account: computes the response from resources and query parameters. */
import { accessDenied, invalidField } from '../http/problems.ts';
import { defaultMetricsChoices, type CursorBond, type MetricsChoices } from './options.ts';
import { bucketEdges, firstTimestamp } from './buckets.ts';
import { entryFields, type GroupKey } from './groups.ts';
import type { Group } from './groupings.ts';
import { indexOf, type MeterIndex } from './meter-index.ts';
import type { Instant, MeteredAccount } from './meters.ts';
import { wantedGroups, wantedParts } from './narrowing.ts';
import { sortGroups } from './sort-groups.ts';
import { openCursor, pageOf, sealCursor } from './pages.ts';
import { readQuery, type MetricsQuery, type Parameters } from './parameters.ts';
import { serializeMetrics, type Total } from './serialize-metrics.ts';
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

/** A group with its usage in the window. */
interface UsedGroup extends Group {
  /** Micro-dollars over the window. */
  readonly cost: number;
}

/** What of an account's usage a response contains. */
interface Selection {
  /** Of all groups. */
  readonly totals: readonly Total[];
  readonly page: readonly UsedGroup[];
  readonly hasMore: boolean;
}

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
  const { totals, page, hasMore } =
    query.groupBy.length === 0
      ? selectAll(meters, query, readings)
      : selectPage(meters, query, readings, after, choices);
  const last = page.at(-1);
  return serializeMetrics({
    window: query.window,
    resolution: query.resolution,
    fields: entryFields(query.groupBy),
    bucketStarts: edges.slice(0, -1).map((edge, index) => (index === 0 ? first : edge)),
    totals,
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

/** A single entry, even without usage, which needs no pages (metrics.group-by.absent-one-entry). */
function selectAll(index: MeterIndex, { filters }: MetricsQuery, readings: Readings): Selection {
  const parts = wantedParts(index, filters, false);
  // Copied only if there are several, because one may have a million stretches.
  const stretches = parts.length === 1 ? (parts[0]?.stretches ?? []) : parts.flatMap((part) => part.stretches);
  const cost = costOf(stretches, readings);
  return { totals: [{ dimension: '', cost }], page: [{ key: [], stretches, cost }], hasMore: false };
}

/** Of the groups with usage in the window. Sorted by name, only those of the page are computed, of possibly 100,000. */
function selectPage(
  index: MeterIndex,
  { groupBy, filters, limit }: MetricsQuery,
  readings: Readings,
  after: GroupKey | undefined,
  choices: MetricsChoices,
): Selection {
  const { groups: all, narrow } = wantedGroups(index, groupBy, filters);
  const withUsage = ({ key, stretches }: Group): UsedGroup | undefined => {
    const own = narrow(stretches);
    const cost = costOf(own, readings);
    return cost > 0 ? { key, stretches: own, cost } : undefined;
  };
  const sorted =
    choices.order === 'by names, ascending'
      ? all
      : sortGroups(
          all.flatMap((group) => withUsage(group) ?? []),
          choices.order,
          index.seed,
        );
  const { groups, hasMore } = pageOf(sorted, after, limit, readings.buckets, choices, withUsage);
  const parts = wantedParts(index, filters, groupBy.includes('billing_dimension'));
  const totals = parts.map(({ dimension, stretches }) => ({ dimension, cost: costOf(stretches, readings) }));
  return { totals, page: groups, hasMore };
}
