/** Sums cost and usage over entries and compares the sums within the tolerance of the rules. */
import type { MustId } from '../../spec/requirements/index.ts';
import { formatValue } from '../expect/format-value.ts';
import { NotTried, type Difference, type Mismatch } from '../target/violation.ts';
import type { Exchange } from '../target/client.ts';
import type { BillingDimension } from '../../spec/generated/types.ts';
import { billingDimensionTable } from '../../spec/values.ts';
import { keyOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';

const RELATIVE_TOLERANCE = 1e-6;
/** Numbers with more decimals count as exact to this decimal. */
const MAX_DECIMALS = 6;
/** Costs have at least cents. */
const MIN_COST_DECIMALS = 2;
const MAX_MISMATCHES = 5;

/** A sum of printed numbers, each of which may be rounded. The number of decimals is not documented. */
export interface Amount {
  readonly value: number;
  /** The number of summed values. */
  readonly terms: number;
  /**
   * The largest number of decimals of a term, at most MAX_DECIMALS. Counted (not measured) usage always has
   * MAX_DECIMALS.
   */
  readonly decimals: number;
}

export interface Sum {
  readonly cost: Amount;
  /** Undefined if one of the terms has no usage. */
  readonly usage: Amount | undefined;
}

export interface Figures {
  readonly whole: Sum;
  /** In timeseries order: all groups have the same buckets. */
  readonly buckets: readonly Sum[];
}

/** Throws NotTried if the value is not a number: then nothing can be compared with it, and the rules about its type fail. */
function numberOf(value: unknown, rule: MustId): number {
  if (typeof value === 'number') return value;
  throw new NotTried(`figures that are numbers: one is ${formatValue(value)}, which breaks ${rule}`);
}

const costOf = (value: unknown): number => numberOf(value, 'metrics.cost.always-there');
/** NaN, which is near nothing, if it is absent. */
const usageOf = (value: unknown): number =>
  value === undefined ? Number.NaN : numberOf(value, 'metrics.usage.with-billing-dimension');

/** A cost as printed in a response. */
export const cost = (value: unknown): Amount => amountOf([costOf(value)], MIN_COST_DECIMALS);

/** A usage as printed in a response. Its dimension decides whether it is counted or measured. */
export const usage = (value: unknown, dimension: string): Amount => amountOf([usageOf(value)], minDecimals(dimension));

/** GB-seconds and hours may be rounded to whole numbers. */
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
  const usages = figures.flatMap(({ usage: each }) => (each === undefined ? [] : [usageOf(each)]));
  const isComplete = usages.length === figures.length;
  return {
    cost: amountOf(
      figures.map(({ cost: each }) => costOf(each)),
      MIN_COST_DECIMALS,
    ),
    usage: isComplete ? amountOf(usages, minDecimalCount) : undefined,
  };
}

/** The minimum over all entries. */
const minDecimalsOfAll = (entries: readonly Entry[]): number =>
  Math.min(...entries.map(({ billingDimension }) => minDecimals(billingDimension)));

/** Sums whole entries, for comparison within one response. */
export const sumOfEntries = (entries: readonly Entry[]): Sum =>
  sumOfFigures(
    entries.map(({ summary }) => summary),
    minDecimalsOfAll(entries),
  );

/** Sums whole entries, for comparison with another response, in which other figures were rounded. */
export const sumOfPrintedFigures = (entries: readonly Entry[]): Sum => ({
  cost: amountOf(printedFigures(entries, 'cost'), MIN_COST_DECIMALS),
  usage: sumOfEntries(entries).usage && amountOf(printedFigures(entries, 'usage'), minDecimalsOfAll(entries)),
});

/** The rounded figures: those of the buckets if the entry is their sum, otherwise the entry's own. */
const printedFigures = (entries: readonly Entry[], name: 'cost' | 'usage'): number[] =>
  entries.flatMap(({ summary, timeseries }) => {
    const figureOf = name === 'cost' ? costOf : usageOf;
    const whole = figureOf(summary[name]);
    const printed = timeseries.map((item) => figureOf(item[name])).filter((value) => value !== 0);
    const added = printed.reduce((sum, value) => sum + value, 0);
    return printed.length > 0 && isNearlyEqual(added, whole) ? printed : [whole];
  });

/** Equal except for floating-point error. */
const isNearlyEqual = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.abs(a);

/** Sums buckets of these entries. */
export const sumOfItems = (items: Entry['timeseries'], of: readonly Entry[]): Sum =>
  sumOfFigures(items, minDecimalsOfAll(of));

/** Sums the entries that have the same values in these fields. */
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

/** One of the last decimal per term, because a term may be rounded down or up. The decimals of a zero are those of the other side. */
const rounding = (one: Amount, other: Amount): number => one.terms * 10 ** -(one.value === 0 ? other : one).decimals;

/** A sum is comparable if it is at least this many times its rounding error. */
const FINE_FACTOR = 50;

/** Whether the costs are precise enough to be compared. */
export const isFine = ({ cost: whole }: Sum): boolean => whole.value > FINE_FACTOR * rounding(whole, zeroAmount);

/** Whether buckets without cost contradict the cost of their groups: rounding each bucket to cents cannot lose that much. */
export const hasLostCost = (buckets: Sum, groups: Sum): boolean =>
  buckets.cost.value === 0 && groups.cost.value > buckets.cost.terms * 10 ** -MIN_COST_DECIMALS;

/** The maximum difference of two sums. */
function tolerance(a: Amount, b: Amount): number {
  return Math.max(RELATIVE_TOLERANCE * Math.max(Math.abs(a.value), Math.abs(b.value)), rounding(a, b) + rounding(b, a));
}

export function near(a: Amount, b: Amount): boolean {
  return Math.abs(a.value - b.value) <= tolerance(a, b);
}

/** Like `near`, for figures of one response: all of them are as precise as the most precise one (decision 059). */
export function nearInOneResponse(a: Amount, b: Amount): boolean {
  const decimals = Math.max(a.decimals, b.decimals);
  return near({ ...a, decimals }, { ...b, decimals });
}

/** Whether `a` is at most `b` within the tolerance. */
function isAtMost(a: Amount, b: Amount): boolean {
  return a.value <= b.value + tolerance(a, b);
}

/** Whether both are equal except for floating-point error. */
export function same(a: Amount, b: Amount): boolean {
  const exactly = { decimals: MAX_DECIMALS, terms: 1 };
  return near({ ...a, ...exactly }, { ...b, ...exactly });
}

/**
 * `equal in one response` compares figures of one response; `same` compares two responses to the same query, which have the
 * same rounding.
 */
const relations = { equal: near, 'equal in one response': nearInOneResponse, 'not more': isAtMost, same } as const;
export type Relation = keyof typeof relations;

export interface Comparison {
  /** Default: equal. */
  readonly relation?: Relation;
  /** Default: as a whole and bucket by bucket. */
  readonly wholeOnly?: boolean;
  /** Default: also usage, if both have it. */
  readonly costOnly?: boolean;
}

/** A comparison and the exchange to report. */
export interface ReportedComparison extends Comparison {
  readonly exchange: Exchange;
}

/** `description` starts the message: "resourceType=agent, the whole window". */
export function sumFlaws(description: string, expected: Sum, actual: Sum, comparison: Comparison = {}): Difference[] {
  const { relation = 'equal', costOnly = false } = comparison;
  const fits = relations[relation];
  return (costOnly ? (['cost'] as const) : (['cost', 'usage'] as const)).flatMap((name): Difference[] => {
    const [expectedFigure, found] = [expected[name], actual[name]];
    if (expectedFigure === undefined || found === undefined || fits(found, expectedFigure)) return [];
    const qualifier = relation === 'not more' ? 'at most ' : '';
    return [{ expected: `${description}: ${name} ${qualifier}${expectedFigure.value}`, actual: `${found.value}` }];
  });
}

export const sumMismatches = (
  description: string,
  expected: Sum,
  actual: Sum,
  { exchange, ...comparison }: ReportedComparison,
): Mismatch[] => sumFlaws(description, expected, actual, comparison).map((flaw) => ({ ...flaw, exchange }));

/** A missing group or bucket counts as 0. At most MAX_MISMATCHES. */
export function figureMismatches(
  description: string,
  expected: ReadonlyMap<string, Figures>,
  actual: ReadonlyMap<string, Figures>,
  { exchange, ...comparison }: ReportedComparison,
): Mismatch[] {
  const keys = new Set([...expected.keys(), ...actual.keys()]);
  const found = [...keys].flatMap((key) => {
    const [expectedFigures, actualFigures] = [expected.get(key), actual.get(key)];
    const name = `${description}, ${key === '' ? 'the single entry' : key}`;
    const whole = sumFlaws(name, expectedFigures?.whole ?? zeroSum, actualFigures?.whole ?? zeroSum, comparison);
    if (comparison.wholeOnly === true) return whole;
    const count = Math.max(expectedFigures?.buckets.length ?? 0, actualFigures?.buckets.length ?? 0);
    const buckets = Array.from({ length: count }, (_, at) => {
      const sums = [expectedFigures, actualFigures].map((figures) => figures?.buckets[at] ?? zeroSum);
      return sumFlaws(`${name}, timeseries[${at}]`, sums[0]!, sums[1]!, comparison);
    }).flat();
    return [...whole, ...buckets];
  });
  return found.slice(0, MAX_MISMATCHES).map((flaw) => ({ ...flaw, exchange }));
}
