import { beforeEach, describe, expect, test } from 'vitest';
import { specLimits } from '../../spec/formats/mock-limits.ts';
import type { ResourceFile } from '../../spec/formats/world-file.ts';
import { demoResources } from '../../fixtures/worlds/demo-resources.ts';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import { callEndpoint, frozenWorld, NOW } from '../testing/call-endpoint.ts';
import { timestamp } from '../time/clock.ts';
import type { World } from '../world/world.ts';
import type { endpoints } from './index.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld({ ...defaultWorld(1, NOW), resources: demoResources });
});

const create = (one: string, spec: object) =>
  callEndpoint(world, `create${one}` as keyof typeof endpoints, { body: { metadata: { name: 'made-here' }, spec } });

const workloads = ['Agent', 'Function', 'Model', 'Sandbox', 'Job'];
const attached = ['Function', 'Model', 'Sandbox', 'Job'];

/** A spec that has one number. */
const specWith = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

describe.each(workloads)('%s', (one) => {
  test.each(['memory', 'minScale', 'maxScale', 'canaryPercent', 'traffic', 'stickySessionTtl'] as const)(
    '%s is within its bounds',
    async (name) => {
      const { path, min, max, unit } = specLimits[name];
      for (const value of [min - 1, max + 1, -1e300, 1e300]) {
        const { status, body } = await create(one, specWith(path, value));
        expect([value, status, body.message]).toEqual([
          value,
          400,
          `spec.${path} is ${value}; allowed: a whole number from ${min} to ${max} ${unit}.`,
        ]);
      }
      expect((await create(one, specWith(path, min))).status).toBe(200);
    },
  );

  test('minScale is at most maxScale', async () => {
    expect((await create(one, { runtime: { minScale: 3, maxScale: 2 } })).body.message).toContain('at most maxScale');
    expect((await create(one, { runtime: { minScale: 2, maxScale: 2 } })).status).toBe(200);
  });

  test('revisions must exist', async () => {
    expect((await create(one, { revision: { canary: 'rev-1' } })).body.message).toBe(
      'spec.revision.canary is "rev-1"; allowed: none, since it has no revisions yet.',
    );
    expect((await create(one, { revision: { active: '' } })).status).toBe(200);
  });

  test('policies must exist', async () => {
    expect((await create(one, { policies: ['demo-policy', 'nope'] })).body.message).toBe(
      'spec.policies[1] is "nope"; allowed: a policy of workspace demo.',
    );
    expect((await create(one, { policies: ['demo-policy'] })).status).toBe(200);
  });
});

test.each(workloads.slice(1))('numbers of a %s are whole numbers', async (one) => {
  for (const value of ['2048', 1.5, null, [2048]])
    expect([value, (await create(one, { runtime: { memory: value } })).status]).toEqual([value, 400]);
});

test.each([
  ['Volume', 'size'],
  ['VolumeTemplate', 'defaultSize'],
  ['Job', 'retries'],
  ['Job', 'timeout'],
] as const)('of a %s, %s is within its bounds', async (one, name) => {
  const { path, min, max } = specLimits[name];
  for (const value of [min - 1, max + 1]) expect((await create(one, specWith(path, value))).status).toBe(400);
  expect((await create(one, specWith(path, max))).status).toBe(200);
});

describe.each(attached)('volumes of a %s', (one) => {
  test('must exist in its region, by default that of the workspace', async () => {
    const volumes = [{ name: 'demo-volume', mountPath: '/data' }];
    expect((await create(one, { volumes: [{ name: 'nope', mountPath: '/data' }] })).body.message).toBe(
      'spec.volumes[0].name is "nope"; allowed: a volume of region local in workspace demo (demo-volume).',
    );
    expect((await create(one, { region: 'elsewhere', volumes })).status).toBe(400);
    expect((await create(one, { volumes })).status).toBe(200);
  });

  test.each(['x', [{}], ['demo-volume'], [{ name: 5 }], null])('are never %j', async (volumes) => {
    expect((await create(one, { volumes })).status).toBe(400);
  });
});

/** The largest that each kind accepts, in use until the end of time. */
async function largest(): Promise<void> {
  const runtime = { memory: specLimits.memory.max, minScale: specLimits.minScale.max };
  for (const one of ['Agent', 'Function', 'Job', 'Sandbox']) expect((await create(one, { runtime })).status).toBe(200);
  expect((await create('Volume', { size: specLimits.size.max })).status).toBe(200);
}

test.each(['', 'billing_dimension', 'resource_name,billing_dimension'])(
  'metrics of the largest resources in the year 9999 are valid, grouped by "%s"',
  async (groupBy) => {
    await largest();
    world.clock.set(Date.parse('9999-12-31T00:00:00Z'));
    const query = { startTime: timestamp(NOW), endTime: '9999-12-31T00:00:00Z', ...(groupBy && { groupBy }) };
    const { status, body } = await callEndpoint(world, 'getAccountMetrics', { path: { accountId: 'acc-demo' }, query });
    expect([status, body.summary.totalCost > 1e15]).toEqual([200, true]);
  },
);

test.each<[string, Partial<ResourceFile>, RegExp]>([
  ['memory', { spec: { runtime: { memory: 1e300 } } }, /memory/],
  ['size', { collection: 'volumes', spec: { size: 1.7e308 } }, /breaks a rule: spec\.size is 1\.7e\+308/],
  [
    'memory of a deleted resource',
    { createdAt: timestamp(NOW - 9e8), deletedAt: timestamp(NOW - 1e8), spec: { runtime: { memory: -5 } } },
    /breaks a rule: spec\.runtime\.memory is -5/,
  ],
])('a world file with an absurd %s is refused', (_, resource, message) => {
  const file = defaultWorld(1, NOW);
  const absurd = { workspace: 'demo', collection: 'sandboxes', name: 'absurd', ...resource };
  expect(() => frozenWorld({ ...file, resources: [...file.resources, absurd] })).toThrow(message);
});
