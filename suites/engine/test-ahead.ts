/** Tests the inputs of a property concurrently, before fast-check takes the results one by one. */
import type { Mismatch } from '../target/violation.ts';

type Mismatches = readonly Mismatch[];

export interface Ahead {
  /** The result of the next input, in order; undefined after the last one. */
  next(): (() => Promise<Mismatches>) | undefined;
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
  concurrency: number;
  /** Whether to start further inputs after one that fails. */
  continues: boolean;
}

/** Starts to test the inputs in order. */
export function testAhead<T>(
  inputs: readonly T[],
  test: (input: T) => Promise<Mismatches>,
  { concurrency, continues }: AheadOptions,
): Ahead {
  const tasks = inputs.map((input) => ({ input, ...createResult() }));
  const started = tasks.values();
  const taken = tasks.values();
  let isStopped = false;
  const work = async (): Promise<void> => {
    for (const { input, settle } of started) {
      if (isStopped) return;
      const { result, holds } = await resultOf(test, input);
      if (!holds && !continues) isStopped = true;
      settle(result);
    }
  };
  const workers = Promise.all(Array.from({ length: concurrency }, work));
  return {
    next() {
      const { value } = taken.next();
      return value && (async () => (await value.result)());
    },
    stop() {
      isStopped = true;
      return workers;
    },
  };
}

function createResult() {
  let settle: (result: () => Mismatches) => void = () => {};
  const result = new Promise<() => Mismatches>((resolve) => {
    settle = resolve;
  });
  return { result, settle };
}

interface Result {
  readonly result: () => Mismatches;
  readonly holds: boolean;
}

/** Never rejects: an error is thrown when the result is taken. */
async function resultOf<T>(test: (input: T) => Promise<Mismatches>, input: T): Promise<Result> {
  try {
    const mismatches = await test(input);
    return { result: () => mismatches, holds: mismatches.length === 0 };
  } catch (error) {
    const rethrow = (): Mismatches => {
      throw error;
    };
    return { result: rethrow, holds: false };
  }
}
