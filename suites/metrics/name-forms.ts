/** Slices by names of different formats. */
import type { Run } from '../engine/conforms.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
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
export async function checkNameForms(run: Run): Promise<void> {
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
  const picked = [...new Set(oneOfEachForm)].filter((entry) => entry !== undefined);
  await run.forEach(picked.map(nameIn), (name) => {
    const pick = entries.findIndex((entry) => nameIn(entry) === name);
    const set: Dimension[] = ['resource_name'];
    return sliceMismatches(run, query, entries, { set, pick, filterBy: set, groupBy: [] });
  });
}
