import { beforeEach, expect, test } from 'vitest';
import { callEndpoint, frozenWorld, NOW } from '../../testing/call-endpoint.ts';
import { findResource } from '../../state/resources.ts';
import { timestamp } from '../../time/clock.ts';
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

/** GB-seconds. */
async function compute(): Promise<number> {
  const query = {
    startTime: timestamp(NOW),
    endTime: timestamp(NOW + 3_600_000),
    groupBy: 'billing_dimension',
    billingDimension: 'job_compute_runtime_gbs',
    resourceName: 'nightly',
  };
  const { body } = await callEndpoint(world, 'getAccountMetrics', { path: { accountId: 'acc-demo' }, query });
  return body.data[0].summary.usage as number;
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

test('an execution whose volume is planned to fail goes on if the volume is deployed before', async () => {
  const place = placeOf('volumes', world.workspaces.get('demo')!);
  Object.assign(world.lifecycles.plan, {
    deploy: { deploying: '90s', failures: [{ resource: 'volumes/later', at: 'deploying' }] },
  });
  await callEndpoint(world, 'createVolume', { body: { metadata: { name: 'later' }, spec: { region: 'local' } } });
  Object.assign(world.lifecycles.plan, { deploy: undefined });
  await update({ volumes: [{ name: 'later' }], runtime: { memory: 1024 } });
  world.clock.set(NOW + 2000);
  const late = await execute();
  world.clock.set(NOW + 40_000);
  expect((await state(late)).slice(0, 3)).toEqual(['RUNNING', NaN, ['RUNNING', 1]]);
  const volume = findResource(world, place.key, 'later')!;
  world.clock.set(NOW + 80_000);
  endDeployment(world, place, volume, { status: 'DEPLOYED', at: NOW + 80_000, message: 'Repaired.' });
  world.clock.set(NOW + 500_000);
  expect(await state(late)).toEqual(['SUCCEEDED', 182_200, ...[1, 1, 1].map((count) => ['SUCCEEDED', count])]);
  expect(await compute()).toBe(3 * 60 * 2 + 3 * 60 * 1);
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
