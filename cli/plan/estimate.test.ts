/** Tests the estimates, and that the measured numbers are current. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { openTarget } from '../../suites/target/open-target.ts';
import type { Target } from '../../suites/target/target.ts';
import { estimateRun, estimateSeconds } from './estimate.ts';
import { measureAlone } from './measure-run.ts';
import { measuredRun } from './measured-requests.ts';
import { requestCount } from './request-counts.ts';

async function mockTarget(): Promise<Target> {
  await using mock = await startMock({});
  return await openTarget({ ...mock.target, allow: 'destroy' }, {}); // awaited: the mock must still run
}

test('every rule has been measured: otherwise run npm run measure', () => {
  const ids = requirements.map(({ id }) => id as string);
  expect(new Set(Object.keys(measuredRun.rules))).toEqual(new Set(ids));
});

test('the measured numbers are current: otherwise run npm run measure', async () => {
  const isQuickToMeasure = ({ id }: { id: string }): boolean => !/^(mcp|sandbox|agents|images)\./.test(id);
  const selected = requirements
    .filter(isQuickToMeasure)
    .filter((_, index) => index % 8 === 0)
    .map(({ id }) => id);
  const counts = await measureAlone(selected);
  const sent = selected.reduce((sum, id) => sum + requestCount(counts[id] ?? {}), 0);
  const measured = selected.reduce((sum, id) => {
    const { first = {}, alone = {} } = measuredRun.rules[id] ?? {};
    return sum + requestCount(first) + requestCount(alone);
  }, 0);
  expect(measured / sent).toBeGreaterThan(0.8);
  expect(measured / sent).toBeLessThan(1.25);
});

test('a quick run sends less, a run with fewer inputs too, and one that only reads nothing that writes', async () => {
  const target = await mockTarget();
  const whole = estimateRun(target, { runs: 100 });
  const quick = estimateRun(target, { runs: 100, isQuick: true });
  const few = estimateRun(target, { runs: 10 });
  expect(quick.requestCount).toBeLessThan(few.requestCount);
  expect(few.requestCount).toBeLessThan(whole.requestCount);
  const { counts } = estimateRun({ ...target, allow: 'read' }, { runs: 100 });
  const writes = Object.keys(counts).filter((key) =>
    /^(sent (create|delete|update)(Agent|Vpc)|creates|starts)/.test(key),
  );
  expect(writes).toEqual([]);
});

test('what rules share is in the estimate of each of them', async () => {
  const target = await mockTarget();
  const rule = Object.entries(measuredRun.rules).find(([, { alone }]) => alone['creates createAgent'] !== undefined);
  const id = rule?.[0] ?? '';
  const { counts } = estimateRun(target, { runs: 100, selected: [id as RequirementId], isQuick: true });
  expect(counts['creates createAgent']).toBeGreaterThan(0);
});

test.each([
  ['the latency and the requests in flight limit it', { latencyMs: 100, rate: 0 }, 8.25],
  ['the rate limits it', { latencyMs: 100, rate: 20 }, 52],
  ['fewer requests in flight take longer', { latencyMs: 100, rate: 0, concurrency: 4 }, 27],
  ['requests that wait for each other take a latency each', { latencyMs: 300, rate: 0 }, 32],
  ['the processor limits it if the latency is low', { latencyMs: 1, rate: 0 }, 5],
])('%s', (_, speed, seconds) => {
  expect(
    estimateSeconds({ counts: {}, requestCount: 1000, stepCount: speed.latencyMs === 300 ? 100 : 10 }, speed),
  ).toBe(seconds);
});
