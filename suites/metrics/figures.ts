/** Cost and usage added up over entries, and compared within the tolerance of the rules. */
import type { Flaw, Mismatch } from '../target/violation.ts';
import type { Exchange } from '../target/client.ts';
import type { BillingDimension } from '../../spec/generated/types.ts';
import { billingDimensionTable } from '../../spec/values.ts';
import { keyOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';

const RELATIVE_TOLERANCE = 1e-6;
/** More decimals than these are taken for exact, but for the last one of them. */
const MAX_DECIMALS = 6;
/** Of a price: cents. */
const MIN_COST_DECIMALS = 2;
const MAX_MISMATCHES = 5;

/** Of printed numbers, each of which may have been rounded by itself: nothing is promised of how many decimals it has. */
export interface Amount {
  readonly value: number;
  /** How many printed numbers it is the sum of. */
  readonly terms: number;
  /** The most that one of them has, counted up to MOST_DECIMALS; what is counted, not measured, has as many without showing them. */
  readonly decimals: number;
}

export interface Sum {
  readonly cost: Amount;
  /** Absent where one of the summands has none. */
  readonly usage: Amount | undefined;
}

export interface Figures {
  readonly whole: Sum;
  /** In the order of the timeseries: all groups have the same buckets. */
  readonly buckets: readonly Sum[];
}

/** NaN, which is near nothing, where it is no number. */
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/** A cost as an answer has it. */
export const cost = (value: unknown): Amount => amountOf([numberOf(value)], MIN_COST_DECIMALS);

/** A usage as an answer has it; of which dimension decides whether it is counted or measured. */
export const usage = (value: unknown, dimension: string): Amount => amountOf([numberOf(value)], minDecimals(dimension));

/** Of a usage: GB-seconds and hours may be told in whole ones. */
const minDecimals = (dimension: unknown): number => (unitOf(dimension) === 'count' ? MAX_DECIMALS : 0);

const unitOf = (dimension: unknown): string | undefined =>
  Object.hasOwn(billingDimensionTable, String(dimension))
    ? billingDimensionTable[dimension as BillingDimension].unit
    : undefined;

function decimalsOf(value: number): number {
  let decimals = 0;
  while (decimals < MAX_DECIMALS && !isWhole(value * 10 ** decimals)) decimals += 1;
  return decimals;
}

const isWhole = (scaled: number): boolean =>
  Math.abs(scaled - Math.round(scaled)) <= 4 * Number.EPSILON * Math.abs(scaled);

const zeroAmount: Amount = { value: 0, terms: 0, decimals: 0 };

/** The sum of printed numbers. */
function amountOf(numbers: readonly number[], minDecimalCount: number): Amount {
  let [value, decimals] = [0, minDecimalCount];
  for (const number of numbers) {
    value += number;
    if (decimals < MAX_DECIMALS) decimals = Math.max(decimals, decimalsOf(number));
  }
  return { value, terms: numbers.length, decimals };
}

const zeroSum: Sum = { cost: zeroAmount, usage: zeroAmount };

interface Figure {
  readonly cost: number;
  readonly usage?: number;
}

function sumOfFigures(figures: readonly Figure[], minDecimalCount: number): Sum {
  const usages = figures.flatMap(({ usage: each }) => (each === undefined ? [] : [numberOf(each)]));
  const isComplete = usages.length === figures.length;
  return {
    cost: amountOf(
      figures.map(({ cost: each }) => numberOf(each)),
      MIN_COST_DECIMALS,
    ),
    usage: isComplete ? amountOf(usages, minDecimalCount) : undefined,
  };
}

/** Counted where all of them are. */
const minDecimalsOfAll = (entries: readonly Entry[]): number =>
  Math.min(...entries.map(({ billingDimension }) => minDecimals(billingDimension)));

/** Sums of whole entries, to be compared with what the same answer says of them. */
export const sumOfEntries = (entries: readonly Entry[]): Sum =>
  sumOfFigures(
    entries.map(({ summary }) => summary),
    minDecimalsOfAll(entries),
  );

/** The same, to be compared with what another answer says: there other figures were rounded. */
export const sumOfPrintedFigures = (entries: readonly Entry[]): Sum => ({
  cost: amountOf(printedFigures(entries, 'cost'), MIN_COST_DECIMALS),
  usage: sumOfEntries(entries).usage && amountOf(printedFigures(entries, 'usage'), minDecimalsOfAll(entries)),
});

/** What was rounded: the figure of an entry, or where that is what its buckets add up to, each of theirs. */
const printedFigures = (entries: readonly Entry[], name: 'cost' | 'usage'): number[] =>
  entries.flatMap(({ summary, timeseries }) => {
    const whole = numberOf(summary[name]);
    const printed = timeseries.map((item) => numberOf(item[name])).filter((value) => value !== 0);
    const added = printed.reduce((sum, value) => sum + value, 0);
    return printed.length > 0 && isNearlyEqual(added, whole) ? printed : [whole];
  });

/** But for what adding up in another order changes. */
const isNearlyEqual = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.abs(a);

/** Sums of buckets of these entries. */
export const sumOfItems = (items: Entry['timeseries'], of: readonly Entry[]): Sum =>
  sumOfFigures(items, minDecimalsOfAll(of));

/** Entries with the same values in these fields are taken together. */
export function figuresBy(of: readonly Field[], entries: readonly Entry[]): Map<string, Figures> {
  const groups = Map.groupBy(entries, (entry) => keyOf(entry, of));
  return new Map(
    [...groups].map(([key, group]) => [key, { whole: sumOfPrintedFigures(group), buckets: bucketsOf(group) }]),
  );
}

function bucketsOf(entries: readonly Entry[]): Sum[] {
  const count = Math.max(0, ...entries.map(({ timeseries }) => timeseries.length));
  return Array.from({ length: count }, (_, at) =>
    sumOfItems(
      entries.flatMap(({ timeseries }) => timeseries[at] ?? []),
      entries,
    ),
  );
}

/** Half of the last decimal, for each printed number. Noughts do not tell their decimals: they have those of the other side. */
const rounding = (one: Amount, other: Amount): number =>
  (one.terms / 2) * 10 ** -(one.value === 0 ? other : one).decimals;

/** How many times what rounding may take from a sum it must be, so that a fault can be told from rounding. */
const FINE_FACTOR = 100;

/** Whether its costs are printed so finely that comparing them says something. */
export const isFine = ({ cost: whole }: Sum): boolean => whole.value > FINE_FACTOR * rounding(whole, zeroAmount);

/** How far apart two sums may be. */
function tolerance(a: Amount, b: Amount): number {
  return Math.max(RELATIVE_TOLERANCE * Math.max(Math.abs(a.value), Math.abs(b.value)), rounding(a, b) + rounding(b, a));
}

export function near(a: Amount, b: Amount): boolean {
  return Math.abs(a.value - b.value) <= tolerance(a, b);
}

/** Whether `a` is at most `b`, but for the tolerance. */
function isAtMost(a: Amount, b: Amount): boolean {
  return a.value <= b.value + tolerance(a, b);
}

/** Whether both are one number, but for what calculating it twice may change. */
export function same(a: Amount, b: Amount): boolean {
  const exactly = { decimals: MAX_DECIMALS, terms: 1 };
  return near({ ...a, ...exactly }, { ...b, ...exactly });
}

/** How the two may relate: `same` are answers to one question, between which nothing is rounded. */
const relations = { equal: near, 'not more': isAtMost, same } as const;
export type Relation = keyof typeof relations;

export interface Comparison {
  /** Default: equal. */
  readonly relation?: Relation;
  /** Default: as a whole and bucket by bucket. */
  readonly wholeOnly?: boolean;
  /** Default: usage too, where both have it. */
  readonly costOnly?: boolean;
}

/** How to compare, and the exchange that shows what is wrong. */
export interface ReportedComparison extends Comparison {
  readonly exchange: Exchange;
}

/** `what` opens the sentence: "resourceType=agent, the whole window". */
export function sumFlaws(description: string, expected: Sum, actual: Sum, comparison: Comparison = {}): Flaw[] {
  const { relation = 'equal', costOnly = false } = comparison;
  const fits = relations[relation];
  return (costOnly ? (['cost'] as const) : (['cost', 'usage'] as const)).flatMap((name): Flaw[] => {
    const [wanted, found] = [expected[name], actual[name]];
    if (wanted === undefined || found === undefined || fits(found, wanted)) return [];
    const qualifier = relation === 'not more' ? 'at most ' : '';
    return [{ expected: `${description}: ${name} ${qualifier}${wanted.value}`, actual: `${found.value}` }];
  });
}

export const sumMismatches = (
  description: string,
  expected: Sum,
  actual: Sum,
  { exchange, ...comparison }: ReportedComparison,
): Mismatch[] => sumFlaws(description, expected, actual, comparison).map((flaw) => ({ ...flaw, exchange }));

/** A group or bucket that one of them lacks counts as 0. The first few mismatches are enough to see what is wrong. */
export function figureMismatches(
  description: string,
  expected: ReadonlyMap<string, Figures>,
  actual: ReadonlyMap<string, Figures>,
  { exchange, ...comparison }: ReportedComparison,
): Mismatch[] {
  const keys = new Set([...expected.keys(), ...actual.keys()]);
  const found = [...keys].flatMap((key) => {
    const [wanted, given] = [expected.get(key), actual.get(key)];
    const name = `${description}, ${key === '' ? 'the single entry' : key}`;
    const whole = sumFlaws(name, wanted?.whole ?? zeroSum, given?.whole ?? zeroSum, comparison);
    if (comparison.wholeOnly === true) return whole;
    const count = Math.max(wanted?.buckets.length ?? 0, given?.buckets.length ?? 0);
    const buckets = Array.from({ length: count }, (_, at) => {
      const sums = [wanted, given].map((figures) => figures?.buckets[at] ?? zeroSum);
      return sumFlaws(`${name}, timeseries[${at}]`, sums[0]!, sums[1]!, comparison);
    }).flat();
    return [...whole, ...buckets];
  });
  return found.slice(0, MAX_MISMATCHES).map((flaw) => ({ ...flaw, exchange }));
}
