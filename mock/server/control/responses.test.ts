import { afterEach, beforeAll, afterAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import type { ScriptedResponse } from '../../pipeline/rule-formats.ts';
import { callControl, changeMock } from '../../testing/control-client.ts';

let mock: RunningMock;
let headers: Record<string, string>;

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen' });
  headers = { authorization: `Bearer ${mock.target.credentials.apiKey.value}` };
});
afterEach(() => changeMock(mock.addresses.host, 'POST', '/reset'));
afterAll(() => mock.close());

const set = (...responses: ScriptedResponse[]) => callControl(mock.addresses.host, 'PUT', '/responses', { responses });
const get = (path = '/agents/demo-agent', own: Record<string, string> = {}) =>
  fetch(mock.addresses.management + path, { headers: { ...headers, ...own } });
const ask = (inputs: string, own: Record<string, string> = {}) =>
  fetch(`${mock.addresses.inference}/demo/agents/demo-agent`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...own },
    body: JSON.stringify({ inputs, more: [1] }),
  });

async function statuses(count: number): Promise<number[]> {
  const collected = [];
  for (let round = 0; round < count; round++) collected.push((await get()).status);
  return collected;
}

test.each([
  ['last', [503, 429, 429, 429]],
  ['restart', [503, 429, 503, 429]],
  ['operation', [503, 429, 200, 200]],
] as const)('after a sequence: %s', async (afterwards, expected) => {
  await set({ match: { operation: 'getAgent' }, sequence: [{ status: 503 }, { status: 429 }], afterwards });
  expect(await statuses(4)).toEqual(expected);
});

test('a response has the status, headers and body of the script; its count and the journal show it', async () => {
  await set(
    { match: { path: '/v0/nowhere/*' }, sequence: [{ status: 201, headers: { 'X-Made': 'yes' }, body: { id: 7 } }] },
    { match: { path: '/v0/text' }, sequence: [{ status: 200, body: 'plain' }] },
  );
  const made = await get('/nowhere/1');
  expect([made.status, made.headers.get('x-made'), await made.json()]).toEqual([201, 'yes', { id: 7 }]);
  const text = await get('/text');
  expect([text.headers.get('content-type'), await text.text()]).toEqual(['text/plain; charset=utf-8', 'plain']);
  expect((await callControl(mock.addresses.host, 'GET', '/responses')).body).toMatchObject({
    counts: [{ used: 1 }, { used: 1 }],
  });
  const { requests } = (await callControl(mock.addresses.host, 'GET', '/requests')).body as { requests: object[] };
  expect(requests).toEqual([
    expect.objectContaining({ script: 0, status: 201 }),
    expect.objectContaining({ script: 1 }),
  ]);
});

test('a string is a stream if its header says so', async () => {
  const body = 'data: {"done": true}\n\n';
  const eventStream = { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
  await set({ match: { path: '/v0/events' }, sequence: [eventStream] });
  const sent = await get('/events');
  expect([sent.headers.get('content-type'), await sent.text()]).toEqual(['text/event-stream', body]);
});

test('requests are matched by method, header and a part of the body', async () => {
  const sequence = [{ status: 418 }];
  await set(
    { match: { method: 'POST', body: { inputs: 'fail' } }, sequence },
    { match: { headers: { 'X-Case': 'retry-*' } }, sequence: [{ status: 503 }] },
  );
  expect((await ask('fail')).status).toBe(418);
  expect((await ask('fine')).status).toBe(200);
  expect((await ask('fine', { 'x-case': 'retry-1' })).status).toBe(503);
  expect((await ask('fine', { 'x-case': 'other' })).status).toBe(200);
});

test('requests are matched by their query', async () => {
  await set({ match: { operation: 'listVpcs', query: { limit: '2', cursor: null } }, sequence: [{ status: 503 }] });
  const list = async (query: string) => (await fetch(`${mock.addresses.management}/vpcs${query}`, { headers })).status;
  expect([await list('?limit=2'), await list('?limit=2&cursor=abc'), await list('?cursor')]).toEqual([503, 200, 200]);
});

test('a response without a status is that of the operation, after a delay', async () => {
  await set({ sequence: [{ delayMs: 30 }, { delayMs: { p50: 20, p99: 60 } }] });
  for (const minMs of [30, 3]) {
    const before = performance.now();
    expect((await get()).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(minMs - 1);
  }
});

test('a body is sent slowly, or the connection is closed before or during the response', async () => {
  await set({
    match: { operation: 'getAgent' },
    sequence: [
      { status: 200, body: 'x'.repeat(20), bytesPerSecond: 200 },
      { cut: 'before' },
      { status: 200, body: 'x'.repeat(20), cut: 'during' },
    ],
  });
  const before = performance.now();
  expect(await (await get()).text()).toBe('x'.repeat(20));
  expect(performance.now() - before).toBeGreaterThanOrEqual(80);
  await expect(get()).rejects.toThrow('fetch failed');
  const cut = await get();
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow('terminated');
});

test('a request that prefers an error status gets it without any effect', async () => {
  const response = await ask('hello', { prefer: 'respond-async, code=503' });
  expect([response.status, response.headers.get('preference-applied'), await response.json()]).toEqual([
    503,
    'code=503',
    { error: 'service_unavailable', code: 503, message: expect.any(String) },
  ]);
  expect(mock.world.inference.invocations).toEqual([]);
});

test('a request that prefers another status of success gets it with the body of the operation', async () => {
  const response = await get('/agents/demo-agent', { prefer: 'code="202"' });
  expect([response.status, await response.json()]).toEqual([
    202,
    expect.objectContaining({ metadata: expect.anything() }),
  ]);
  expect((await get('/agents/none', { prefer: 'code=202' })).status).toBe(404);
  expect((await get('/agents/demo-agent', { prefer: 'code=99' })).status).toBe(400);
});

test('a response of status 204 has no body', async () => {
  const preferred = await get('/agents/demo-agent', { prefer: 'code=204' });
  expect([preferred.status, preferred.headers.get('content-type'), await preferred.text()]).toEqual([204, null, '']);
  await set({ sequence: [{ status: 204, body: { id: 1 } }] });
  const scripted = await get();
  expect([scripted.status, scripted.headers.get('content-type'), await scripted.text()]).toEqual([204, null, '']);
});

test.each([
  [{ sequence: [] }, 'sequence'],
  [{ sequence: [{ body: {} }] }, 'responses[0].sequence[0].body'],
  [{ sequence: [{ status: 200, cut: 'after' }] }, 'cut without status'],
  [{ sequence: [{ brokenJson: true, bytesPerSecond: 1 }] }, 'bytesPerSecond'],
  [{ sequence: [{ delayMs: { p50: 5, p99: 1 } }] }, 'is not a distribution whose p99 is at least its p50'],
  [{ sequence: [{ status: 200, headers: { 'Content-Length': '1' } }] }, 'any header but'],
  [{ match: { operation: 'getAgnet' }, sequence: [{}] }, 'getAgent'],
  [{ match: { path: '/_mock' }, sequence: [{}] }, 'is not a path to which rules apply'],
  [{ match: { path: '/v0/agents?limit=1' }, sequence: [{}] }, 'a path without a query'],
  [{ match: { path: '/_mock/health' }, sequence: [{}] }, 'one outside /_mock'],
  [{ match: { path: '/_mock/previews' }, sequence: [{}] }, 'one below /_mock/previews/ or /_mock/idp/'],
  [{ match: { path: '/_mock/w/other/v0/*' }, sequence: [{}] }, 'without /_mock/w/ID'],
  [{ match: { path: '/_mock/res*' }, sequence: [{}] }, 'is not a path to which rules apply'],
])('a script that is not valid is refused: %j', async (script, message) => {
  const { status, body } = await callControl(mock.addresses.host, 'PUT', '/responses', { responses: [script] });
  expect([status, (body as { message: string }).message]).toEqual([400, expect.stringContaining(message)]);
});

test.each(['/_mock*', '/_mock/*', '/_mock/p*/web', '/_mock/idp/token', '/_mocks/a', '/*'])(
  'a path that matches previews, the identity provider or the API is accepted: %s',
  async (path) => {
    const script = { match: { path }, sequence: [{}] };
    expect((await callControl(mock.addresses.host, 'PUT', '/responses', { responses: [script] })).status).toBe(200);
  },
);

test('requests at the same time get no more responses than the sequence has', async () => {
  await set({
    match: { operation: 'queryAgent', body: { inputs: 'many' } },
    sequence: [{ status: 503 }],
    afterwards: 'operation',
  });
  const found = await Promise.all(Array.from({ length: 10 }, async () => (await ask('many')).status));
  expect(found.filter((status) => status === 503)).toHaveLength(1);
});

test('a response without a body is cut as well', async () => {
  await set({ sequence: [{ status: 200, cut: 'during' }] });
  await expect(get()).rejects.toThrow('fetch failed');
});

test('a dropped request is verified', async () => {
  await set({ sequence: [{ cut: 'before' }], afterwards: 'operation' });
  await expect(get()).rejects.toThrow('fetch failed');
  await get();
  await mock.verify({ requests: [{ operation: 'getAgent', times: 2 }], wait: 5 });
});

test('a delayed request ends with 503 when the world is reset or removed', async () => {
  const script: ScriptedResponse = { sequence: [{ delayMs: 60_000 }] };
  await set(script);
  const delayed = get();
  await expect.poll(() => mock.requests()).toHaveLength(1);
  await mock.reset();
  expect((await delayed).status).toBe(503);
  const world = await mock.newWorld();
  await world.responses.set([script]);
  const inOther = fetch(`${world.addresses.management}/agents`, { headers });
  await expect.poll(() => world.requests()).toHaveLength(1);
  await world.close();
  expect((await inOther).status).toBe(503);
});

test('previews and the identity provider are matched by path', async () => {
  await set(
    { match: { path: '/_mock/previews/*' }, sequence: [{ status: 502 }], afterwards: 'operation' },
    {
      match: { path: '/_mock/idp/token', method: 'POST' },
      sequence: [{ status: 503 }, { status: 200, body: { a: 1 } }],
    },
    { match: { operation: 'getAgent' }, sequence: [{ status: 418 }] },
  );
  const preview = `${mock.addresses.host}/_mock/previews/demo/demo-box/web`;
  const token = () => fetch(`${mock.addresses.host}/_mock/idp/token`, { method: 'POST' });
  const refused = await fetch(preview);
  expect([refused.status, await refused.json()]).toEqual([502, expect.objectContaining({ code: 502 })]);
  expect((await fetch(preview)).status).toBe(401);
  const failed = await token();
  expect([failed.status, await failed.json()]).toEqual([503, expect.objectContaining({ error: expect.any(String) })]);
  expect(await (await token()).json()).toEqual({ a: 1 });
  const { requests } = (await callControl(mock.addresses.host, 'GET', '/requests')).body as { requests: object[] };
  expect(requests.map((each) => (each as { script?: number }).script)).toEqual([0, undefined, 1, 1]);
});

test('the header Prefer applies to the identity provider', async () => {
  const response = await fetch(`${mock.addresses.host}/_mock/idp/.well-known/openid-configuration`, {
    headers: { prefer: 'code=503' },
  });
  expect([response.status, response.headers.get('preference-applied')]).toEqual([503, 'code=503']);
});
