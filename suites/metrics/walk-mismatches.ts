/** Checks how often a walk through pages returns each group. */
import type { Mismatch } from '../target/violation.ts';
import { filledFields, identified, keyOf } from './entries.ts';
import type { Entry } from './entries.ts';
import type { PagedGrouping } from './sized-groupings.ts';
import { entriesOf } from './pages.ts';
import type { Walk } from './pages.ts';

const MAX_MISMATCHES = 5;

/** Every group must appear once; other groups may appear. Without a page, only the failure of the walk is reported. */
export function missingGroupMismatches(walk: Walk, { set, entries }: PagedGrouping, limit: number): Mismatch[] {
  const [expected, found] = [entries, entriesOf(walk.pages)].map((each) => countVisits(set, each));
  const missed = [...expected!.keys()].filter((key) => found!.get(key) !== 1);
  const exchange = walk.pages.at(-1)?.exchange;
  const mismatches =
    exchange === undefined
      ? []
      : missed.map((key) => ({
          expected: `limit ${limit}: ${key} on one page`,
          actual: `${found!.get(key) ?? 0} times`,
          exchange,
        }));
  return [...(walk.failure === undefined ? [] : [walk.failure]), ...mismatches].slice(0, MAX_MISMATCHES);
}

function countVisits(set: PagedGrouping['set'], entries: readonly Entry[]): ReadonlyMap<string, number> {
  const of = filledFields(set);
  const groups = Map.groupBy(entries.filter(identified(set)), (entry) => keyOf(entry, of));
  return new Map([...groups].map(([key, visits]) => [key, visits.length]));
}
