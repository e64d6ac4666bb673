import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { testExchange } from '../testing/test-run.ts';
import { Violation } from '../target/violation.ts';
import { forAll, type PropertyRun } from './for-all.ts';

const RUN: PropertyRun = { seed: 7, runs: 40, number: 1, concurrency: 16 };
const mismatch = { expected: 'less', actual: 'more', exchange: testExchange };
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Fails for sizes of 500 or more. The larger ones respond first. */
async function failureAt(concurrency: number) {
  const tried: number[] = [];
  const failure = forAll({ ...RUN, concurrency }, { size: fc.integer({ min: 0, max: 1000 }) }, async ({ size }) => {
    tried.push(size);
    await wait((1000 - size) / 100);
    return size < 500 ? [] : [mismatch];
  });
  await expect(failure).rejects.toThrow(Violation);
  const { failingInput } = (await failure.catch((error: unknown) => error)) as Violation;
  return { tried, failingInput };
}

test('inputs are tested at the same time, up to the concurrency', async () => {
  let inFlight = 0;
  let most = 0;
  const { tried } = await forAll(RUN, { size: fc.nat() }, async () => {
    most = Math.max(most, (inFlight += 1));
    await wait(5);
    inFlight -= 1;
    return [];
  });
  expect({ tried, most, inFlight }).toEqual({ tried: 40, most: 16, inFlight: 0 });
});

test('the counterexample is the same at any concurrency, and nothing is pending after it', async () => {
  const [one, many] = [await failureAt(1), await failureAt(16)];
  expect(many.failingInput).toEqual(one.failingInput);
  expect(many.failingInput?.input).toEqual({ size: 500 });
  const { length } = many.tried;
  await wait(20);
  expect(many.tried).toHaveLength(length);
});

test('a sequential property tests one input after the other', async () => {
  let inFlight = 0;
  const property = async () => {
    expect((inFlight += 1)).toBe(1);
    await wait(1);
    inFlight -= 1;
    return [];
  };
  expect(await forAll(RUN, { size: fc.nat() }, property, { sequential: true })).toMatchObject({ tried: 40 });
});

test('an error that is no violation ends the property', async () => {
  const property = async ({ size }: { size: number }) => {
    if (size % 3 === 0) throw new Error('no response');
    return [];
  };
  await expect(forAll(RUN, { size: fc.nat() }, property)).rejects.toThrow('no response');
});

test('a failure of an input that was started in time counts, although the time is up when it arrives', async () => {
  let isOver = false;
  const property = async ({ size }: { size: number }) => {
    isOver = true;
    await wait(5);
    return size < 0 ? [] : [mismatch];
  };
  const run: PropertyRun = { ...RUN, round: 2, isTimeUp: () => isOver };
  await expect(forAll(run, { size: fc.nat() }, property, { examples: [{ size: 0 }] })).rejects.toThrow(Violation);
});

test('inputs that were not started in time are reported', async () => {
  let tested = 0;
  const run: PropertyRun = { ...RUN, concurrency: 1, isTimeUp: () => tested >= 3 };
  const property = async () => ((tested += 1), []);
  expect(await forAll(run, { size: fc.nat() }, property)).toMatchObject({ tried: 3, isCut: true });
  await expect(forAll({ ...run, round: 1 }, { size: fc.nat() }, property)).rejects.toThrow('more time');
});
