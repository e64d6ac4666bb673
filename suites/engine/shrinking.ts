/** Looks for smaller inputs that fail, within a limit of requests. */
import type { Smaller } from '../generators/shrinkable.ts';
import { Violation } from '../target/violation.ts';
import type { Mismatch, ShrinkingEnd } from '../target/violation.ts';

/** The most inputs tested while shrinking, because each sends requests. */
const MAX_SHRINKS = 300;

type Test = () => Promise<readonly Mismatch[]>;

export interface Shrinking {
  /** Whether the input holds. After too many inputs, or after an error that is no violation, everything counts as holding. */
  holds(test: Test): Promise<boolean>;
  /** Of the smallest failing input so far. Undefined if none has failed. */
  mismatches(): readonly Mismatch[] | undefined;
  /** The first error that is no violation. */
  harnessError(): { readonly error: unknown } | undefined;
  end(): ShrinkingEnd;
}

interface ShrinkingLimits {
  /** Whether to test no further input. */
  readonly isTimeUp?: (() => boolean) | undefined;
  /** Resolves when the input that is being tested counts as holding. */
  readonly cutOff?: Promise<void> | undefined;
}

export function newShrinking({ isTimeUp = () => false, cutOff }: ShrinkingLimits = {}): Shrinking {
  let [testedCount, failedCount, isStopped] = [0, 0, false];
  let mismatches: readonly Mismatch[] | undefined;
  let harnessError: { error: unknown } | undefined;
  return {
    async holds(test) {
      isStopped ||= testedCount >= MAX_SHRINKS || isTimeUp();
      if (isStopped) return true;
      testedCount += 1;
      try {
        let found: readonly Mismatch[] | undefined;
        const tested = mismatchesOf(test).then((all) => void (found = all));
        // It must not resolve to the mismatches: the cut-off refers to all its races until the run ends.
        await Promise.race([tested, ...(cutOff ? [cutOff] : [])]);
        isStopped = found === undefined;
        if (found === undefined || found.length === 0) return true;
        mismatches = found;
        failedCount += 1;
        return false;
      } catch (error) {
        harnessError = { error };
        isStopped = true;
        return true;
      }
    },
    mismatches: () => mismatches,
    harnessError: () => harnessError,
    end: () => (testedCount === 0 || (isStopped && failedCount === 0) ? 'none' : isStopped ? 'stopped' : 'finished'),
  };
}

async function mismatchesOf(test: Test): Promise<readonly Mismatch[]> {
  try {
    return await test();
  } catch (error) {
    if (error instanceof Violation) return error.mismatches;
    throw error;
  }
}

export interface Placed<T> {
  readonly input: T;
  /** Indices separated by colons: of the item, then of the smaller value at each step. */
  readonly path: string;
}

/** The smallest failing value that repeated use of `smaller` leads to. */
export async function shrinkItem<T>(
  failing: Placed<T>,
  smaller: Smaller<T>,
  property: (input: T) => ReturnType<Test>,
  shrinking: Shrinking,
): Promise<Placed<T>> {
  for (const [index, input] of smaller(failing.input).entries()) {
    if (await shrinking.holds(() => property(input))) continue;
    return shrinkItem({ input, path: `${failing.path}:${index}` }, smaller, property, shrinking);
  }
  return failing;
}

/** The value at the end of a path of `shrinkItem`. Undefined if the path leads to none. */
export function itemAt<T>(items: readonly T[], path: string, smaller: Smaller<T>): T | undefined {
  const [first = 0, ...steps] = path.split(':').map(Number);
  return steps.reduce<T | undefined>(
    (value, step) => (value === undefined ? undefined : smaller(value)[step]),
    items[first],
  );
}
