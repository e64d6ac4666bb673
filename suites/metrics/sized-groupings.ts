/** Queries with a number of groups that suits the pagination rules. */
import type { Run } from '../engine/conforms.ts';
import { limits } from '../../spec/values.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import type { Window } from '../kit/metrics/windows.ts';
import { certainGroupings, finestGrouping, keyOf, requestedFields, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { meteredDays } from './metered-days.ts';
import type { Mismatch } from '../target/violation.ts';
import { entriesOf, MAX_PAGES, sharedPages, sharedWalk } from './pages.ts';
import type { Page, Walk } from './pages.ts';

export interface PagedGrouping {
  readonly query: MetricsQuery & Window & { readonly groupBy: string };
  readonly set: readonly Dimension[];
  /** All groups, walked in pages of 100. */
  readonly entries: readonly Entry[];
}

/** The two days over which the pagination rules group. */
const pagedDays = (run: Run): Promise<Window> => meteredDays(run, 2);

async function dailyQuery(run: Run, set: readonly Dimension[], filter: MetricsQuery = {}) {
  return { ...filter, ...(await pagedDays(run)), resolution: 'daily', groupBy: set.join(',') };
}

/** Why a walk whose first page was accepted fails. */
function brokenWalk({ pages, failure }: Walk): Mismatch[] {
  const last = pages.at(-1);
  // Another rule checks queries whose first page is refused; and an account may have very many groups.
  if (last === undefined || failure === undefined || pages.length === MAX_PAGES) return [];
  return [last.exchange === failure.exchange ? failure : { ...failure, before: [last.exchange] }];
}

/** Why the largest grouping, without which the pagination rules cannot be tried, cannot be walked to its end. */
export async function brokenPagination(run: Run): Promise<Mismatch[]> {
  return brokenWalk(await sharedWalk(run, await dailyQuery(run, finestGrouping(run))));
}

/** The grouping with the most groups; needs more than one. */
export async function largestGrouping(run: Run): Promise<PagedGrouping> {
  const set = finestGrouping(run);
  const query = await dailyQuery(run, set);
  const entries = entriesOf(await sharedPages(run, query));
  run.need(entries.length > 1, 'a grouping with more than one group');
  return { query, set, entries };
}

/** What is missing if the largest grouping has at most this many groups: they fit on one page, which then shows no limit. */
export function moreGroups({ query: { groupBy, startTime, endTime }, entries }: PagedGrouping, count: number): string {
  const found = `from ${startTime} to ${endTime}, ${groupBy} has ${entries.length}`;
  return `more than ${count} groups (${found}): set metrics.window in the target file to days on which more resources had usage (the last one with cost and the day before count)`;
}

interface Candidate {
  readonly set: readonly Dimension[];
  readonly filter: MetricsQuery;
  /** Of its groups, according to the largest grouping. */
  readonly count: number;
}

/**
 * The largest grouping, its slices by resource type, and groupings by other dimensions, from the most groups to the
 * fewest. Without those that have one group.
 */
function candidatesOf(run: Run, largest: PagedGrouping): Candidate[] {
  const { set, entries } = largest;
  const byType = Map.groupBy(entries, (entry) => valueOf(entry, 'resourceType'));
  const countBy = (names: readonly Dimension[]): number =>
    new Set(entries.map((entry) => keyOf(entry, requestedFields(names)))).size;
  return [
    { set, filter: {}, count: entries.length },
    ...[...byType].map(([resourceType, { length: count }]) => ({ set, filter: { resourceType }, count })),
    ...certainGroupings(run)
      .filter((names) => !names.includes('resource_name'))
      .map((names) => ({ set: names, filter: {}, count: countBy(names) })),
  ]
    .filter(({ count }) => count > 1)
    .toSorted((one, other) => other.count - one.count);
}

/** The first candidate that has several groups and can be walked to its end. */
async function firstGrouping(run: Run, candidates: readonly Candidate[]): Promise<PagedGrouping | undefined> {
  for (const { set, filter } of candidates) {
    const query = await dailyQuery(run, set, filter);
    const { pages, failure } = await sharedWalk(run, query);
    const entries = entriesOf(pages);
    if (failure === undefined && entries.length > 1) return { query, set, entries };
  }
  return undefined;
}

/** The grouping with the most groups up to this number, or else the one with the fewest. */
async function groupingUpTo(run: Run, maxGroups: number): Promise<PagedGrouping> {
  const largest = await largestGrouping(run);
  const all = candidatesOf(run, largest);
  const isTooLarge = ({ count }: Candidate): boolean => count > maxGroups;
  const [suitable, tooLarge] = [all.filter((each) => !isTooLarge(each)), all.filter(isTooLarge)];
  return (await firstGrouping(run, [...suitable, ...tooLarge.toReversed()])) ?? largest;
}

export const MAX_SMALL_GROUPS = 40;

/** The grouping with the most groups up to 40, or else the one with the fewest. */
export const smallGrouping = (run: Run): Promise<PagedGrouping> => groupingUpTo(run, MAX_SMALL_GROUPS);

/** Few, because a page is a request; the largest grouping may have more. */
const MAX_WALKED_PAGES = 4;

/** The grouping that this limit splits into the most pages, up to four; or else the one with the fewest groups. */
export const groupingFor = (run: Run, limit: number): Promise<PagedGrouping> =>
  groupingUpTo(run, limit * MAX_WALKED_PAGES);

/** The grouping with the fewest groups above this number, which is not walked before; or else the largest. */
export async function queryAbove(run: Run, groupCount: number): Promise<MetricsQuery> {
  const largest = await largestGrouping(run);
  const fewest = candidatesOf(run, largest).findLast(({ count }) => count > groupCount);
  return fewest === undefined ? largest.query : await dailyQuery(run, fewest.set, fewest.filter);
}

/** The limit that splits the groups into about this many pages. */
export const limitFor = ({ entries }: PagedGrouping, pages: number): number =>
  Math.min(limits.metricsPageMax, Math.ceil(entries.length / pages));

export interface ShortPages extends PagedGrouping {
  readonly limit: number;
  readonly pages: readonly Page[];
}

/** The small grouping in two to four pages, or more if it has so many groups that they do not fit on four. */
export async function shortPages(run: Run): Promise<ShortPages> {
  const small = await smallGrouping(run);
  const limit = limitFor(small, MAX_WALKED_PAGES);
  const pages = await sharedPages(run, { ...small.query, limit });
  run.need(pages.length > 1, 'a grouping with more than one page');
  return { ...small, limit, pages };
}
