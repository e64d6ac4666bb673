/** Tries a property on generated inputs, shrinks what breaks it, and throws the smallest counterexample as a Violation. */
import * as fc from 'fast-check';
import { Violation } from '../target/violation.ts';
import type { Mismatch } from '../target/violation.ts';

export interface ForAllOptions<T> {
  /** Inputs to generate; left out: those of the run. */
  runs?: number;
  /** Tried first: boundary values. */
  examples?: readonly T[];
}

/**
 * For rules of which 100 inputs would be more than it takes, though a longer run may try more: so many of the 100 inputs of
 * a plain run, and that share of another's. What is accepted and leaves a deployment or a resource is bounded for good instead.
 */
export const scaleRuns = ({ runs }: { readonly runs: number }, perHundred: number): number =>
  Math.ceil((runs * perHundred) / 100);

export type Inputs<T extends object> = { [K in keyof T]: fc.Arbitrary<T[K]> };
export type Property<T> = (input: T) => Promise<readonly Mismatch[]>;

/** After the first failure at most so many further inputs are tried while shrinking: each costs requests. */
const MAX_SHRINKS = 300;

/** What one property came to, seen from outside fast-check. */
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
  /** Which property of the case it is, counted from 1. */
  number: number;
  /** Tries the input at this path of the seed alone. */
  path?: string;
}

/** Gives the number of inputs tried. Whatever the property throws besides a Violation is thrown on, never shrunk. */
export async function forAll<T extends object>(
  { seed, runs, number, path }: PropertyRun,
  inputs: Inputs<T>,
  property: Property<T>,
  options: ForAllOptions<T> = {},
): Promise<number> {
  const progress: Progress = { triedCount: 0, shrinkCount: 0 };
  const asyncProperty = fc.asyncProperty(fc.record(inputs), (input) => tryInput(input, property, progress));
  const examples = (options.examples ?? []).map((example): [T] => [example]);
  const numRuns = path === undefined ? (options.runs ?? runs) + examples.length : 1;
  const replayed = path === undefined ? {} : { path, endOnFailure: true };
  const outcome = await fc.check(asyncProperty, { seed, numRuns, examples, ...replayed, reporter: undefined as never });
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
  if (outcome.failed)
    throw new Error(`The inputs cannot be generated: ${outcome.numSkips} were left out by their preconditions.`);
  return progress.triedCount;
}

/** True where it holds; after trouble, or when shrinking has gone on for long, true at once so that fast-check ends. */
async function tryInput<T>(input: T, property: Property<T>, progress: Progress): Promise<boolean> {
  if (progress.harnessError !== undefined || progress.shrinkCount > MAX_SHRINKS) return true;
  if (progress.failure !== undefined) progress.shrinkCount += 1;
  try {
    const mismatches = await property(input);
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
