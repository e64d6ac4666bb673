/** Slices by names of different formats. */
import type { Run } from '../engine/conforms.ts';
import { grouped } from '../kit/metrics/request.ts';
import { finestGrouping, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { meteredQueries } from './metered-days.ts';
import { entriesOf, sharedPages } from './pages.ts';
import { sliceMismatches } from './slices.ts';

const nameIn = (entry: Entry): string => valueOf(entry, 'resourceName');

/**
 * Names with cost in the last days: one with a dot (a domain), one that starts with a digit, the shortest, the
 * longest.
 */
export async function checkNameForms(run: Run): Promise<void> {
  const set = finestGrouping(run);
  const { daily } = await meteredQueries(run);
  const entries = entriesOf(await sharedPages(run, grouped(daily, set)));
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
    return sliceMismatches(run, daily, entries, { set, pick, filterBy: ['resource_name'], groupBy: [] });
  });
}
