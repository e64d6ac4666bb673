/** How often a walk through pages visits the groups of its question. */
import type { Mismatch } from '../target/violation.ts';
import { filledFields, identified, keyOf } from './entries.ts';
import type { Entry } from './entries.ts';
import type { Grouped } from './many-groups.ts';
import { entriesOf } from './pages.ts';
import type { Walk } from './pages.ts';

const MOST_SHOWN = 5;

/** What is wrong with a walk that should visit each of these groups once, and no other. */
export function visitMismatches(walk: Walk, { set, entries }: Grouped, limit: number): Mismatch[] {
  const found = keysOf(set, entriesOf(walk.pages));
  const wanted = keysOf(set, entries);
  const strays = [...found.keys()].filter((key) => !wanted.has(key));
  return [...known(walk, wanted, found, limit), ...wrong(walk, strays, 'on no page', found, limit)].slice(
    0,
    MOST_SHOWN,
  );
}

/** The same, where it is open what other groups there are meanwhile. */
export function knownMismatches(walk: Walk, { set, entries }: Grouped, limit: number): Mismatch[] {
  const found = keysOf(set, entriesOf(walk.pages));
  return known(walk, keysOf(set, entries), found, limit).slice(0, MOST_SHOWN);
}

type Counts = ReadonlyMap<string, number>;

function keysOf(set: Grouped['set'], entries: readonly Entry[]): Counts {
  const of = filledFields(set);
  const groups = Map.groupBy(entries.filter(identified(set)), (entry) => keyOf(entry, of));
  return new Map([...groups].map(([key, visits]) => [key, visits.length]));
}

function known(walk: Walk, wanted: Counts, found: Counts, limit: number): Mismatch[] {
  const missed = [...wanted.keys()].filter((key) => found.get(key) !== 1);
  return [...(walk.trouble === undefined ? [] : [walk.trouble]), ...wrong(walk, missed, 'on one page', found, limit)];
}

/** Nothing where no page came: why is told. */
function wrong({ pages }: Walk, keys: readonly string[], where: string, found: Counts, limit: number): Mismatch[] {
  const exchange = pages.at(-1)?.exchange;
  if (exchange === undefined) return [];
  return keys.map((key) => ({
    expected: `limit ${limit}: ${key} ${where}`,
    actual: `${found.get(key) ?? 0} times`,
    exchange,
  }));
}
