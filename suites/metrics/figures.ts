/** Cost and usage added up over entries, and compared within the tolerance of the rules. */
import type { Mismatch } from '../violation.ts';
import type { Exchange } from '../target/client.ts';
import { keyOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';

const RELATIVE_TOLERANCE = 1e-6;
/** Half of a micro-dollar: numbers may be printed with six decimals, each rounded by itself. */
const ROUNDING = 5e-7;
const MOST_SHOWN = 5;

export interface Sum {
  cost: number;
  /** Absent where one of the summands has none. */
  usage: number | undefined;
  /** How many printed numbers it is the sum of. */
  terms: number;
}

export interface Figures {
  readonly whole: Sum;
  /** In the order of the timeseries: all groups have the same buckets. */
  readonly buckets: readonly Sum[];
}

/** NaN, which is near nothing, where it is no number. */
function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

const nothing = (): Sum => ({ cost: 0, usage: 0, terms: 0 });

function add(sum: Sum, { cost, usage }: { cost: number; usage?: number }): Sum {
  const both = sum.usage === undefined || usage === undefined ? undefined : sum.usage + numberOf(usage);
  return { cost: sum.cost + numberOf(cost), usage: both, terms: sum.terms + 1 };
}

/** Sums of whole entries. */
export function sumOf(entries: readonly Entry[]): Sum {
  return entries.reduce((sum, { summary }) => add(sum, summary), nothing());
}

/** Sums of buckets. */
export function sumOfItems(items: Entry['timeseries']): Sum {
  return items.reduce(add, nothing());
}

/** Entries with the same values in these fields are taken together. */
export function figuresBy(of: readonly Field[], entries: readonly Entry[]): Map<string, Figures> {
  const groups = Map.groupBy(entries, (entry) => keyOf(entry, of));
  return new Map([...groups].map(([key, group]) => [key, { whole: sumOf(group), buckets: bucketsOf(group) }]));
}

function bucketsOf(entries: readonly Entry[]): Sum[] {
  const count = Math.max(0, ...entries.map(({ timeseries }) => timeseries.length));
  return Array.from({ length: count }, (_, at) =>
    sumOfItems(entries.flatMap(({ timeseries }) => timeseries[at] ?? [])),
  );
}

/** How far apart two sums may be. */
function tolerance(a: number, b: number, terms: number): number {
  return Math.max(RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b)), ROUNDING * terms);
}

/** `terms`: how many printed numbers the two sums are made of. */
export function near(a: number, b: number, terms: number): boolean {
  return Math.abs(a - b) <= tolerance(a, b, terms);
}

/** Whether `a` is at most `b`, but for the tolerance. */
function notMore(a: number, b: number, terms: number): boolean {
  return a <= b + tolerance(a, b, terms);
}

/** How the two may relate. */
export type Relation = 'equal' | 'not more';

export interface Comparison {
  readonly exchange?: Exchange;
  /** Default: equal. */
  readonly relation?: Relation;
  /** Default: as a whole and bucket by bucket. */
  readonly wholeOnly?: boolean;
  /** Default: usage too, where both have it. */
  readonly costOnly?: boolean;
}

/** `what` opens the sentence: "resourceType=agent, the whole window". */
export function sumMismatches(what: string, expected: Sum, actual: Sum, comparison: Comparison = {}): Mismatch[] {
  const { exchange, relation = 'equal', costOnly = false } = comparison;
  const fits = relation === 'equal' ? near : notMore;
  const terms = expected.terms + actual.terms;
  return (costOnly ? (['cost'] as const) : (['cost', 'usage'] as const)).flatMap((name): Mismatch[] => {
    const [wanted, found] = [expected[name], actual[name]];
    if (wanted === undefined || found === undefined || fits(found, wanted, terms)) return [];
    const atMost = relation === 'equal' ? '' : 'at most ';
    return [{ expected: `${what}: ${name} ${atMost}${wanted}`, actual: `${found}`, ...(exchange && { exchange }) }];
  });
}

/** A group or bucket that one of them lacks counts as 0. The first few mismatches are enough to see what is wrong. */
export function figureMismatches(
  what: string,
  expected: ReadonlyMap<string, Figures>,
  actual: ReadonlyMap<string, Figures>,
  comparison: Comparison = {},
): Mismatch[] {
  const keys = new Set([...expected.keys(), ...actual.keys()]);
  const found = [...keys].flatMap((key) => {
    const [wanted, given] = [expected.get(key), actual.get(key)];
    const name = `${what}, ${key === '' ? 'the single entry' : key}`;
    const whole = sumMismatches(name, wanted?.whole ?? nothing(), given?.whole ?? nothing(), comparison);
    if (comparison.wholeOnly === true) return whole;
    const count = Math.max(wanted?.buckets.length ?? 0, given?.buckets.length ?? 0);
    const buckets = Array.from({ length: count }, (_, at) => {
      const sums = [wanted, given].map((figures) => figures?.buckets[at] ?? nothing());
      return sumMismatches(`${name}, timeseries[${at}]`, sums[0]!, sums[1]!, comparison);
    }).flat();
    return [...whole, ...buckets];
  });
  return found.slice(0, MOST_SHOWN);
}
