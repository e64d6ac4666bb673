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
  /** The mistake that an example makes. Defaults to the values that it has: see `valuesOf`. */
  readonly classOf?: ((example: never) => string) | undefined;
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
  const classes = classOf && examples.map((each) => classOf(each as never));
  const always = testsAll
    ? [...examples.keys()]
    : classes === undefined
      ? oneOfEachValue(examples.map(valuesOf))
      : oneOfEach(classes, seed);
  const others = [...examples.keys()].filter((index) => !always.includes(index));
  const drawn = classes === undefined ? draw(others, Math.min(drawnCount, others.length), seed) : [];
  const generatedCount = examples.length === 0 ? maxGenerated : Math.min(maxGenerated, drawnCount);
  const all = always.length + drawn.length + generatedCount;
  return {
    examples: [...always, ...drawn],
    generatedCount,
    ends: { 1: Math.min(firstCount, all), 2: all },
  };
}

/** An example of each class, in the order of the classes. */
function oneOfEach(classes: readonly string[], seed: number): number[] {
  const byClass = Map.groupBy(classes.keys(), (index) => classes[index]!);
  return [...byClass.values()].flatMap((indices, at) => draw(indices, 1, seed + at));
}

/** The value of each field, and which fields there are; of another example, itself. */
function valuesOf(example: unknown): string[] {
  if (!isFields(example)) return [fc.stringify(example)];
  const values = Object.entries(example).map(([name, value]) => `${name}: ${fc.stringify(value)}`);
  return [...values, Object.keys(example).join(' ')];
}

/** Few examples that have all values, found greedily: each is the first of those that have most of the values still missing. */
function oneOfEachValue(valuesByExample: readonly (readonly string[])[]): number[] {
  const missing = new Set(valuesByExample.flat());
  const chosen: number[] = [];
  while (missing.size > 0) {
    const gains = valuesByExample.map((values) => values.filter((value) => missing.has(value)).length);
    const best = gains.indexOf(Math.max(...gains));
    for (const value of valuesByExample[best]!) missing.delete(value);
    chosen.push(best);
  }
  return chosen;
}

/** Some of the indices, in ascending order. */
function draw(indices: readonly number[], count: number, seed: number): number[] {
  const [drawn = []] = fc.sample(fc.shuffledSubarray([...indices], { minLength: count, maxLength: count }), {
    seed,
    numRuns: 1,
  });
  return drawn.toSorted((one, other) => one - other);
}
