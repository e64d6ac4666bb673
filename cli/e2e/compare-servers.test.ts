/** Comparisons of mocks and of the independent servers, in this process. */
import { expect, test } from 'vitest';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { startMock } from '../../mock/start-mock.ts';
import { compareInProcess } from './testing/compare-mocks.ts';

test.each(Array.from({ length: 20 }, (_, index) => index + 1))('two mocks are the same, seed %s', async (seed) => {
  await using a = await startMock();
  await using b = await startMock();
  const files = { a: { ...a.target, allow: 'write' }, b: { ...b.target, allow: 'write' } } as const;
  const { differences, steps, unreachable } = await compareInProcess(files, { seed });
  expect(differences.map(({ operation, context, at }) => [operation, context, at])).toEqual([]);
  expect([steps > 250, unreachable]).toEqual([true, undefined]);
});

test('a difference is shrunk, and classed by the rule that one target breaks', async () => {
  await using a = await startMock();
  await using b = await startMock({
    deviate: ['agents.update.round-trip/updateAgent.spec.triggers.each.configuration.path.constant'],
  });
  const files = { a: { ...a.target, allow: 'write' }, b: { ...b.target, allow: 'write' } } as const;
  const { differences } = await compareInProcess(files, { seed: 5, requests: 150 });
  const [first] = differences;
  expect(first).toMatchObject({
    operation: 'updateAgent',
    at: 'body.spec.triggers[].configuration.path',
    class: 'b-breaks',
    broken: { a: [], b: ['agents.update.round-trip'] },
    shrunk: { isRepeated: true },
  });
  expect(first!.shrunk.steps.length).toBeLessThanOrEqual(2);
  expect(first!.shrunk.requests).toBeLessThanOrEqual(60);
});

test.each(['strict', 'lenient'] as const)('a conforming deployment breaks no rule (%s)', async (character) => {
  await using mock = await startMock();
  await using stranger = await startStranger({ character, deploymentMs: 200 });
  const files = { a: { ...mock.target, allow: 'destroy' }, b: stranger.target } as const;
  const { differences } = await compareInProcess(files, { requests: 100, patienceSeconds: 1, shrinkCount: 0 });
  const broken = differences.filter((each) => each.class !== 'observation');
  expect(broken.map(({ operation, context, at, broken: rules }) => [operation, context, at, rules])).toEqual([]);
  expect(differences.length).toBeGreaterThan(0);
});
