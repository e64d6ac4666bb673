import { beforeEach, expect, test } from 'vitest';
import type { World } from '../../world/world.ts';
import { callEndpoint, frozenWorld } from '../../testing/call-endpoint.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld();
});

const window = { startTime: '2026-10-01T00:00:00Z', endTime: '2026-10-02T00:00:00Z' };
const path = { accountId: 'acc-demo' };
const metrics = (query: object = {}, as = 'admin', accountId = 'acc-demo') =>
  callEndpoint(world, 'getAccountMetrics', { path: { accountId }, query: { ...window, ...query }, as });

test('the default world has usage of every kind, on several pages', async () => {
  const { body } = await metrics({ groupBy: 'resource_name,billing_dimension' });
  expect([body.data.length, body.meta.hasMore, body.summary.totalCost > 0]).toEqual([100, true, true]);
  const types = await callEndpoint(world, 'listMetricsResourceTypes', { path, query: window });
  expect(types.body.values).toEqual(['agent', 'custom_domain', 'job', 'mcp_server', 'sandbox', 'volume']);
  expect((await callEndpoint(world, 'listMetricsGroupBy', { path })).body.values).toHaveLength(5);
});

test('workspaces are for account admins', async () => {
  for (const as of ['member', 'workspaceAdmin']) {
    for (const query of [{ workspace: 'demo' }, { groupBy: 'resource_type,workspace' }]) {
      expect(await metrics(query, as)).toEqual({
        status: 403,
        body: { error: 'forbidden', message: 'Access denied' },
      });
    }
    expect((await metrics({ groupBy: 'resource_name' }, as)).status).toBe(200);
  }
  expect((await metrics({ workspace: 'demo' })).status).toBe(200);
});

test('a foreign account and an unknown one get the same response', async () => {
  for (const accountId of ['acc-other', 'acc-none']) {
    expect((await metrics({}, 'admin', accountId)).status).toBe(404);
    expect((await callEndpoint(world, 'listMetricsGroupBy', { path: { accountId } })).status).toBe(404);
    expect((await callEndpoint(world, 'listMetricsResourceTypes', { path: { accountId }, query: window })).status).toBe(
      404,
    );
  }
});

test('an empty account has no cost', async () => {
  const { body } = await metrics({}, 'foreignAdmin', 'acc-other');
  expect([body.summary.totalCost, body.data.length]).toEqual([0, 1]);
});

test('a resource is metered from its creation to its deletion, and keeps its past', async () => {
  const cost = async () => {
    const query = { startTime: '2026-11-21T00:00:00Z', endTime: '2026-11-25T00:00:00Z', resourceName: 'fresh' };
    return (await metrics(query)).body.summary.totalCost;
  };
  await callEndpoint(world, 'createVolume', { body: { metadata: { name: 'fresh' }, spec: {} } });
  expect(await cost()).toBe(0);
  world.clock.advance(3_600_000);
  const afterAnHour = await cost();
  expect(afterAnHour).toBeGreaterThan(0);
  await callEndpoint(world, 'deleteVolume', { path: { volumeName: 'fresh' } });
  world.clock.advance(3_600_000);
  expect(await cost()).toBe(afterAnHour);
});
