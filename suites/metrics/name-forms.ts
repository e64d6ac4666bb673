/** Slices by names of different formats. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { meteredMonth } from './metered-days.ts';
import { entriesOf, fetchPages } from './pages.ts';
import { sliceMismatches } from './slices.ts';

const nameIn = (entry: Entry): string => valueOf(entry, 'resourceName');

/**
 * Names with cost in the last month: one with a dot (a domain), one that starts with a digit, the shortest, the
 * longest.
 */
export async function nameFormMismatches(run: Run): Promise<Mismatch[][]> {
  const query = { ...(await meteredMonth(run)), resolution: 'monthly' };
  const entries = entriesOf(await fetchPages(run, { ...query, groupBy: 'resource_name' }));
  const byLength = entries
    .filter((entry) => nameIn(entry) !== '' && entry.summary.cost > 0)
    .toSorted((a, b) => nameIn(a).length - nameIn(b).length);
  const oneOfEachForm = [
    byLength.find((entry) => nameIn(entry).includes('.')),
    byLength.find((entry) => /^\d/.test(nameIn(entry))),
    byLength.at(0),
    byLength.at(-1),
  ];
  const mismatches: Mismatch[][] = [];
  for (const entry of new Set(oneOfEachForm)) {
    if (entry === undefined) continue;
    const slice = { set: ['resource_name' as const], pick: entries.indexOf(entry), groupBy: [] };
    mismatches.push(await sliceMismatches(run, query, entries, { ...slice, filterBy: ['resource_name'] }));
  }
  return mismatches;
}
