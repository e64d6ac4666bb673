/** Tests the inputs of a property concurrently. */
import type { Mismatch } from '../target/violation.ts';

type Mismatches = readonly Mismatch[];

export interface Ahead {
  /**
   * The result of each input, in order. Undefined if the input was not started because `mayStart` was false. Those after a
   * failing one may never settle.
   */
  readonly results: readonly Promise<Mismatches | undefined>[];
  /** Tests no further input. Resolves when the started ones have ended. */
  stop(): Promise<unknown>;
}

/** The inputs that `check` tests if all of them hold, in order. */
export async function inputsOf<T>(
  check: (test: (input: T) => Promise<boolean>) => Promise<unknown>,
): Promise<readonly T[]> {
  const inputs: T[] = [];
  await check(async (input) => inputs.push(input) > 0);
  return inputs;
}

export interface AheadOptions {
  /** How many inputs are tested at the same time. */
  readonly concurrency: number;
  /** Called before each input. Defaults to always true. */
  readonly mayStart?: () => boolean;
}

/** Starts to test the inputs in order. */
export function testAhead<T>(
  inputs: readonly T[],
  test: (input: T) => Promise<Mismatches>,
  { concurrency, mayStart = () => true }: AheadOptions,
): Ahead {
  const tasks = inputs.map((input) => ({ input, ...Promise.withResolvers<Mismatches | undefined>() }));
  for (const { promise } of tasks) promise.catch(() => {}); // thrown when the result is taken
  const waiting = tasks.values();
  let isStopped = false;
  const work = async (): Promise<void> => {
    for (const { input, resolve, reject } of waiting) {
      if (isStopped) return;
      try {
        const mismatches = mayStart() ? await test(input) : undefined;
        if (mismatches !== undefined && mismatches.length > 0) isStopped = true;
        resolve(mismatches);
      } catch (error) {
        isStopped = true;
        reject(error);
      }
    }
  };
  const workers = Promise.all(Array.from({ length: concurrency }, work));
  return {
    results: tasks.map(({ promise }) => promise),
    stop() {
      isStopped = true;
      return workers;
    },
  };
}
