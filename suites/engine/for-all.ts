/** Tests a property with examples and generated inputs and throws the smallest counterexample as a Violation. */
import * as fc from 'fast-check';
import { chooseInputs, rounds, type ChosenInputs, type Round } from './choose-inputs.ts';
import { inputsOf, testAhead, type Ahead } from './test-ahead.ts';
import { shrinkable, type Smaller } from '../generators/shrinkable.ts';
import { itemAt, newShrinking, shrinkItem } from './shrinking.ts';
import { OutOfTime, Violation } from '../target/violation.ts';
import type { Mismatch } from '../target/violation.ts';

export interface ForEachOptions {
  /** Tests all items or examples, however many there are: each of them is a requirement of its own. Defaults to false. */
  all?: boolean;
  /** How many items or examples the first round tests. Defaults to the first two. */
  firstCount?: number;
  /**
   * Tests one input after the other. Defaults to false for rules that need no write access, true for the others, whose inputs may
   * depend on each other.
   */
  sequential?: boolean;
  /** How many inputs are tested at the same time, at most. Defaults to 1 if they are sequential, otherwise to that of the run. */
  concurrency?: number;
}

export interface FixedInputOptions<T> extends ForEachOptions {
  /** Values that are slightly smaller than a failing item, the smallest first. Defaults to none. */
  smaller?: Smaller<T>;
  /** The mistakes that an item makes: one item of each is tested in every run, and the seed decides which. Defaults to its values. */
  classOf?: (item: T) => string | readonly string[];
}

export interface ForAllOptions<T> extends ForEachOptions {
  /** Inputs to generate at most; 0 for none. Defaults to the `runs` of the run. */
  runs?: number;
  /** Tested before generated inputs: each value that they have, in few of them (see choose-inputs.ts), and some that the seed draws. */
  examples?: readonly T[];
  /** The mistakes that an input makes: one example of each is tested in every run, and the seed decides which. Defaults to its values. */
  classOf?: (input: T) => string | readonly string[];
}

/** Of the inputs of the run, the seed decides one in so many. */
const DRAWN_SHARE = 8;

/** How many inputs of a property the seed decides, beside those that every run tests. */
export const drawnCount = ({ runs }: { readonly runs: number }): number => Math.ceil(runs / DRAWN_SHARE);

/**
 * Scales the number of inputs for rules that need fewer: `perHundred` of every 100 inputs of the run. Inputs that leave a
 * resource or a deployment behind have a fixed number instead.
 */
export const scaleRuns = ({ runs }: { readonly runs: number }, perHundred: number): number =>
  Math.ceil((runs * perHundred) / 100);

export type Inputs<T extends object> = { [K in keyof T]: fc.Arbitrary<T[K]> };
export type Property<T> = (input: T) => Promise<readonly Mismatch[]>;

export interface PropertyRun {
  seed: number;
  /** Inputs to generate, if the property has no examples: otherwise the seed decides one of eight. */
  runs: number;
  /** The property's position in the case, from 1. */
  number: number;
  /** Decides which further examples are drawn, and which example represents a mistake. */
  drawSeed?: number;
  /** Whether to test all examples, however many there are: otherwise observations would be lost. */
  testsAllExamples?: boolean;
  /** Tests only the input at this path. */
  path?: string;
  /** How many inputs are tested at the same time, until one fails, unless the property says otherwise. */
  concurrency: number;
  /** How many inputs a property may test at the same time. Defaults to `concurrency`. */
  maxConcurrency?: number;
  /** The round to test. Defaults to both. */
  round?: Round;
  /** Whether the rule has tested nothing yet, so that it is not tried if the time is up. */
  isFirst?: boolean;
  /** Whether to test no further input, because the time of the run is over. */
  isTimeUp?: () => boolean;
  /** Resolves when started inputs are not awaited any longer. */
  cutOff?: Promise<void>;
  /** Called with the first failing input before smaller ones are tested. */
  onFailure?: (violation: Violation) => void;
  /** Called with the inputs of both rounds, in order, before those of this round are tested. */
  onInputs?: (inputs: readonly unknown[]) => void;
}

export interface PropertyResult {
  /** Inputs tested in this round. */
  readonly tried: number;
  /** Undefined if no round follows. */
  readonly nextRound: Round | undefined;
  /** Whether inputs of this round were skipped, because the time of the run was over. */
  readonly isCut: boolean;
  /** The input of a replay, if it holds. */
  readonly replayed?: unknown;
}

/** A record whose parts shrink on their own, also in examples. */
export function recordOf<T extends object>(inputs: Inputs<T>): fc.Arbitrary<T> {
  const parts = Object.entries<fc.Arbitrary<unknown>>(inputs).map(([name, part]) => [name, shrinkable(part)]);
  return fc.record<T>(Object.fromEntries(parts) as Inputs<T>);
}

/** Errors other than Violation are rethrown without shrinking. */
export async function forAll<T extends object>(
  run: PropertyRun,
  inputs: Inputs<T>,
  property: Property<T>,
  options: ForAllOptions<T> = {},
): Promise<PropertyResult> {
  const all = options.examples ?? [];
  const chosen = choose(run, all, options.runs ?? run.runs, options);
  const examples = chosen.examples.map((index): [T] => [all[index] as T]);
  const check: Check<T> = (test, limits) =>
    fc.check(fc.asyncProperty(recordOf(inputs), test), {
      seed: run.seed,
      numRuns: examples.length + chosen.generatedCount,
      examples,
      reporter: undefined as never,
      ...limits,
    });
  if (run.path !== undefined) return replay(run, check, property, run.path);
  const values: readonly T[] = await inputsOf<T>((test) => check(test, {}));
  if (values.length === 0 && chosen.ends[2] > 0) throw new Error('No inputs could be generated.');
  const { count, failure, isCut } = await testInOrder(run, values, chosen, property, options);
  if (failure === undefined) return { tried: count, nextRound: nextRound(run, chosen), isCut };
  return throwSmallest(run, check, property, failure);
}

/** Tests fixed inputs. A failing one shrinks as `smaller` says. */
export async function forEach<T>(
  run: PropertyRun,
  items: readonly T[],
  property: Property<T>,
  options: FixedInputOptions<T> = {},
): Promise<PropertyResult> {
  const { smaller = () => [] } = options;
  const chosen = choose(run, items, 0, options);
  const inputs = chosen.examples.map((index) => items[index] as T);
  if (run.path !== undefined) return replayItem(run, inputs, property, run.path, smaller);
  const { count, failure, isCut } = await testInOrder(run, inputs, chosen, property, options);
  if (failure === undefined) return { tried: count, nextRound: nextRound(run, chosen), isCut };
  const shrinking = newShrinking(run);
  const failing = { input: inputs[failure.index] as T, path: String(failure.index) };
  const { input, path } = await shrinkItem(failing, smaller, property, shrinking);
  throw new Violation(shrinking.mismatches() ?? failure.mismatches, {
    input,
    seed: run.seed,
    path,
    property: run.number,
    shrinking: shrinking.end(),
  });
}

async function replayItem<T>(
  run: PropertyRun,
  items: readonly T[],
  property: Property<T>,
  path: string,
  smaller: Smaller<T>,
): Promise<PropertyResult> {
  const input = itemAt(items, path, smaller);
  if (input === undefined) throw unknownPath(path);
  const mismatches = (await mismatchesIn(property(input))) ?? [];
  if (mismatches.length === 0) return { tried: 1, nextRound: undefined, isCut: false, replayed: input };
  throw new Violation(mismatches, { input, seed: run.seed, path, property: run.number, shrinking: 'none' });
}

const unknownPath = (path: string): Error => new Error(`The path ${path} leads to no input of this target.`);

type Check<T> = (
  test: (input: T) => Promise<boolean>,
  limits: { numRuns?: number; path?: string; endOnFailure?: boolean },
) => Promise<fc.RunDetails<[T]>>;

function choose<T>(
  run: PropertyRun,
  examples: readonly T[],
  maxGenerated: number,
  { all = false, firstCount, classOf }: ForEachOptions & { classOf?: (example: T) => string | readonly string[] },
): ChosenInputs {
  const { seed, drawSeed = seed, number, testsAllExamples } = run;
  return chooseInputs({
    examples,
    classOf,
    maxGenerated,
    testsAll: all || testsAllExamples === true,
    drawnCount: drawnCount(run),
    firstCount,
    seed: drawSeed + number,
  });
}

/** From inclusive, to exclusive. */
function sliceOf({ round }: PropertyRun, { ends }: ChosenInputs): { start: number; end: number } {
  if (round === undefined) return { start: 0, end: ends[2] };
  return { start: round === 1 ? 0 : ends[1], end: ends[round] };
}

function nextRound({ round: current }: PropertyRun, { ends }: ChosenInputs): Round | undefined {
  return current && rounds.find((round) => round > current && ends[round] > ends[current]);
}

interface Failure {
  /** Among all inputs of the property. */
  readonly index: number;
  readonly mismatches: readonly Mismatch[];
}

interface Tested {
  /** Inputs that hold. */
  readonly count: number;
  readonly failure?: Failure;
  readonly isCut: boolean;
}

/**
 * Tests the inputs of the round, concurrently if that is allowed. The first failing one in order counts, whenever its result
 * arrives, also after the time is up.
 */
async function testInOrder<T>(
  run: PropertyRun,
  inputs: readonly T[],
  chosen: ChosenInputs,
  property: Property<T>,
  options: ForEachOptions,
): Promise<Tested> {
  const { isTimeUp = () => false, isFirst = run.round === 1 } = run;
  const { start, end } = sliceOf(run, chosen);
  run.onInputs?.(inputs);
  const ahead = testAhead(inputs.slice(start, end), property, {
    concurrency: concurrencyOf(run, options),
    mayStart: () => !isTimeUp(),
  });
  try {
    for (const [count, result] of ahead.results.entries()) {
      const index = start + count;
      const mismatches = await mismatchesIn(result);
      if (mismatches === undefined && isFirst) throw new OutOfTime();
      if (mismatches === undefined) return { count, isCut: true };
      if (mismatches.length > 0) {
        const failing = { input: inputs[index], path: String(index), seed: run.seed, property: run.number };
        run.onFailure?.(new Violation(mismatches, { ...failing, shrinking: 'none' }));
        return { count, failure: { index, mismatches }, isCut: false };
      }
    }
    return { count: ahead.results.length, isCut: false };
  } finally {
    await Promise.race([ahead.stop(), ...(run.cutOff ? [run.cutOff] : [])]);
  }
}

function concurrencyOf(run: PropertyRun, { sequential, concurrency }: ForEachOptions): number {
  const max = run.maxConcurrency ?? run.concurrency;
  if (concurrency !== undefined) return Math.min(concurrency, max);
  if (sequential === undefined) return run.concurrency;
  return sequential ? 1 : max;
}

async function mismatchesIn(result: Ahead['results'][number]): Promise<readonly Mismatch[] | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Violation) return error.mismatches;
    throw error;
  }
}

/** Shrinks a failing input and throws the smallest one that fails. */
async function throwSmallest<T>(
  run: PropertyRun,
  check: Check<T>,
  property: Property<T>,
  { index, mismatches }: Failure,
): Promise<never> {
  let position = 0;
  const shrinking = newShrinking(run);
  const outcome = await check(
    // Inputs before the failing one have passed. Shrinking is sequential: each input depends on the result before it.
    async (input) => position++ < index || (position > index + 1 && (await shrinking.holds(() => property(input)))),
    { numRuns: index + 1 },
  );
  throw new Violation(shrinking.mismatches() ?? mismatches, {
    input: outcome.counterexample?.[0],
    seed: run.seed,
    path: outcome.counterexamplePath ?? '',
    property: run.number,
    shrinking: shrinking.end(),
  });
}

async function replay<T>(
  run: PropertyRun,
  check: Check<T>,
  property: Property<T>,
  path: string,
): Promise<PropertyResult> {
  const shrinking = newShrinking();
  let inputCount = 0;
  let replayed: T | undefined;
  // The smaller inputs that follow if it holds are not tested.
  const test = async (input: T) => {
    if ((inputCount += 1) > 1) return true;
    replayed = input;
    return shrinking.holds(() => property(input));
  };
  const outcome = await check(test, { numRuns: 1, path, endOnFailure: true });
  if (inputCount === 0) throw unknownPath(path);
  const failure = shrinking.harnessError();
  if (failure !== undefined) throw failure.error;
  const mismatches = shrinking.mismatches();
  if (mismatches === undefined) return { tried: 1, nextRound: undefined, isCut: false, replayed };
  throw new Violation(mismatches, {
    input: outcome.counterexample?.[0],
    seed: run.seed,
    path: outcome.counterexamplePath ?? '',
    property: run.number,
    shrinking: 'none',
  });
}
