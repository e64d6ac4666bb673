import { afterEach, describe, expect, test } from 'vitest';
import { defaultWorld } from '../../../fixtures/worlds/default.ts';
import { demoResources } from '../../../fixtures/worlds/demo-resources.ts';
import type { ReplyFile } from '../../../spec/formats/world-file.ts';
import type { LifecyclesFile } from '../../../spec/formats/world-lifecycles.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { callControl, callManagement } from '../../testing/control-client.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
let mock: RunningMock;
afterEach(() => mock.close());

type Options = LifecyclesFile & { readonly replies?: ReplyFile[] };

async function start(options: Options, runtime: object = { maxScale: 1 }): Promise<void> {
  const world = { ...defaultWorld(1, NOW), resources: demoResources, ...options };
  mock = await startMock({ now: NOW, clock: 'frozen', world });
  await update('agents', 'demo-agent', {
    runtime,
    triggers: [{ id: 'later', type: 'http-async', configuration: { callbackUrl: 'https://hooks.example/done' } }],
  });
  await advance(1000);
}

const advance = (advanceMs: number) => callControl(mock.addresses.host, 'PUT', '/clock', { advanceMs });
const token = () => mock.target.credentials.apiKey.value;
const update = (collection: string, name: string, spec: object) =>
  callManagement(mock.addresses.host, token(), 'PUT', `/${collection}/${name}`, { metadata: { name }, spec });
const post = (path: string, body: object, more: object = {}) =>
  fetch(`${mock.addresses.inference}/demo/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  });
const call = () => post('agents/demo-agent', { inputs: 'now' });
const later = () => post('agents/demo-agent/later', { inputs: 'later' });
const requests = () => mock.world.inference.requests;
/** When they complete, in milliseconds after they were accepted; undefined while they wait. */
const completed = () => requests().map(({ completesAt, acceptedAt }) => completesAt && completesAt - acceptedAt);
const received = async (count: number) => {
  await expect.poll(async () => (await mock.requests()).length).toBeGreaterThanOrEqual(count);
};

describe('a request to an async trigger', () => {
  test('names its revision', async () => {
    await start({}, {});
    const [accepted, called] = [await later(), await call()];
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('x-mock-revision')).toMatch(/^rev-/);
    expect(accepted.headers.get('x-mock-revision')).toBe(called.headers.get('x-mock-revision'));
  });

  test('waits for an instance on the virtual clock, however far it is advanced', async () => {
    await start({});
    for (const _ of [1, 2, 3]) expect((await later()).status).toBe(202);
    expect(completed()).toEqual([500, undefined, undefined]);
    await advance(60_000);
    expect(completed()).toEqual([500, 1000, 1500]);
  });

  test('is billed when it runs, once, and counted when it is accepted', async () => {
    await start({});
    for (const _ of [1, 2]) await later();
    const { uuid = '' } = mock.world.resources.get('demo/agents')?.get('demo-agent') ?? {};
    const uses = () => mock.world.inference.uses[uuid]?.map(({ dimension, ticks }) => [dimension, ticks]) ?? [];
    expect(uses()).toContainEqual(['agent_async_requests_count', 2]);
    const compute = () => uses().filter(([dimension]) => dimension === 'agent_compute_runtime_gbs');
    // Half a second of 2 GB, in ticks of a quarter of a gigabyte-second.
    expect(compute()).toEqual([['agent_compute_runtime_gbs', 4]]);
    await advance(2000);
    expect(compute().reduce((sum, [, ticks]) => sum + Number(ticks), 0)).toBe(8);
  });

  test('has a cold start, after which the agent is warm', async () => {
    await start({ instances: { coldStart: '3s' } }, {});
    await later();
    expect(completed()).toEqual([3500]);
    await advance(3500);
    expect((await call()).headers.get('x-mock-cold-start')).toBeNull();
    await later();
    expect(completed()).toEqual([3500, 500]);
  });

  test('occupies an instance, for which other requests wait', async () => {
    await start({});
    await later();
    const called = call();
    await received(3);
    await advance(499);
    expect(await Promise.race([called, Promise.resolve('waiting')])).toBe('waiting');
    await advance(1);
    expect((await called).status).toBe(200);
  });

  test('waits for other requests', async () => {
    await start({ replies: [{ pattern: 'now', delayMs: 5000 }] });
    const called = call();
    await expect.poll(() => mock.world.timers.count()).toBeGreaterThan(0);
    await later();
    expect(completed()).toEqual([undefined]);
    await advance(5000);
    expect((await called).status).toBe(200);
    await expect.poll(completed).toEqual([5500]);
  });

  test('is refused with 429 if the world refuses excess; nothing is counted then', async () => {
    await start({ instances: { excess: 'refuse' } });
    await later();
    const refused = await later();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({ message: 'Agent "demo-agent" has no free instance (maxScale is 1).' });
    expect(await mock.invocations({ workload: 'agents/demo-agent' })).toHaveLength(1);
    await advance(500);
    expect((await later()).status).toBe(202);
  });

  test('fails if the agent is disabled or deleted while it waits', async () => {
    await start({});
    for (const _ of [1, 2]) await later();
    await update('agents', 'demo-agent', { enabled: false });
    await advance(500);
    expect(requests().map(({ outcome }) => outcome.status)).toEqual([200, 503]);
    await update('agents', 'demo-agent', { runtime: { maxScale: 1 }, triggers: [{ id: 'later', type: 'http-async' }] });
    await advance(1000);
    for (const _ of [1, 2]) await later();
    await callManagement(mock.addresses.host, token(), 'DELETE', '/agents/demo-agent');
    const statuses = [200, 503, 200, 404];
    expect(requests().map(({ outcome }) => outcome.status)).toEqual(statuses);
    const invocations = await mock.invocations({ by: 'async' });
    expect(invocations.map(({ status }) => status)).toEqual(statuses);
    expect(invocations.map(({ requestId }) => requestId)).toEqual(requests().map(({ id }) => id));
  });

  test('continues to wait after a snapshot was restored', async () => {
    await start({});
    for (const _ of [1, 2, 3]) await later();
    const snapshot = await mock.snapshot.get();
    await mock.reset();
    await mock.snapshot.set(snapshot);
    expect(completed()).toEqual([500, undefined, undefined]);
    await advance(10_000);
    expect(completed()).toEqual([500, 1000, 1500]);
  });
});

test('requests to a model that exceed maxScale wait', async () => {
  await start({ replies: [{ workload: 'models/demo-model', delayMs: 1000, times: 1 }] });
  await update('models', 'demo-model', { runtime: { maxScale: 1 } });
  await advance(1000);
  const done: string[] = [];
  const slow = post('models/demo-model', { inputs: 'slow' }).then(() => done.push('slow'));
  await expect.poll(() => mock.world.timers.count()).toBeGreaterThan(0);
  const chat = { messages: [{ role: 'user', content: 'queued' }], stream: true };
  const queued = post('models/demo-model/chat/completions', chat).then(async (response) => {
    await response.text();
    return done.push('queued');
  });
  await received(4);
  await advance(999);
  expect(done).toEqual([]);
  await advance(1);
  await Promise.all([slow, queued]);
  expect((await post('models/demo-model', { inputs: 'free again' })).status).toBe(200);
});

describe('a function', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const accept = { accept: 'application/json, text/event-stream' };
  const request = (body: object = initialize, more: object = {}) =>
    post('functions/demo-tools/mcp', body, { ...accept, ...more });

  test('handles as many requests at a time as maxScale allows; excess gets 429 if the world says so', async () => {
    await start({ instances: { coldStart: '3s', excess: 'refuse' } });
    await update('functions', 'demo-tools', { type: 'mcp', runtime: { type: 'mcp', maxScale: 1 } });
    await advance(1000);
    const first = request();
    await expect.poll(() => mock.world.timers.count()).toBeGreaterThan(0);
    const refused = await request();
    expect(refused.status).toBe(429);
    await advance(3000);
    const response = await first;
    expect([response.status, response.headers.get('x-mock-cold-start')]).toEqual([200, '3000ms']);
    await response.text();
    await expect.poll(async () => (await request()).status).toBe(200);
  });

  test('lets notifications pass', async () => {
    await start({ instances: { coldStart: '3s', excess: 'refuse' } });
    await update('functions', 'demo-tools', { type: 'mcp', runtime: { type: 'mcp', maxScale: 1 } });
    await advance(1000);
    const first = request();
    await expect.poll(() => mock.world.timers.count()).toBeGreaterThan(0);
    const notified = request({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await expect.poll(() => mock.world.timers.count()).toBe(2);
    expect((await request()).status).toBe(429);
    await advance(3000);
    expect((await notified).status).toBe(400);
    await (await first).text();
  });
});
