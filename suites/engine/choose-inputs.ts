/** Decides which inputs of a property a run tests, and in which round: the most informative ones first. */
import * as fc from 'fast-check';

/** The inputs of the first, the second, and all rounds: each round begins where the one before ended. */
export const rounds = [1, 2, 3] as const;
export type Round = (typeof rounds)[number];

/** Of the examples of one property, by index: those that detect most deviations, and all others that detect any. */
export type InformativeInputs = readonly [
  first: readonly number[],
  second: readonly number[],
  /** How many examples there were: another number means that the indices belong to other examples. */
  exampleCount: number,
];

export interface ChosenInputs {
  /** Indices of examples, in the order in which they are tested. */
  readonly examples: readonly number[];
  /** Inputs to generate. They are tested after the examples. */
  readonly generatedCount: number;
  /** How many of all inputs have been tested after each round. */
  readonly ends: Readonly<Record<Round, number>>;
}

/** Of a property about which nothing is known. */
const FIRST_COUNT = 2;
const SECOND_COUNT = 8;

/** At least one of four inputs is generated, if the property generates any. */
const MAX_EXAMPLES_SHARE = 3 / 4;

/** If one example of each class is tested, generated inputs only look for what no class is about. */
const GENERATED_OF_CLASSES = 3;

export interface Available {
  readonly exampleCount: number;
  /** Inputs that the property generates at most. */
  readonly maxGenerated: number;
  /** All inputs of the property, at most. Informative ones are tested even beyond it. */
  readonly maxInputs: number;
  /** Whether to test all examples, even beyond `maxInputs`. Defaults to false. */
  readonly testsAll?: boolean;
  readonly informative: InformativeInputs | undefined;
  /** The class of each example: one of each class is tested, however many there are. Defaults to one class for all. */
  readonly classes?: readonly string[];
  /** How many the first round tests. Defaults to the informative ones. */
  readonly firstCount?: number;
  /** Decides which of the other examples are tested. */
  readonly seed: number;
}

/** The same for the same arguments. */
export function chooseInputs(available: Available): ChosenInputs {
  const { exampleCount, maxGenerated, maxInputs, informative, classes, seed } = available;
  const isExample = (index: number): boolean => index < exampleCount;
  const [first, second] = [informative?.[0] ?? [], informative?.[1] ?? []].map((indices) => indices.filter(isExample));
  const known = [...(first ?? []), ...(second ?? [])];
  const others = Array.from({ length: exampleCount }, (_, index) => index).filter((index) => !known.includes(index));
  const maxOther = Math.max(0, maxExamplesOf(available) - known.length);
  const drawn =
    classes !== undefined && available.testsAll !== true
      ? oneOfEach(classes, known, seed)
      : others.length <= maxOther
        ? others
        : draw(others, maxOther, seed);
  const examples = [...known, ...drawn];
  const minGenerated = classes === undefined ? Math.ceil(maxInputs * (1 - MAX_EXAMPLES_SHARE)) : GENERATED_OF_CLASSES;
  const wanted = classes === undefined ? maxInputs - examples.length : 0;
  const generatedCount = Math.min(maxGenerated, Math.max(minGenerated, wanted));
  const all = examples.length + generatedCount;
  // The first round judges every rule, not every property; the second one does.
  const firstEnd = available.firstCount ?? (informative === undefined ? FIRST_COUNT : (first?.length ?? 0));
  const secondEnd = informative === undefined ? Math.max(SECOND_COUNT, firstEnd) : Math.max(1, known.length);
  return { examples, generatedCount, ends: { 1: Math.min(firstEnd, all), 2: Math.min(secondEnd, all), 3: all } };
}

function maxExamplesOf({ testsAll = false, exampleCount, maxGenerated, maxInputs }: Available): number {
  if (testsAll) return exampleCount;
  return maxGenerated === 0 ? maxInputs : Math.ceil(maxInputs * MAX_EXAMPLES_SHARE);
}

/** An example of each class that none of the `known` ones has, in the order of the classes. */
function oneOfEach(classes: readonly string[], known: readonly number[], seed: number): number[] {
  const byClass = Map.groupBy(classes.keys(), (index) => classes[index]!);
  for (const index of known) byClass.delete(classes[index]!);
  return [...byClass.values()].flatMap((indices, at) => draw(indices, 1, seed + at));
}

/** Some of the indices, in ascending order. */
function draw(indices: readonly number[], count: number, seed: number): number[] {
  const [drawn = []] = fc.sample(fc.shuffledSubarray([...indices], { minLength: count, maxLength: count }), {
    seed,
    numRuns: 1,
  });
  return drawn.toSorted((one, other) => one - other);
}
