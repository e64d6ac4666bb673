import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import type { Counterexample } from '../../spec/verdicts.ts';
import { runCase } from './run-case.ts';
import type { Replayed, Run } from './run.ts';
import { forAllSequences } from './sequence.ts';
import { openTestContext, testExchange } from '../testing/test-run.ts';

const rule = requirement('metrics.group-by.at-most-three');

async function resultOf(tries: (run: Run) => Promise<void>, replay?: Replayed) {
  const { context } = openTestContext({ address: 'http://127.0.0.1:9' });
  const { result } = await runCase({ rule, try: tries }, { ...context, ...(replay && { replay }) });
  return result;
}

const replayOf = ({ property = 0, path }: Counterexample): Replayed => ({ property, path });
const mismatch = { expected: 'less', actual: 'more', exchange: testExchange };

/** The second property fails for everything from 500 on. */
function caseThatFails(tried: { first: number[]; second: number[] }, isBroken = (size: number) => size >= 500) {
  return async (run: Run): Promise<void> => {
    await run.forAll({ size: fc.nat() }, async ({ size }) => (tried.first.push(size), []));
    await run.forAll({ size: fc.integer({ min: 0, max: 10_000 }) }, async ({ size }) => {
      tried.second.push(size);
      return isBroken(size) ? [mismatch] : [];
    });
  };
}
const nothingTried = (): { first: number[]; second: number[] } => ({ first: [], second: [] });

test('the counterexample contains the number of its property', async () => {
  expect((await resultOf(caseThatFails(nothingTried()))).counterexample).toMatchObject({
    property: 2,
    input: { size: 500 },
  });
});

test('a replay tests only the counterexample in its property, and the first round of other properties', async () => {
  const [once, again] = [nothingTried(), nothingTried()];
  const { counterexample } = await resultOf(caseThatFails(once));
  const result = await resultOf(caseThatFails(again), replayOf(counterexample as Counterexample));
  expect(again).toEqual({ first: once.first.slice(0, 2), second: [500] });
  expect(once.first.length).toBeGreaterThan(2);
  expect(result).toMatchObject({ verdict: 'failed', counterexample: { input: { size: 500 }, property: 2 } });
  expect(result.counterexample?.path).toBe(counterexample?.path);
});

test('a replay finds the counterexample also if later inputs of another property fail', async () => {
  const { counterexample } = await resultOf(caseThatFails(nothingTried()));
  let tried = 0;
  const tries = async (run: Run): Promise<void> => {
    await run.forAll({ size: fc.nat() }, async () => ((tried += 1) > 2 ? [mismatch] : []));
    await run.forAll({ size: fc.integer({ min: 0, max: 10_000 }) }, async ({ size }) =>
      size >= 500 ? [mismatch] : [],
    );
  };
  const result = await resultOf(tries, replayOf(counterexample as Counterexample));
  expect(result.counterexample).toMatchObject({ input: { size: 500 }, property: 2 });
});

test('a replay of a fixed counterexample passes and tests no other input of that property', async () => {
  const { counterexample } = await resultOf(caseThatFails(nothingTried()));
  const again = nothingTried();
  const result = await resultOf(
    caseThatFails(again, () => false),
    replayOf(counterexample as Counterexample),
  );
  expect({ verdict: result.verdict, tried: again.second }).toEqual({ verdict: 'passed', tried: [500] });
});

test('a failing example and a failing sequence can be replayed', async () => {
  const ofExample = (run: Run) =>
    run.forAll({ size: fc.nat({ max: 5 }) }, async ({ size }) => (size > 90 ? [mismatch] : []), {
      examples: [{ size: 7 }, { size: 99 }],
    });
  const ofSequence = (run: Run) =>
    forAllSequences(run, {
      step: fc.nat({ max: 9 }),
      start: async () => ({ model: { sum: 0 }, exchanges: [] }),
      runStep: async (model, step) => {
        model.sum += step;
        return { exchanges: [], mismatches: model.sum > 20 ? [mismatch] : [] };
      },
    });
  for (const tries of [ofExample, ofSequence]) {
    const { counterexample } = await resultOf(tries);
    const again = await resultOf(tries, replayOf(counterexample as Counterexample));
    expect(again.counterexample?.input).toEqual(counterexample?.input);
  }
});
