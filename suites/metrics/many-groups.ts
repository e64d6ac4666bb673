/** Questions whose answers have a number of groups that suits a rule of pages. */
import type { Run } from '../engine/conforms.ts';
import { resolutions } from '../../spec/values.ts';
import type { MetricsQuery } from '../kit/metrics/ask.ts';
import { inTurn } from '../kit/metrics/beside.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { certainGroupings, fieldOf, finestGrouping, groupings, identified, valueOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { meteredDays } from './metered-days.ts';
import type { Mismatch } from '../target/violation.ts';
import { entriesOf, MOST_PAGES, pagesOf, walk } from './pages.ts';

export interface Grouped {
  readonly query: MetricsQuery & { readonly groupBy: string };
  readonly set: readonly Dimension[];
  /** As walked in pages of 100. */
  readonly entries: readonly Entry[];
}

async function groupedBy(run: Run, set: readonly Dimension[], filter: MetricsQuery = {}): Promise<Grouped> {
  const query = { ...filter, ...(await meteredDays(run, 2)), resolution: 'daily', groupBy: set.join(',') };
  return { query, set, entries: entriesOf(await pagesOf(run, query)) };
}

/** Why the first grouping whose later pages are not to be had, or do not end, cannot be walked; nothing where all can. */
export async function brokenWalk(run: Run): Promise<Mismatch[]> {
  const days = await meteredDays(run, 2);
  for (const set of groupings(run)) {
    const { pages, trouble } = await walk(run.client, { ...days, resolution: 'daily', groupBy: set.join(',') });
    const last = pages.at(-1);
    // A question that is refused from the first is another rule's, and an account may have very many groups.
    if (last !== undefined && trouble !== undefined && pages.length < MOST_PAGES)
      return [last.exchange === trouble.exchange ? trouble : { ...trouble, before: [last.exchange] }];
  }
  return [];
}

/** The grouping with the most groups; needs more than one. */
export async function mostGroups(run: Run): Promise<Grouped> {
  const most = await groupedBy(run, finestGrouping(run));
  run.need(most.entries.length > 1, 'a grouping with more than one group');
  return most;
}

/** What the groups that one value of a dimension leaves are grouped by: there are several, as a rule. */
const groupedUnder: Readonly<Record<Dimension, Dimension[]>> = {
  workspace: ['resource_name', 'billing_dimension'],
  resource_type: ['resource_name'],
  resource_name: ['billing_dimension'],
  resource_uuid: ['billing_dimension'],
  billing_dimension: ['resource_name'],
};

/** Every grouping, and one under each filter, that has more than one group; the resolutions in turn. */
export async function variedGroups(run: Run): Promise<Grouped[]> {
  const days = await meteredDays(run, 2);
  const named = entriesOf(
    await pagesOf(run, { ...days, resolution: 'daily', groupBy: 'resource_uuid,billing_dimension' }),
  );
  const asked = [
    ...groupings(run).map((set) => ({ set, filter: {} })),
    ...dimensionsFor(run).map((by) => ({ set: groupedUnder[by], filter: widestFilter(named, fieldOf[by]) })),
  ];
  const varied = [];
  for (const [{ set, filter }, resolution] of inTurn(asked, resolutions, 1)) {
    const query = { ...days, resolution, ...filter, groupBy: set.join(',') };
    const entries = entriesOf(await pagesOf(run, query)).filter(identified(set));
    if (entries.length > 1) varied.push({ query, set, entries });
  }
  return varied;
}

/** By the value of a field that most entries have; nothing where none has any. */
function widestFilter(entries: readonly Entry[], field: Field): MetricsQuery {
  const byValue = Map.groupBy(entries, (entry) => valueOf(entry, field));
  byValue.delete('');
  const [widest] = [...byValue].toSorted(([, some], [, others]) => others.length - some.length);
  return widest === undefined ? {} : { [field]: widest[0] };
}

/** The most groups that are still few enough to be walked one by one, often; needs more than one. */
export async function fewGroups(run: Run, atMost = 40): Promise<Grouped> {
  const most = await mostGroups(run);
  const types = new Set(most.entries.map((entry) => valueOf(entry, 'resourceType')));
  const slices = [];
  for (const resourceType of types) slices.push(await groupedBy(run, most.set, { resourceType }));
  const pairs = certainGroupings(run).filter((set) => !set.includes('resource_name'));
  const candidates = [most, ...slices];
  for (const set of pairs) candidates.push(await groupedBy(run, set));
  const few = candidates.filter(({ entries }) => entries.length > 1 && entries.length <= atMost);
  const largest = few.toSorted((a, b) => b.entries.length - a.entries.length)[0];
  return run.need(largest, `a grouping with 2 to ${atMost} groups`);
}
