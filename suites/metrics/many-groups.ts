/** Questions whose answers have a number of groups that suits a rule of pages. */
import type { Run } from '../conforms.ts';
import type { MetricsQuery } from './ask.ts';
import type { Dimension } from './dimensions.ts';
import { certainGroupings, finestGrouping, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { meteredDays } from './metered-days.ts';
import { entriesOf, pagesOf } from './pages.ts';

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

/** The grouping with the most groups; needs more than one. */
export async function mostGroups(run: Run): Promise<Grouped> {
  const most = await groupedBy(run, finestGrouping(run));
  run.need(most.entries.length > 1, 'a grouping with more than one group');
  return most;
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
