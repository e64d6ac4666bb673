/** Deployments that keep few cursors, or each for one use, do not fail; those that refuse their own cursors do. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { pickyTarget } from './testing/picky-target.ts';
import type { PickyOptions } from './testing/picky-target.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const rules = [
  'metrics.resolution.explicit-echoed',
  'metrics.group-by.every-set-accepted',
  'metrics.buckets.same-for-all-groups',
  'metrics.pagination.every-group-once',
  'metrics.pagination.limit-clamped',
  'metrics.pagination.cursor-repeatable',
  'metrics.pagination.cursor-survives-encoding',
] as const satisfies RequirementId[];

async function verdictsOn(cursors: PickyOptions['cursors']) {
  await using mock = await startMock({ sandboxUrls: 'path' });
  await using picky = await pickyTarget(mock.target, () => false, cursors === undefined ? {} : { cursors });
  const outcomes = await runOnTarget(picky.target, { selected: rules, isQuick: true });
  return Object.fromEntries(outcomes.map(({ result: { id, verdict } }) => [id, verdict]));
}

test.concurrent('a deployment that keeps the newest three cursors passes', async () => {
  expect(await verdictsOn({ count: 3 })).toEqual(Object.fromEntries(rules.map((id) => [id, 'passed'])));
});

test.concurrent('a deployment that refuses its own cursors fails', async () => {
  expect((await verdictsOn({ count: 0 }))['metrics.pagination.every-group-once']).toBe('failed');
});

test.concurrent('a deployment that accepts each cursor once does not fail', async () => {
  expect(await verdictsOn({ count: 1000, isSingleUse: true })).toEqual({
    ...Object.fromEntries(rules.map((id) => [id, 'passed'])),
    'metrics.pagination.cursor-repeatable': 'not-tried',
  });
});
