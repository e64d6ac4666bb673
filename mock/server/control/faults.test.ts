import { afterEach, beforeAll, afterAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import type { FaultRule } from '../../pipeline/rule-formats.ts';
import { callManagement, callControl, changeMock } from '../../testing/control-client.ts';

let mock: RunningMock;
let headers: Record<string, string>;

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen' });
  headers = { authorization: `Bearer ${mock.target.credentials.apiKey.value}` };
});
afterEach(() => changeMock(mock.addresses.host, 'POST', '/reset'));
afterAll(() => mock.close());

const set = (...rules: FaultRule[]) => callControl(mock.addresses.host, 'PUT', '/faults', { rules });
const get = (path = '/agents/demo-agent') => fetch(mock.addresses.management + path, { headers });

async function statuses(count: number, path?: string): Promise<number[]> {
  const collected = [];
  for (let round = 0; round < count; round++) collected.push((await get(path)).status);
  return collected;
}

test("a status is sent in the surface's error format, for the operation of the rule", async () => {
  await set({ operation: 'getAgent', status: 503, headers: { 'Retry-After': '1' } });
  const response = await get();
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    503,
    '1',
    { error: 'service_unavailable', code: 503, message: expect.any(String) },
  ]);
  expect((await get('/agents')).status).toBe(200);
});

test('a rule with every and times applies to every third request, at most twice', async () => {
  await set({ operation: 'getAgent', status: 500, every: 3, times: 2 });
  expect(await statuses(10)).toEqual([200, 200, 500, 200, 200, 500, 200, 200, 200, 200]);
  expect((await callControl(mock.addresses.host, 'GET', '/faults')).body).toMatchObject({
    counts: [{ matched: 10, fired: 2 }],
  });
});

test('probabilities are drawn from the seed, reproducibly and independently of other rules', async () => {
  const rule: FaultRule = { operation: 'getAgent', probability: 0.4, status: 500 };
  await set(rule);
  const first = await statuses(40);
  expect(new Set(first)).toEqual(new Set([200, 500]));
  await set(rule, { operation: 'listAgents', probability: 0.5, status: 502 });
  await statuses(5, '/agents');
  expect(await statuses(40)).toEqual(first);
});

test('faults do not change the random values of the world', async () => {
  const before = mock.world.random.state();
  await set({ probability: 0.5, delayMs: 1 });
  await statuses(5);
  expect(mock.world.random.state()).toBe(before);
});

test('a connection is cut before or after the request takes effect', async () => {
  const { host } = mock.addresses;
  const token = mock.target.credentials.apiKey.value;
  const create = (name: string) =>
    callManagement(host, token, 'POST', '/policies', {
      metadata: { name },
      spec: { type: 'location', locations: ['local'] },
    });
  await set({ operation: 'createPolicy', cut: 'before', times: 1 }, { operation: 'createPolicy', cut: 'after' });
  await expect(create('lost')).rejects.toThrow('fetch failed');
  await expect(create('there')).rejects.toThrow('fetch failed');
  expect(
    await Promise.all(['/policies/lost', '/policies/there'].map(async (path) => (await get(path)).status)),
  ).toEqual([404, 200]);
  const { requests } = (await callControl(host, 'GET', '/requests?method=POST')).body as { requests: object[] };
  expect(requests).toEqual([
    expect.objectContaining({ status: null, fault: 0 }),
    expect.objectContaining({ status: null, fault: 1, operation: 'createPolicy' }),
  ]);
});

test('broken JSON is truncated, in successful and error responses', async () => {
  await set({ brokenJson: true });
  for (const path of ['/agents/demo-agent', '/agents/nobody', '/nothing']) {
    const response = await get(path);
    await expect(response.json()).rejects.toThrow(/JSON/);
  }
});

test('a delay postpones the response', async () => {
  await set({ delayMs: 50 });
  const start = performance.now();
  expect((await get()).status).toBe(200);
  expect(performance.now() - start).toBeGreaterThanOrEqual(45);
});

test('a rule applies to requests whose path and body match', async () => {
  await set({ path: '/v0/agents/demo-*', body: { spec: { enabled: false } }, status: 500 });
  const put = (name: string, enabled: boolean) =>
    callManagement(mock.addresses.host, mock.target.credentials.apiKey.value, 'PUT', `/agents/${name}`, {
      metadata: { name },
      spec: { enabled },
    });
  const sent = [await put('demo-agent', false), await put('demo-agent', true), await put('other', false)];
  expect(sent.map(({ status }) => status)).toEqual([500, 200, 404]);
});

test('a rule applies to requests whose query matches, such as all pages but the first', async () => {
  await set({ operation: 'listAgents', query: { cursor: '*' }, status: 503 });
  const list = async (query: string) =>
    (await fetch(`${mock.addresses.management}/agents${query}`, { headers })).status;
  expect([await list('?limit=1'), await list('?cursor=abc'), await list('?limit=1&%63ursor=a%2Cb')]).toEqual([
    200, 503, 503,
  ]);
  await set({ path: '/v0/agents', query: { cursor: null, limit: 1 }, status: 503 });
  expect([await list('?limit=1'), await list(''), await list('?limit=1&cursor=')]).toEqual([503, 200, 200]);
});

test('without rules no request is affected, and /_mock never is', async () => {
  await set({ status: 500 });
  expect((await callControl(mock.addresses.host, 'DELETE', '/faults')).body).toEqual({ rules: [], counts: [] });
  expect((await get()).status).toBe(200);
});

test.each<[unknown, RegExp]>([
  [{}, /Missing key "rules"/],
  [{ rules: [{}] }, /rules\[0\].*status, delayMs, cut, brokenJson/],
  [{ rules: [{ status: 200 }] }, /status: 200 is not at least 400/],
  [
    { rules: [{ status: 500, operation: 'updateAgents' }] },
    /rules\[0\]\.operation: "updateAgents" is not.*updateAgent/,
  ],
  [{ rules: [{ status: 500, probability: 2 }] }, /probability: 2 is not at most 1/],
  [{ rules: [{ status: 500, cut: 'before' }] }, /cut without status/],
  [{ rules: [{ cut: 'sometimes' }] }, /"sometimes" is not one of before, after, during/],
  [{ rules: [{ status: 500, headers: { 'x y': '1' } }] }, /keys are header names/],
  [{ rules: [{ status: 500, headers: { x: 'a\nb' } }] }, /visible ASCII/],
  [{ rules: [{ status: 500, headers: { 'Content-Length': '1' } }] }, /Content-Length/],
  [{ rules: [{ status: 500, path: '/_mock/health' }] }, /rules\[0\]\.path: .*is not a path to which rules apply/],
  [
    { rules: [{ status: 500, path: '/v0/agents?limit=1&cursor=a%2Cb' }] },
    /rules\[0\]\.path: .* write "path":"\/v0\/agents","query":\{"limit":"1","cursor":"a,b"\}/,
  ],
  [{ rules: [{ status: 500, path: '/v0/agents?' }] }, /write "path":"\/v0\/agents"\./],
  [
    { rules: [{ status: 500, path: `/v0?x=${'x'.repeat(300)}` }] },
    /a path without a query, which is the member "query"/,
  ],
  [{ rules: [{ status: 500, query: { limit: [1] } }] }, /rules\[0\]\.query\.limit: .*null for an absent parameter/],
  [{ rules: [{ status: 500, query: 'limit=1' }] }, /rules\[0\]\.query: "limit=1" is not an object/],
  [{ rules: [{ status: 500, often: 2 }] }, /"often".*Allowed: operation, method, path, query, body, every/],
])('%j is rejected with a clear message', async (body, words) => {
  const { status, body: reply } = await callControl(mock.addresses.host, 'PUT', '/faults', body);
  expect([status, reply]).toEqual([400, expect.objectContaining({ message: expect.stringMatching(words) })]);
});

test('a delay ends when its client disconnects', async () => {
  await set({ delayMs: 600_000 });
  const leaving = new AbortController();
  const pending = fetch(`${mock.addresses.management}/agents`, { headers, signal: leaving.signal });
  const newest = async () => {
    const { requests } = (await callControl(mock.addresses.host, 'GET', '/requests')).body as { requests: object[] };
    return requests.at(-1);
  };
  await expect.poll(newest).toMatchObject({ fault: 0, status: null });
  leaving.abort();
  await expect(pending).rejects.toThrow('aborted');
  await expect.poll(newest).toMatchObject({ fault: 0, status: 200 });
});

test('broken JSON truncates each event of a stream, and the stream continues', async () => {
  await set({ operation: 'createChatCompletion', brokenJson: true });
  const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Hello' }] });
  const response = await fetch(`${mock.addresses.inference}/demo/models/demo-model/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  const events = (await response.text()).trimEnd().split('\n\n');
  expect(events.pop()).toBe('data: [DONE]');
  expect(events.length).toBeGreaterThan(3);
  for (const event of events) expect(() => JSON.parse(event.replace('data: ', ''))).toThrow(/JSON/);
});
