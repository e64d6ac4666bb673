/** How alike the mock and the independent servers are, where the interface leaves the choice. The numbers may only rise, as long as the sequence is the same. */
import { expect, test } from 'vitest';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { startMock } from '../../mock/start-mock.ts';
import { compareInProcess } from './testing/compare-mocks.ts';

test.each([
  ['strict', 48],
  ['lenient', 28],
] as const)('of 100 exchanges with the %s server, %d are alike', async (character, score) => {
  await using mock = await startMock();
  await using stranger = await startStranger({ character, deploymentMs: 200 });
  const files = { a: { ...mock.target, allow: 'write' }, b: { ...stranger.target, allow: 'write' } } as const;
  const { operations } = await compareInProcess(files, { requests: 100, patienceSeconds: 1, shrinkCount: 0 });
  const sum = (what: 'compared' | 'alike'): number =>
    [...operations.values()].reduce((total, each) => total + each[what], 0);
  expect([sum('compared'), sum('alike')]).toEqual([100, score]);
});
