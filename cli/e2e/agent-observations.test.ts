/** What is observed of an agent whose volume is removed, and of a disabled one, on targets that differ from the mock. */
import { expect, test } from 'vitest';
import { startMock, type ScriptedResponse } from '../../mock/start-mock.ts';
import { runOnTarget } from './testing/run-on-target.ts';

/** Deployments end at once, so that each update has an effect before the next request. */
const deploy = { uploading: '0s', building: '0s', built: '0s', deploying: '0s' };

async function observed(...scripts: ScriptedResponse[]): Promise<Readonly<Record<string, unknown>>> {
  await using mock = await startMock({ world: { extends: 'default', deploy } });
  await mock.responses.set(scripts);
  const outcomes = await runOnTarget(mock.target, { seed: 1, selected: ['agents.runtime.bounds'] });
  return Object.fromEntries(outcomes.flatMap(({ observations }) => observations).map(({ what, saw }) => [what, saw]));
}

const usage = (count: number) => ({ status: 200, body: { data: [{ summary: { usage: count } }] } });
const counting = (...counts: number[]): ScriptedResponse => ({
  match: { operation: 'getAccountMetrics' },
  sequence: counts.map(usage),
});

const removal: ScriptedResponse = {
  match: { operation: 'deleteVolume' },
  sequence: [{ status: 200, body: { message: '' } }],
};

test('an agent that still mounts a removed volume, and one whose refused requests are counted', async () => {
  expect(await observed(removal, counting(5, 5, 7))).toMatchObject({
    'a removal of a volume that the agent mounts': '200',
    'the agent after the removal of its volume': 'mounts it',
    'an async request to a disabled agent': '503',
    'the usage of a disabled agent': 'counted',
  });
});

test('usage of others at the same time shows nothing', async () => {
  const values = await observed(counting(5, 9));
  expect(values).toMatchObject({ 'an async request to a disabled agent': '503' });
  expect(values).not.toHaveProperty(['the usage of a disabled agent']);
});
