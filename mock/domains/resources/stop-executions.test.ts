import { beforeEach, expect, test } from 'vitest';
import { callEndpoint, frozenWorld, NOW } from '../../testing/call-endpoint.ts';
import { findResource } from '../../state/resources.ts';
import type { World } from '../../world/world.ts';
import type { Execution } from './executions.ts';
import { placeOf } from './kinds.ts';
import { endDeployment } from './write.ts';

const metadata = { name: 'nightly' };
const path = { jobName: 'nightly' };
let world: World;
let id: string;

/** An execution of three tasks of a minute each, from the second on. */
beforeEach(async () => {
  world = frozenWorld();
  Object.assign(world.lifecycles.plan, { tasks: [{ takes: '60s' }] });
  await callEndpoint(world, 'createVolume', { body: { metadata: { name: 'data' }, spec: { region: 'local' } } });
  await callEndpoint(world, 'createJob', { body: { metadata, spec: { volumes: [{ name: 'data' }] } } });
  world.clock.set(NOW + 1000);
  id = await execute();
});

async function execute(tasks: readonly object[] = [{}, {}, {}]): Promise<string> {
  return (await callEndpoint(world, 'createExecutionOfJob', { path, body: { tasks } })).body.id as string;
}

/** Status, end in milliseconds, and the statuses of the tasks with their attempts. */
async function state(execution = id) {
  const { body } = await callEndpoint(world, 'getExecutionOfJob', { path: { ...path, executionId: execution } });
  const { status, completedAt = '', tasks } = body as unknown as Execution;
  return [status, Date.parse(completedAt) - NOW, ...tasks.map((task) => [task.status, task.attempts.length])];
}

const update = (spec: object) => callEndpoint(world, 'updateJob', { path, body: { metadata, spec } });

test('a job that is disabled ends its executions: the attempt that runs fails, and no other one starts', async () => {
  world.clock.set(NOW + 100_000);
  await update({ enabled: false });
  const stopped = ['FAILED', 100_000, ['SUCCEEDED', 1], ['FAILED', 1], ['FAILED', 0]];
  expect(await state()).toEqual(stopped);
  world.clock.set(NOW + 1_000_000);
  await update({});
  world.clock.set(NOW + 1_010_000);
  expect(await state()).toEqual(stopped);
  const next = await execute();
  world.clock.set(NOW + 2_000_000);
  expect((await state(next))[0]).toBe('SUCCEEDED');
});

test('a job that fails with its volume ends its executions and names the reason', async () => {
  world.clock.set(NOW + 100_000);
  const place = placeOf('volumes', world.workspaces.get('demo')!);
  const volume = findResource(world, place.key, 'data')!;
  endDeployment(world, place, volume, { status: 'FAILED', at: NOW + 100_000, message: 'Disk error.' });
  expect(await state()).toEqual(['FAILED', 100_000, ['SUCCEEDED', 1], ['FAILED', 1], ['FAILED', 0]]);
  const { body } = await callEndpoint(world, 'getExecutionOfJob', { path: { ...path, executionId: id } });
  expect((body as unknown as Execution).tasks[1]?.attempts[0]?.error).toBe('Job "nightly" is FAILED.');
});

test('an execution that waits for an instance never starts', async () => {
  const early = await execute();
  world.clock.set(NOW + 1100);
  await update({ enabled: false });
  expect(await state(early)).toEqual(['FAILED', 1100, ['FAILED', 0], ['FAILED', 0], ['FAILED', 0]]);
});

test('an execution without tasks that waits for an instance fails too', async () => {
  const waiting = await execute([]);
  world.clock.set(NOW + 1100);
  await update({ enabled: false });
  expect(await state(waiting)).toEqual(['FAILED', 1100]);
});

test('an update, also one that fails, does not affect executions', async () => {
  world.clock.set(NOW + 100_000);
  Object.assign(world.lifecycles.plan, { deploy: { failures: [{ resource: 'jobs/nightly', at: 'building' }] } });
  await update({ runtime: { memory: 256 } });
  world.clock.set(NOW + 500_000);
  expect((await state())[0]).toBe('SUCCEEDED');
});
