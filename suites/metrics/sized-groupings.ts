/** Queries with a number of groups that suits the pagination rules. */
import type { Run } from '../engine/conforms.ts';
import { resolutions } from '../../spec/values.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { rotate } from '../kit/metrics/request-variants.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { certainGroupings, fieldOf, finestGrouping, groupings, identified, valueOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { meteredDays } from './metered-days.ts';
import type { Mismatch } from '../target/violation.ts';
import { entriesOf, MAX_PAGES, fetchPages, walk } from './pages.ts';

export interface PagedGrouping {
  readonly query: MetricsQuery & { readonly groupBy: string };
  readonly set: readonly Dimension[];
  /** All groups, walked in pages of 100. */
  readonly entries: readonly Entry[];
}

async function fetchGrouping(run: Run, set: readonly Dimension[], filter: MetricsQuery = {}): Promise<PagedGrouping> {
  const query = { ...filter, ...(await meteredDays(run, 2)), resolution: 'daily', groupBy: set.join(',') };
  return { query, set, entries: entriesOf(await fetchPages(run, query)) };
}

/** Why the first grouping that cannot be walked to its end fails; empty if all can. */
export async function brokenPagination(run: Run): Promise<Mismatch[]> {
  const days = await meteredDays(run, 2);
  for (const set of groupings(run)) {
    const { pages, failure: trouble } = await walk(run.client, {
      ...days,
      resolution: 'daily',
      groupBy: set.join(','),
    });
    const last = pages.at(-1);
    // Another rule checks queries whose first page is refused; and an account may have very many groups.
    if (last !== undefined && trouble !== undefined && pages.length < MAX_PAGES)
      return [last.exchange === trouble.exchange ? trouble : { ...trouble, before: [last.exchange] }];
  }
  return [];
}

/** The grouping with the most groups; needs more than one. */
export async function largestGrouping(run: Run): Promise<PagedGrouping> {
  const largest = await fetchGrouping(run, finestGrouping(run));
  run.need(largest.entries.length > 1, 'a grouping with more than one group');
  return largest;
}

/** What to group by under a filter by each dimension, to get several groups. */
const groupByUnderFilter: Readonly<Record<Dimension, Dimension[]>> = {
  workspace: ['resource_name', 'billing_dimension'],
  resource_type: ['resource_name'],
  resource_name: ['billing_dimension'],
  resource_uuid: ['billing_dimension'],
  billing_dimension: ['resource_name'],
};

/** Every grouping, and one under each filter, with more than one group; the resolutions rotate. */
export async function variedGroupings(run: Run): Promise<PagedGrouping[]> {
  const days = await meteredDays(run, 2);
  const named = entriesOf(
    await fetchPages(run, { ...days, resolution: 'daily', groupBy: 'resource_uuid,billing_dimension' }),
  );
  const selections = [
    ...groupings(run).map((set) => ({ set, filter: {} })),
    ...dimensionsFor(run).map((by) => ({ set: groupByUnderFilter[by], filter: widestFilter(named, fieldOf[by]) })),
  ];
  const varied = [];
  for (const [{ set, filter }, resolution] of rotate(selections, resolutions, 1)) {
    const query = { ...days, resolution, ...filter, groupBy: set.join(',') };
    const entries = entriesOf(await fetchPages(run, query)).filter(identified(set));
    if (entries.length > 1) varied.push({ query, set, entries });
  }
  return varied;
}

/** Filters by the most frequent value of a field; empty if no entry has one. */
function widestFilter(entries: readonly Entry[], field: Field): MetricsQuery {
  const byValue = Map.groupBy(entries, (entry) => valueOf(entry, field));
  byValue.delete('');
  const [widest] = [...byValue].toSorted(([, some], [, others]) => others.length - some.length);
  return widest === undefined ? {} : { [field]: widest[0] };
}

/** The grouping with the most groups up to `maxGroups`; needs more than one. */
export async function smallGrouping(run: Run, maxGroups = 40): Promise<PagedGrouping> {
  const largest = await largestGrouping(run);
  const types = new Set(largest.entries.map((entry) => valueOf(entry, 'resourceType')));
  const slices = [];
  for (const resourceType of types) slices.push(await fetchGrouping(run, largest.set, { resourceType }));
  const pairs = certainGroupings(run).filter((set) => !set.includes('resource_name'));
  const candidates = [largest, ...slices];
  for (const set of pairs) candidates.push(await fetchGrouping(run, set));
  const small = candidates.filter(({ entries }) => entries.length > 1 && entries.length <= maxGroups);
  const largestSmall = small.toSorted((a, b) => b.entries.length - a.entries.length)[0];
  return run.need(largestSmall, `a grouping with 2 to ${maxGroups} groups`);
}
