import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWorldName, namedWorld } from '../../fixtures/worlds/named-worlds.ts';
import { worldNames } from '../../spec/formats/world-names.ts';
import type { WorldExtension } from '../../spec/formats/world-file.ts';
import { startMock, type RunningMock } from '../start-mock.ts';
import { worldFile } from './check-world-file.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
const start = (world: (typeof worldNames)[number]) => startMock({ world, now: NOW, clock: 'frozen' });

async function get(mock: RunningMock, path: string) {
  const response = await fetch(mock.addresses.management + path, {
    headers: { authorization: `Bearer ${mock.target.credentials.admin.value}` },
  });
  return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> };
}

test.each(worldNames)('%s is a valid world file, equal for the same seed and time', (name) => {
  const build = namedWorld(name);
  const world = build(3, NOW);
  expect(worldFile(world, name)).toBe(world);
  expect(build(3, NOW)).toEqual(world);
});

test.each(worldNames)('a file adds a resource to the world "%s"', async (base) => {
  const extra = { workspace: 'demo', collection: 'agents', name: 'my-agent' };
  const names = async (world: WorldExtension) => {
    await using mock = await startMock({ world, now: NOW, clock: 'frozen' });
    const { body } = await get(mock, '/agents');
    return (body as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name).toSorted();
  };
  expect(await names({ extends: base, addResources: [extra] })).toEqual(
    [...(await names({ extends: base })), 'my-agent'].toSorted(),
  );
});

test('an added resource that the API would refuse is named', async () => {
  const twice = { workspace: 'demo', collection: 'agents', name: 'demo-agent' };
  await expect(startMock({ world: { extends: 'default', addResources: [twice] } })).rejects.toThrow(
    /^addResources\[0\], agents "demo-agent" of demo, breaks a rule/,
  );
  const unknown = { ...twice, collection: 'agent' };
  await expect(startMock({ world: { extends: 'empty', addResources: [unknown] } })).rejects.toThrow(
    /addResources\[0\]\.collection is "agent"; allowed: agents/,
  );
});

test('the world "default" is the one without a name', async () => {
  await using mock = await startMock({ now: NOW, clock: 'frozen' });
  await using named = await start('default');
  await using other = await named.newWorld({ world: 'default' });
  const names = ({ world: { resources } }: RunningMock) => [...resources.keys()];
  expect(names(named)).toEqual(names(mock));
  expect(names(mock)).not.toHaveLength(0);
  expect(other.target.workspace).toBe(mock.target.workspace);
});

test('no member of Object.prototype is a name', () => {
  expect(isWorldName('constructor')).toBe(false);
});

test('the world "empty" has workspaces and credentials, but nothing in them', async () => {
  await using mock = await start('empty');
  for (const path of ['/agents', '/functions', '/models', '/sandboxes', '/jobs', '/volumes', '/images', '/policies'])
    expect(await get(mock, path)).toEqual({ status: 200, body: [] });
  expect((await get(mock, '/workspaces')).body).toHaveLength(3);
  expect((await get(mock, '/integrations/github')).status).toBe(200);
  expect(mock.target.addresses).not.toHaveProperty('sandbox');
  expect(Object.keys(mock.target.credentials)).toEqual(expect.arrayContaining(['admin', 'apiKey', 'member']));
  const window = 'startTime=2026-10-01T00:00:00Z&endTime=2026-10-08T00:00:00Z';
  expect((await get(mock, `/accounts/acc-demo/metrics?${window}`)).status).toBe(200);
});

describe('the world "failing-deployments"', () => {
  let mock: RunningMock;
  beforeAll(async () => {
    mock = await start('failing-deployments');
    await mock.clock.advance('2s');
  });
  afterAll(() => mock.close());

  test.each([
    ['agents/broken-build', 'npm ci failed'],
    ['agents/broken-start', 'The container exited with code 1.'],
    ['agents/flaky-build', 'The registry did not respond.'],
    ['functions/broken-tools', 'tsc failed'],
    ['jobs/broken-job', 'larger than 1 GB'],
    ['sandboxes/broken-box', 'no entry point'],
    ['volumes/broken-volume', 'no capacity'],
    ['customdomains/broken-domain', 'The DNS record is missing.'],
  ])('has %s, whose deployment failed with a reason', async (path, reason) => {
    const { body } = await get(mock, `/${path}`);
    expect(body.status).toBe('FAILED');
    expect(body.events.at(-1)).toMatchObject({ status: 'FAILED', message: expect.stringContaining(reason) as string });
  });

  async function update(name: string): Promise<unknown> {
    await fetch(`${mock.addresses.management}/agents/${name}`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${mock.target.credentials.admin.value}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ metadata: { name }, spec: {} }),
    });
    await mock.clock.advance('2s');
    return (await get(mock, `/agents/${name}`)).body.status;
  }

  test('has an agent that the next update deploys, and one that every update breaks', async () => {
    expect(await update('flaky-build')).toBe('DEPLOYED');
    expect((await get(mock, '/agents/fragile-agent')).body.status).toBe('DEPLOYED');
    expect(await update('fragile-agent')).toBe('FAILED');
    expect(await update('fragile-agent')).toBe('FAILED');
    expect((await get(mock, '/agents/demo-agent')).body.status).toBe('DEPLOYED');
  });
});

test('the world "large" has thousands of resources with usage, within the limits', async () => {
  await using mock = await start('large');
  const count = [...mock.world.resources.values()].reduce((sum, { size }) => sum + size, 0);
  expect(count).toBeGreaterThan(3500);
  expect(count).toBeLessThan(mock.world.limits.resources / 2);
  expect((await get(mock, '/agents')).body.length).toBeGreaterThan(200);
  const query = 'startTime=2026-10-01T00:00:00Z&endTime=2026-10-08T00:00:00Z&groupBy=resource_uuid&limit=100';
  const { body } = await get(mock, `/accounts/acc-demo/metrics?${query}`);
  expect(body).toMatchObject({ meta: { hasMore: true } });
});

test('other worlds of a mock can have their own named world, also after another one was loaded', async () => {
  await using mock = await start('empty');
  const agentCount = async (addresses: { management: string }, token: string) => {
    const response = await fetch(`${addresses.management}/agents`, { headers: { authorization: `Bearer ${token}` } });
    return ((await response.json()) as unknown[]).length;
  };
  await using same = await mock.newWorld();
  await using large = await mock.newWorld({ world: 'large' });
  expect(await agentCount(same.addresses, same.target.credentials.apiKey.value)).toBe(0);
  expect(await agentCount(large.addresses, large.target.credentials.apiKey.value)).toBeGreaterThan(200);
  await mock.loadWorld('failing-deployments');
  await using after = await mock.newWorld();
  for (const { addresses, target } of [mock, after])
    expect(await agentCount(addresses, target.credentials.apiKey.value)).toBeGreaterThan(1);
  await expect(mock.newWorld({ world: 'largest' as never })).rejects.toThrow(/empty, failing-deployments, large/);
});
