import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { requirement } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { readLedger } from '../target/read-ledger.ts';
import { HarnessError } from '../target/transport.ts';
import { NotTried, Violation } from '../target/violation.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext, testExchange, testTarget } from '../testing/test-run.ts';
import type { TestRun } from '../testing/test-run.ts';
import { openRun } from './open-run.ts';
import type { Case } from './run-case.ts';
import { schedule } from './schedule.ts';

const MUST: RequirementId = 'metrics.cost.always-there';
const mismatch = { expected: 'less', actual: 'more', exchange: testExchange };
const forever = new Promise<never>(() => {});
const twenty = Array.from({ length: 20 }, (_, index) => index);

/** A run whose time is up when `cut` is called. */
function limitedRun(settings: TestRun = { address: 'http://127.0.0.1:9' }) {
  const { promise: cutOff, resolve } = Promise.withResolvers<void>();
  const { context, close } = openTestContext({ ...settings, target: { allow: 'write' } });
  let isOver = false;
  const isTimeUp = (): boolean => isOver;
  const cut = (): void => {
    isOver = true;
    resolve();
  };
  const limited = { ...context, cutOff, isTimeUp };
  const start = (tries: Case['try']): Promise<CaseOutcome> =>
    schedule([{ rule: requirement(MUST), try: tries }], limited).get(MUST)!;
  return { start, cut, close };
}

test('a case that waits in its first round is not tried', async () => {
  const { start, cut } = limitedRun();
  const outcome = start(async (run) => {
    run.check([]);
    await forever;
  });
  await nextTurn();
  cut();
  expect(await outcome).toMatchObject({ result: { verdict: 'not-tried', missing: 'time' }, isCut: true });
});

test('a case that waits in a later round keeps the verdict and inputs of those before', async () => {
  const { start, cut } = limitedRun();
  let tested = 0;
  const outcome = start((run) => run.forEach(twenty, async () => ((tested += 1) > 2 ? forever : [])));
  await vi.waitUntil(() => tested > 2);
  cut();
  expect(await outcome).toMatchObject({ result: { verdict: 'passed', inputs: 2 }, isCut: true });
});

test.each([
  ['a mismatch', () => Promise.reject(new Violation([mismatch]))],
  ['an error', () => Promise.reject(new HarnessError('no response'))],
  ['nothing', () => Promise.resolve()],
])('a case that ends with %s because it was cut is not tried', async (_, end) => {
  const { start, cut } = limitedRun();
  const wait = Promise.withResolvers<void>();
  const outcome = start(async (run) => {
    run.check([]);
    await wait.promise;
    await end();
  });
  await nextTurn();
  cut();
  wait.resolve();
  expect((await outcome).result.verdict).toBe('not-tried');
});

test('a failing input counts although the search for a smaller one was cut', async () => {
  const { start, cut } = limitedRun();
  const smaller = (item: number): number[] => (item === 1 ? [100] : []);
  let isShrinking = false;
  const outcome = start((run) =>
    run.forEach(
      [0, 1],
      async (item) => {
        if (item < 100) return item === 1 ? [mismatch] : [];
        isShrinking = true;
        return forever;
      },
      { smaller },
    ),
  );
  await vi.waitUntil(() => isShrinking);
  cut();
  const { result } = await outcome;
  expect(result).toMatchObject({ verdict: 'failed', counterexample: { input: 1, path: '1', shrinking: 'none' } });
});

test('a mismatch counts although what the case restores after it was cut', async () => {
  const { start, cut } = limitedRun();
  const outcome = start(async (run) => {
    try {
      run.check([mismatch]);
    } finally {
      await forever;
    }
  });
  await nextTurn();
  cut();
  expect((await outcome).result).toMatchObject({ verdict: 'failed', reason: 'more, expected less' });
});

test('a case decides what its mismatch means also if it is cut', async () => {
  const { start, cut } = limitedRun();
  let isShrinking = false;
  const outcome = start(async (run) => {
    const property = async (item: number) => {
      isShrinking = item > 1;
      return isShrinking ? forever : [mismatch];
    };
    await run.forEach([1], property, { smaller: () => [2] }).catch(() => {
      throw new NotTried('a clock that is exact');
    });
  });
  await vi.waitUntil(() => isShrinking);
  cut();
  expect((await outcome).result).toMatchObject({ verdict: 'not-tried', reason: 'a clock that is exact' });
});

test('a cut case sends nothing more, and ends when its creates have ended', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-'));
  const ledgerFile = path.join(folder.path, 'ledger.ndjson');
  const response = Promise.withResolvers<{ status: number }>();
  await using server = await localServer(() => response.promise);
  const { start, cut, close } = limitedRun({ address: server.address, ledgerFile });
  const created = Promise.withResolvers<unknown>();
  let hasEnded = false;
  const outcome = start(async (run) => {
    const create = () => run.client.call('createVpc', { body: { metadata: { name: run.newName() } } });
    await create().then(created.resolve);
    await create();
  }).finally(() => (hasEnded = true));
  await vi.waitUntil(() => server.received.length === 1);
  cut();
  await nextTurn();
  await nextTurn();
  expect(hasEnded).toBe(false);
  response.resolve({ status: 200 });
  expect((await outcome).result).toMatchObject({ verdict: 'not-tried', exchanges: 1 });
  await created.promise;
  await nextTurn();
  expect(server.received).toHaveLength(1);
  expect(readLedger(ledgerFile).creations).toMatchObject([{ created: 'createVpc', status: 200 }]);
  await close();
});

test('the cut-off comes a second after the time is up; requests that have no turn are then not sent', async () => {
  await using server = await localServer(() => ({}));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const target = testTarget({ address: server.address });
  const { context, close } = openRun({ target, seed: 1, runs: 1, runId: 'test', timeMs: 6000 });
  let isCut = false;
  void context.cutOff?.then(() => (isCut = true));
  await vi.advanceTimersByTimeAsync(6001);
  expect([context.isTimeUp?.(), isCut]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(isCut).toBe(true);
  vi.useRealTimers();
  await nextTurn();
  const { origin } = new URL(server.address);
  const request = { method: 'GET', origin, path: '/', headers: {} };
  await expect(context.transport.send(request)).rejects.toThrow('the run was interrupted');
  expect(server.received).toEqual([]);
  await close();
});
