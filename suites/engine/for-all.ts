/** Tests a property with generated inputs and throws the smallest counterexample as a Violation. */
import * as fc from 'fast-check';
import { inputsOf, testAhead } from './test-ahead.ts';
import { shrinkable } from '../generators/shrinkable.ts';
import { Violation } from '../target/violation.ts';
import type { Mismatch } from '../target/violation.ts';

export interface ForAllOptions<T> {
  /** Inputs to generate. Defaults to the `runs` of the run. */
  runs?: number;
  /** Tried first: boundary values. */
  examples?: readonly T[];
  /** Tests one input after the other. Defaults to false for rules that need no write access, true for the others. */
  sequential?: boolean;
}

/**
 * Scales the number of inputs for rules that need fewer: `perHundred` of every 100 inputs of the run. Inputs that leave a
 * resource or a deployment behind have a fixed number instead.
 */
export const scaleRuns = ({ runs }: { readonly runs: number }, perHundred: number): number =>
  Math.ceil((runs * perHundred) / 100);

export type Inputs<T extends object> = { [K in keyof T]: fc.Arbitrary<T[K]> };
export type Property<T> = (input: T) => Promise<readonly Mismatch[]>;

/** The most inputs tried while shrinking, because each sends requests. */
const MAX_SHRINKS = 300;

/** The state of one property, outside of fast-check. */
interface Progress {
  triedCount: number;
  shrinkCount: number;
  failure?: { mismatches: readonly Mismatch[] };
  harnessError?: { error: unknown };
}

export interface PropertyRun {
  seed: number;
  /** Inputs to generate. */
  runs: number;
  /** The property's position in the case, from 1. */
  number: number;
  /** Tests only the input at this path. */
  path?: string;
  /** How many inputs are tested at the same time, until one fails. */
  concurrency: number;
}

/** A record whose parts shrink on their own, also in examples. */
export function recordOf<T extends object>(inputs: Inputs<T>): fc.Arbitrary<T> {
  const parts = Object.entries<fc.Arbitrary<unknown>>(inputs).map(([name, part]) => [name, shrinkable(part)]);
  return fc.record<T>(Object.fromEntries(parts) as Inputs<T>);
}

/** Returns the number of inputs tested. Errors other than Violation are rethrown without shrinking. */
export async function forAll<T extends object>(
  { seed, runs, number, path, concurrency }: PropertyRun,
  inputs: Inputs<T>,
  property: Property<T>,
  options: ForAllOptions<T> = {},
): Promise<number> {
  const progress: Progress = { triedCount: 0, shrinkCount: 0 };
  const examples = (options.examples ?? []).map((example): [T] => [example]);
  const numRuns = path === undefined ? (options.runs ?? runs) + examples.length : 1;
  const replayed = path === undefined ? {} : { path, endOnFailure: true };
  const check = (test: (input: T) => Promise<boolean>) =>
    fc.check(fc.asyncProperty(recordOf(inputs), test), {
      seed,
      numRuns,
      examples,
      ...replayed,
      reporter: undefined as never,
    });
  const isConcurrent = concurrency > 1 && numRuns > 1 && options.sequential !== true;
  const ahead = isConcurrent ? testAhead(await inputsOf(check), property, concurrency) : undefined;
  const outcome = await check(async (input) => {
    // Shrinking is sequential: each input depends on the result before it.
    const test = progress.failure === undefined ? ahead?.next() : undefined;
    const holds = await tryInput(test ?? (() => property(input)), progress);
    if (!holds || progress.harnessError !== undefined) await ahead?.stop();
    return holds;
  });
  await ahead?.stop();
  if (progress.failure !== undefined) {
    const failingInput = {
      input: outcome.counterexample?.[0],
      seed,
      path: outcome.counterexamplePath ?? '',
      property: number,
    };
    throw new Violation(progress.failure.mismatches, failingInput);
  }
  if (progress.harnessError !== undefined) throw progress.harnessError.error;
  if (outcome.failed) throw new Error(`No inputs could be generated: preconditions rejected ${outcome.numSkips}.`);
  return progress.triedCount;
}

/** Whether the property holds. Returns true after a harness error or too many shrinks, so that fast-check stops. */
async function tryInput(test: () => Promise<readonly Mismatch[]>, progress: Progress): Promise<boolean> {
  if (progress.harnessError !== undefined || progress.shrinkCount > MAX_SHRINKS) return true;
  if (progress.failure !== undefined) progress.shrinkCount += 1;
  try {
    const mismatches = await test();
    progress.triedCount += 1;
    if (mismatches.length === 0) return true;
    progress.failure = { mismatches };
    return false;
  } catch (error) {
    if (fc.PreconditionFailure.isFailure(error)) throw error;
    if (error instanceof Violation) {
      progress.failure = { mismatches: error.mismatches };
      return false;
    }
    progress.harnessError = { error };
    return true;
  }
}
