import { expect, test } from 'vitest';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { ResourceFile } from '../../spec/formats/world-file.ts';
import { callEndpoint, frozenWorld, NOW } from '../testing/call-endpoint.ts';
import { timestamp } from '../time/clock.ts';
import type { World } from './world.ts';

const DAY = 86_400_000;
const START = timestamp(NOW - 30 * DAY);

const worldWith = (resource: Partial<ResourceFile>): World => {
  const file = defaultWorld(1, NOW);
  const billed = { workspace: 'demo', collection: 'agents', name: 'billed', createdAt: START, ...resource };
  return frozenWorld({ ...file, resources: [...file.resources, billed] });
};

async function usageOf(world: World, billingDimension: string, from: number, days: number): Promise<number> {
  const query = {
    startTime: timestamp(from),
    endTime: timestamp(from + days * DAY),
    groupBy: 'billing_dimension',
    resourceName: 'billed',
    billingDimension,
  };
  const { body } = await callEndpoint(world, 'getAccountMetrics', { path: { accountId: 'acc-demo' }, query });
  return body.data[0]?.summary.usage ?? 0;
}

test('traffic is billed per request: memory for a second, and async requests', async () => {
  const world = worldWith({
    spec: { runtime: { memory: 1024 }, triggers: [{ id: 'later', type: 'http-async' }] },
    traffic: { requestsPerDay: 900, pattern: 'always' },
  });
  const requests = await usageOf(world, 'agent_async_requests_count', NOW - 14 * DAY, 7);
  expect(Math.abs(requests - 7 * 900)).toBeLessThan(70);
  expect(await usageOf(world, 'agent_compute_runtime_gbs', NOW - 14 * DAY, 7)).toBe(requests);
});

test('traffic ends with the resource, and a disabled one has none', async () => {
  const traffic = { requestsPerDay: 900, pattern: 'always' } as const;
  const deleted = worldWith({ traffic, deletedAt: timestamp(NOW - 10 * DAY) });
  expect(await usageOf(deleted, 'agent_compute_runtime_gbs', NOW - 20 * DAY, 10)).toBeGreaterThan(0);
  expect(await usageOf(deleted, 'agent_compute_runtime_gbs', NOW - 10 * DAY, 10)).toBe(0);
  const disabled = worldWith({ traffic, spec: { enabled: false } });
  expect(await usageOf(disabled, 'agent_compute_runtime_gbs', NOW - 20 * DAY, 20)).toBe(0);
});

test('past usage is spread over its period', async () => {
  const usage = [
    { dimension: 'agent_compute_runtime_gbs', from: START, to: timestamp(NOW - 20 * DAY), amount: 5000 },
    { dimension: 'agent_async_requests_count', from: START, to: timestamp(NOW - 20 * DAY), amount: 7 },
  ] as const;
  const world = worldWith({ usage: [...usage] });
  expect(await usageOf(world, 'agent_compute_runtime_gbs', NOW - 30 * DAY, 10)).toBe(5000);
  expect(await usageOf(world, 'agent_compute_runtime_gbs', NOW - 30 * DAY, 5)).toBeCloseTo(2500, -2);
  expect(await usageOf(world, 'agent_compute_runtime_gbs', NOW - 20 * DAY, 20)).toBe(0);
  expect(await usageOf(world, 'agent_async_requests_count', NOW - 30 * DAY, 10)).toBe(7);
});

test('usage that is complete is all until the start of the world, also of a deleted resource; then settings count', async () => {
  const amount = 5000;
  const usage = [{ dimension: 'agent_image_storage_gbs', from: START, to: timestamp(NOW - 20 * DAY), amount }] as const;
  const spec = { runtime: { minScale: 1 } };
  for (const more of [{}, { deletedAt: timestamp(NOW - 10 * DAY) }]) {
    const world = worldWith({ usage: [...usage], spec, isUsageComplete: true, ...more });
    expect(await usageOf(world, 'agent_image_storage_gbs', NOW - 30 * DAY, 30)).toBe(amount);
    expect(await usageOf(world, 'agent_compute_runtime_gbs', NOW - 30 * DAY, 30)).toBe(0);
    world.clock.advance(2 * DAY);
    expect((await usageOf(world, 'agent_compute_runtime_gbs', NOW, 1)) > 0).toBe(Object.keys(more).length === 0);
  }
});

test.each<{ what: string; resource: Partial<ResourceFile>; message: string }>([
  {
    what: 'traffic of a volume',
    resource: { collection: 'volumes', traffic: { requestsPerDay: 1, pattern: 'always' } },
    message: 'resources: volumes "billed" has traffic; allowed: in agents, functions, jobs and sandboxes.',
  },
  {
    what: 'usage of another type',
    resource: { usage: [{ dimension: 'volume_storage_gbs', from: START, to: timestamp(NOW), amount: 1 }] },
    message:
      'resources: agents "billed" has usage of "volume_storage_gbs"; allowed: agent_compute_runtime_gbs, agent_image_storage_gbs, agent_async_requests_count.',
  },
  {
    what: 'half a request',
    resource: {
      usage: [{ dimension: 'agent_async_requests_count', from: START, to: timestamp(NOW), amount: 5.5 }],
    },
    message: 'resources: agents "billed" has 5.5 requests in its usage; allowed: whole numbers.',
  },
  {
    what: 'usage in the future',
    resource: {
      usage: [{ dimension: 'agent_image_storage_gbs', from: START, to: timestamp(NOW + DAY), amount: 1 }],
    },
    message: `resources: agents "billed" has usage from ${START} to ${timestamp(NOW + DAY)}; allowed: a period within ${START} to ${timestamp(NOW)}, in which it exists.`,
  },
  {
    what: 'usage after the deletion',
    resource: {
      deletedAt: timestamp(NOW - 20 * DAY),
      usage: [{ dimension: 'agent_image_storage_gbs', from: START, to: timestamp(NOW - DAY), amount: 1 }],
    },
    message: `allowed: a period within ${START} to ${timestamp(NOW - 20 * DAY)}, in which it exists.`,
  },
])('$what is refused', ({ resource, message }) => {
  expect(() => worldWith(resource)).toThrow(message);
});

test('the traffic of a sandbox wakes it up', async () => {
  const traffic = { requestsPerDay: 900, pattern: 'always' } as const;
  const sandbox = { workspace: 'demo', collection: 'sandboxes', name: 'billed', createdAt: START, traffic };
  const usage = (file: object) =>
    usageOf(
      frozenWorld({ extends: 'default', resources: [sandbox], ...file }),
      'sandbox_compute_runtime_gbs',
      NOW - 14 * DAY,
      7,
    );
  const always = await usage({});
  expect(always).toBeGreaterThan(0);
  expect(await usage({ sandboxes: { sleepAfter: '15m' } })).toBe(always);
});
