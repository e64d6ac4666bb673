/** Checks how often a walk through pages returns each group. */
import type { Mismatch } from '../target/violation.ts';
import { filledFields, identified, keyOf } from './entries.ts';
import type { Entry } from './entries.ts';
import type { PagedGrouping } from './sized-groupings.ts';
import { entriesOf } from './pages.ts';
import type { Walk } from './pages.ts';

const MAX_MISMATCHES = 5;

/** Every group must appear once, and no other group. */
export function walkMismatches(walk: Walk, { set, entries }: PagedGrouping, limit: number): Mismatch[] {
  const found = countVisits(set, entriesOf(walk.pages));
  const expected = countVisits(set, entries);
  const unexpected = [...found.keys()].filter((key) => !expected.has(key));
  return [
    ...missedGroups(walk, expected, found, limit),
    ...countMismatches(walk, unexpected, 'on no page', found, limit),
  ].slice(0, MAX_MISMATCHES);
}

/** Every group must appear once; other groups may appear. */
export function missingGroupMismatches(walk: Walk, { set, entries }: PagedGrouping, limit: number): Mismatch[] {
  const found = countVisits(set, entriesOf(walk.pages));
  return missedGroups(walk, countVisits(set, entries), found, limit).slice(0, MAX_MISMATCHES);
}

type Counts = ReadonlyMap<string, number>;

function countVisits(set: PagedGrouping['set'], entries: readonly Entry[]): Counts {
  const of = filledFields(set);
  const groups = Map.groupBy(entries.filter(identified(set)), (entry) => keyOf(entry, of));
  return new Map([...groups].map(([key, visits]) => [key, visits.length]));
}

function missedGroups(walk: Walk, expected: Counts, found: Counts, limit: number): Mismatch[] {
  const missed = [...expected.keys()].filter((key) => found.get(key) !== 1);
  return [
    ...(walk.failure === undefined ? [] : [walk.failure]),
    ...countMismatches(walk, missed, 'on one page', found, limit),
  ];
}

/** Empty without pages: the failure of the walk is reported instead. */
function countMismatches(
  { pages }: Walk,
  keys: readonly string[],
  where: string,
  found: Counts,
  limit: number,
): Mismatch[] {
  const exchange = pages.at(-1)?.exchange;
  if (exchange === undefined) return [];
  return keys.map((key) => ({
    expected: `limit ${limit}: ${key} ${where}`,
    actual: `${found.get(key) ?? 0} times`,
    exchange,
  }));
}
