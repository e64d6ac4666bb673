import { expect, test } from 'vitest';
import { defaultWorld } from '../../../fixtures/worlds/default.ts';
import type { LifecyclesFile } from '../../../spec/formats/world-lifecycles.ts';
import { startMock } from '../../start-mock.ts';
import { callControl, changeMock, callManagement } from '../../testing/control-client.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');

interface Body {
  readonly status: string;
  readonly message?: string;
  readonly events: readonly { readonly status: string; readonly message: string; readonly time: string }[];
}

async function mockWith(lifecycles: LifecyclesFile = {}) {
  const world = { ...defaultWorld(1, NOW), ...lifecycles };
  const mock = await startMock({ now: NOW, clock: 'frozen', world });
  const { host } = mock.addresses;
  const token = mock.target.credentials.apiKey.value;
  const call = async (method: string, path: string, body?: object) => {
    const response = await callManagement(host, token, method, path, body);
    return { status: response.status, body: response.body as Body };
  };
  return {
    mock,
    write: (spec: object = {}) => call('PUT', '/agents/demo-agent', { metadata: { name: 'demo-agent' }, spec }),
    read: async () => (await call('GET', '/agents/demo-agent')).body,
    call,
    end: (body: object, path = '/deployments/agents/demo-agent') => callControl(host, 'PUT', path, body),
    advance: (advanceMs: number) => changeMock(host, 'PUT', '/clock', { advanceMs }),
    query: async () =>
      (
        await fetch(`${mock.addresses.inference}/demo/agents/demo-agent`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{"inputs":"hello"}',
        })
      ).status,
    [Symbol.asyncDispose]: () => mock.close(),
  };
}

test('a deployment fails at the planned phase and names its reason; the next update retries', async () => {
  await using shop = await mockWith({
    deploy: {
      building: '2s',
      failures: [{ resource: 'agents/demo-agent', at: 'building', times: 1, message: 'npm ci failed' }],
    },
  });
  await shop.write();
  await shop.advance(2099);
  expect((await shop.read()).status).toBe('BUILDING');
  await shop.advance(1);
  const failed = await shop.read();
  expect([failed.status, failed.events.at(-1)]).toEqual([
    'FAILED',
    expect.objectContaining({ status: 'FAILED', message: 'npm ci failed', time: '2026-11-01T00:00:02.100Z' }),
  ]);
  await shop.write();
  await shop.advance(2600);
  expect((await shop.read()).status).toBe('DEPLOYED');
});

test('an agent whose update fails serves its previous revision; one that was never deployed serves nothing', async () => {
  await using shop = await mockWith({ deploy: { failures: [{ at: 'deploying' }] } });
  await shop.write();
  await shop.call('POST', '/agents', { metadata: { name: 'new' }, spec: {} });
  await shop.advance(5000);
  expect([(await shop.read()).status, await shop.query()]).toEqual(['FAILED', 200]);
  const created = (await shop.call('GET', '/agents/new')).body;
  expect(created.status).toBe('FAILED');
  const response = await fetch(`${shop.mock.addresses.inference}/demo/agents/new`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.mock.target.credentials.apiKey.value}`,
      'content-type': 'application/json',
    },
    body: '{"inputs":"hello"}',
  });
  expect(response.status).toBe(503);
});

test('durations are drawn from their range, the same for the same seed', async () => {
  const durations = [];
  for (const _ of [1, 2]) {
    await using shop = await mockWith({ deploy: { building: '2s..40s' } });
    await shop.write();
    await shop.advance(60_000);
    const { events } = await shop.read();
    const [building, built] = ['BUILDING', 'BUILT'].map((status) =>
      Date.parse(events.findLast((event) => event.status === status)?.time ?? ''),
    );
    durations.push((built ?? 0) - (building ?? 0));
  }
  expect(durations[0]).toBe(durations[1]);
  expect(durations[0]).toBeGreaterThanOrEqual(2000);
  expect(durations[0]).toBeLessThanOrEqual(40_000);
});

test('a deletion cancels a deployment', async () => {
  await using shop = await mockWith({ deploy: { building: '1h' } });
  await shop.write();
  expect((await shop.call('DELETE', '/agents/demo-agent')).body.status).toBe('DELETING');
  await shop.advance(1000);
  expect((await shop.call('GET', '/agents/demo-agent')).status).toBe(404);
});

test('a test finishes a deployment, or fails it with a reason', async () => {
  await using shop = await mockWith({ deploy: { building: '1h' } });
  await shop.write();
  expect((await shop.end({ status: 'DEPLOYED' })).body).toMatchObject({ status: 'DEPLOYED' });
  await shop.end({ status: 'FAILED', message: 'out of memory' });
  expect((await shop.read()).events.at(-1)).toMatchObject({ status: 'FAILED', message: 'out of memory' });
  expect(await shop.query()).toBe(503);
  await shop.end({ status: 'DEPLOYED' });
  expect(await shop.query()).toBe(200);
});

test('the reasons for which an end is refused', async () => {
  await using shop = await mockWith();
  const refused = [
    await shop.end({ status: 'DEPLOYED' }, '/deployments/agents/none'),
    await shop.end({ status: 'BUILT' }),
    await shop.end({ status: 'DEPLOYED' }, '/deployments/policies/demo-policy'),
    await shop.end({ status: 'DEPLOYED' }, '/deployments/agents/demo-agent?workspace=none'),
  ];
  expect(refused.map(({ status, body }) => [status, (body as { message: string }).message])).toEqual([
    [404, 'Agent "none" does not exist.'],
    [400, expect.stringContaining('"BUILT" is not one of DEPLOYED, FAILED')],
    [400, expect.stringContaining('the collection is "policies"; allowed: agents')],
    [400, expect.stringContaining('workspace is "none"; allowed: ')],
  ]);
  await shop.call('DELETE', '/agents/demo-agent');
  expect((await shop.end({ status: 'DEPLOYED' })).status).toBe(409);
});

test('a disabled agent cannot be deployed by the call', async () => {
  await using mock = await mockWith();
  await mock.write({ enabled: false });
  expect(await mock.end({ status: 'DEPLOYED' })).toMatchObject({ status: 409 });
  expect(await mock.end({ status: 'FAILED' })).toMatchObject({ status: 200, body: { status: 'FAILED' } });
});

test('a stopped sandbox is not ended as deployed', async () => {
  await using shop = await mockWith();
  await shop.call('POST', '/sandboxes/demo-box/stop');
  const { status, body } = await shop.end({ status: 'DEPLOYED' }, '/deployments/sandboxes/demo-box');
  expect([status, (body as { message: string }).message]).toEqual([
    409,
    'Sandbox "demo-box" is stopped: start it first.',
  ]);
});
