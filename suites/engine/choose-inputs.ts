/** Decides which inputs of a property a run tests, and in which round. */
import * as fc from 'fast-check';
import { isFields } from '../json/fields.ts';

/** The first inputs of every property, and all: the second round begins where the first one ended. */
export const rounds = [1, 2] as const;
export type Round = (typeof rounds)[number];

export interface ChosenInputs {
  /** Indices of examples, in the order in which they are tested. */
  readonly examples: readonly number[];
  /** Inputs to generate. They are tested after the examples. */
  readonly generatedCount: number;
  /** How many of all inputs have been tested after each round. */
  readonly ends: Readonly<Record<Round, number>>;
}

const FIRST_COUNT = 2;

export interface Available {
  readonly examples: readonly unknown[];
  /** The mistakes that an example makes. Defaults to the values that it has: see `valuesOf`. */
  readonly classOf?: ((example: never) => string | readonly string[]) | undefined;
  /** Inputs that the property generates at most. */
  readonly maxGenerated: number;
  /** Whether to test all examples. Defaults to false. */
  readonly testsAll?: boolean;
  /** Inputs that the seed decides: other examples, and generated ones. */
  readonly drawnCount: number;
  /** How many the first round tests. */
  readonly firstCount?: number | undefined;
  readonly seed: number;
}

/**
 * Every mistake and every value that the examples have is tested in every run, whatever the seed, in the order of the examples.
 * The seed decides about the rest. The same for the same arguments.
 */
export function chooseInputs(available: Available): ChosenInputs {
  const { examples, classOf, maxGenerated, testsAll = false, drawnCount, seed } = available;
  const { firstCount = FIRST_COUNT } = available;
  const indices = [...examples.keys()];
  const classes = examples.map((each) => (classOf === undefined ? valuesOf(each) : [classOf(each as never)].flat()));
  // The seed decides which example represents a mistake.
  const always = testsAll ? indices : oneOfEach(classes, classOf === undefined ? indices : shuffled(indices, seed));
  const others = indices.filter((index) => !always.includes(index));
  const drawn = classOf === undefined ? shuffled(others, seed).slice(0, drawnCount) : [];
  const generatedCount = examples.length === 0 ? maxGenerated : Math.min(maxGenerated, drawnCount);
  const all = always.length + drawn.length + generatedCount;
  return {
    examples: [...always, ...drawn],
    generatedCount,
    ends: { 1: Math.min(firstCount, all), 2: all },
  };
}

/** The value of each field, and which fields there are; of another example, itself. */
function valuesOf(example: unknown): string[] {
  if (!isFields(example)) return [fc.stringify(example)];
  const values = Object.entries(example).map(([name, value]) => `${name}: ${fc.stringify(value)}`);
  return [...values, Object.keys(example).join(' ')];
}

/**
 * Few examples that have all classes, found greedily: each is the first in `order` of those that have most of the classes still
 * missing. Sorted by the first class of each.
 */
function oneOfEach(classes: readonly (readonly string[])[], order: readonly number[]): number[] {
  const missing = new Set(classes.flat());
  const rank = new Map([...missing].map((each, index) => [each, index]));
  const rankOf = (index: number): number => rank.get(classes[index]![0]!)!;
  const chosen: number[] = [];
  while (missing.size > 0) {
    const gains = order.map((index) => classes[index]!.filter((each) => missing.has(each)).length);
    const best = order[gains.indexOf(Math.max(...gains))]!;
    for (const each of classes[best]!) missing.delete(each);
    chosen.push(best);
  }
  return chosen.toSorted((one, other) => rankOf(one) - rankOf(other) || one - other);
}

const shuffled = (indices: readonly number[], seed: number): number[] =>
  fc.sample(fc.shuffledSubarray([...indices], { minLength: indices.length }), { seed, numRuns: 1 })[0]!;
