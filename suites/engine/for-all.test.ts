import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Violation } from '../target/violation.ts';
import type { FailingInput, Mismatch } from '../target/violation.ts';
import { testExchange } from '../testing/test-run.ts';
import { forAll, forEach, scaleRuns } from './for-all.ts';
import type { ForEachOptions } from './for-all.ts';

test.each([
  { runs: 100, inputs: 60 },
  { runs: 1000, inputs: 600 },
  { runs: 5, inputs: 3 },
  { runs: 1, inputs: 1 },
])('scales $runs inputs by 60 % to $inputs', ({ runs, inputs }) => {
  expect(scaleRuns({ runs }, 60)).toBe(inputs);
});

test.each<[ForEachOptions, number]>([
  [{}, 1],
  [{ sequential: true }, 1],
  [{ sequential: false }, 8],
  [{ concurrency: 4 }, 4],
  [{ concurrency: 16 }, 8],
])('a property of a rule that writes with %j tests %d inputs at the same time', async (options, max) => {
  const run = { seed: 1, runs: 24, number: 1, concurrency: 1, maxConcurrency: 8 };
  let running = 0;
  let most = 0;
  const property = async () => {
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 2));
    running -= 1;
    return [];
  };
  await forEach(run, [...Array(20).keys()], property, options);
  expect(most).toBe(max);
});

const run = { seed: 1, runs: 24, number: 2, concurrency: 1 };
const mismatch: Mismatch = { expected: 'less', actual: 'more', exchange: testExchange };
/** The smaller ones, the smallest first. */
const halves = (list: readonly number[]) =>
  list.length < 2 ? [] : [list.slice(0, list.length / 2), list.slice(list.length / 2)];

async function failureOf(pending: Promise<unknown>): Promise<FailingInput | undefined> {
  const error: unknown = await pending.catch((caught: unknown) => caught);
  return error instanceof Violation ? error.failingInput : undefined;
}

const containsSeven = async (list: readonly number[]) => (list.includes(7) ? [mismatch] : []);
const items = [[1], [2, 3, 6, 7], [7]];

test('a fixed input shrinks to the smallest that fails, and its path leads to it again', async () => {
  const options = { smaller: halves };
  const found = await failureOf(forEach(run, items, containsSeven, options));
  expect(found).toEqual({ input: [7], path: '1:1:1', seed: 1, property: 2, shrinking: 'finished' });
  const tried: unknown[] = [];
  const property = async (list: readonly number[]) => (tried.push(list), containsSeven(list));
  expect(await failureOf(forEach({ ...run, path: '1:1:1' }, items, property, options))).toMatchObject({ input: [7] });
  expect(tried).toEqual([[7]]);
  await expect(forEach({ ...run, path: '1:5' }, items, property, options)).rejects.toThrow('leads to no input');
});

test('an input that cannot shrink is not called the smallest', async () => {
  expect(await failureOf(forEach(run, items, containsSeven))).toMatchObject({ path: '1', shrinking: 'none' });
});

test('shrinking that reaches its limit is not finished', async () => {
  const endless = { smaller: (list: readonly number[]) => [[...list, 7]] };
  expect(await failureOf(forEach(run, items, containsSeven, endless))).toMatchObject({ shrinking: 'stopped' });
  const holding = { smaller: () => Array.from({ length: 400 }, () => [1]) };
  expect(await failureOf(forEach(run, items, containsSeven, holding))).toMatchObject({ path: '1', shrinking: 'none' });
  const numbers = { size: fc.integer({ min: 0, max: 10_000 }) };
  const fails = ({ size }: { size: number }) => Promise.resolve(size > 500 ? [mismatch] : []);
  expect(await failureOf(forAll(run, numbers, fails))).toMatchObject({ input: { size: 501 }, shrinking: 'finished' });
});
