import { afterEach, expect, test } from 'vitest';
import type { WorldLimits } from '../../spec/formats/mock-limits.ts';
import { startMock, type RunningMock } from '../start-mock.ts';
import { begin, request as message, send as sendMessage } from '../testing/mcp-client.ts';
import { countMeterEvents } from '../state/lifetimes.ts';

let mock: RunningMock;

afterEach(() => mock.close());

async function startWith(limits: Partial<WorldLimits>): Promise<void> {
  mock = await startMock({ clock: 'frozen', world: { extends: 'default', limits } });
}

async function send(method: string, path: string, body?: string | Buffer, type = 'application/json') {
  const response = await fetch(mock.addresses.host + path, {
    method,
    headers: { authorization: `Bearer ${mock.target.credentials.admin.value}`, 'content-type': type },
    body: body === undefined ? null : new Uint8Array(Buffer.from(body)),
    redirect: 'manual',
  });
  return { status: response.status, text: await response.text() };
}

/** The body of a form with a file, and its type. */
const partOf = (bytes: Buffer): [Buffer, string] => [
  Buffer.concat([
    Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="part"\r\n\r\n'),
    bytes,
    Buffer.from('\r\n--x--\r\n'),
  ]),
  'multipart/form-data; boundary=x',
];

const policy = (name: string) => JSON.stringify({ metadata: { name }, spec: {} });
const agent = (name: string, memory = 2048) => JSON.stringify({ metadata: { name }, spec: { runtime: { memory } } });
const BOX = '/sandbox/demo/demo-box';
const AUTHORIZE = `/oauth/authorize?response_type=code&client_id=demo-client&redirect_uri=${encodeURIComponent('http://127.0.0.1:8765/callback')}&prompt=none`;
const BASIC = 'grant_type=client_credentials&client_id=demo-client&client_secret=demo-secret';

/** Sends the request until it is refused; resolves to the number of those accepted, and the refusal. */
async function fill(limit: number, request: (index: number) => Parameters<typeof send>) {
  for (let index = 0; index < limit; index++) {
    const { status, text } = await send(...request(index));
    if (status >= 400) return { accepted: index, status, text };
  }
  return { accepted: limit, status: 0, text: '' };
}

test('resources', async () => {
  await startWith({});
  const count = mock.world.resources.values().reduce((sum, { size }) => sum + size, 0);
  await mock.close();
  await startWith({ resources: count + 2 });
  const { accepted, status, text } = await fill(5, (index) => ['POST', '/v0/policies', policy(`p${index}`)]);
  expect([accepted, status]).toEqual([2, 409]);
  expect(text).toContain(`limits.resources of ${count + 2}`);
  expect((await send('DELETE', '/v0/policies/p0')).status).toBe(200);
  expect((await send('POST', '/v0/policies', policy('p9'))).status).toBe(200);
});

test('bytes of resources', async () => {
  await startWith({ resourceBytes: 400_000 });
  const large = (name: string) => JSON.stringify({ metadata: { name }, spec: { x: 'a'.repeat(50_000) } });
  const { accepted, status } = await fill(9, (index) => ['POST', '/v0/policies', large(`p${index}`)]);
  expect(status).toBe(413);
  expect(accepted).toBeGreaterThan(1);
});

test('executions of a job', async () => {
  await startWith({ executions: 3 });
  const { accepted, status } = await fill(5, () => ['POST', '/demo/jobs/demo-job/executions', '{"tasks":[{}]}']);
  expect([accepted, status]).toEqual([3, 409]);
});

test('resources that were ever metered, also if they were deleted', async () => {
  await startWith({});
  const { size } = mock.world.lifetimes;
  await mock.close();
  await startWith({ meteredResources: size + 2 });
  for (const name of ['one', 'two']) {
    expect((await send('POST', '/v0/agents', agent(name))).status).toBe(200);
    expect((await send('DELETE', `/v0/agents/${name}`)).status).toBe(200);
  }
  expect((await send('POST', '/v0/agents', agent('three'))).status).toBe(409);
});

test('calls and updates that are metered; equal updates and steady calls count once', async () => {
  await startWith({});
  const count = countMeterEvents(mock.world);
  await mock.close();
  await startWith({ meterEvents: count + 30 });
  for (let times = 0; times < 60; times++) {
    expect((await send('PUT', '/v0/agents/demo-agent', agent('demo-agent'))).status).toBe(200);
    await mock.clock.advance(2000);
    expect((await send('POST', '/demo/agents/demo-agent', '{"inputs":"x"}')).status).toBe(200);
  }
  let status = 200;
  for (let times = 0; times < 60 && status === 200; times++) {
    ({ status } = await send('PUT', '/v0/agents/demo-agent', agent('demo-agent', 1024 + 256 * (times % 9))));
    await mock.clock.advance(2000);
  }
  expect(status).toBe(409);
  expect((await send('POST', '/demo/agents/demo-agent', '{"inputs":"x"}')).status).toBe(409);
});

test('files and directories of a sandbox', async () => {
  await startWith({ files: 40 });
  const files = (count: number) =>
    JSON.stringify({ files: Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index}/f`, 'x'])) });
  expect((await send('PUT', `${BOX}/filesystem/tree/app`, files(30))).status).toBe(409);
  expect((await send('PUT', `${BOX}/filesystem/tree/app`, files(5))).status).toBe(200);
});

test('bytes of a sandbox and of all sandboxes', async () => {
  await startWith({ sandboxBytes: 100_000, allSandboxesBytes: 150_000 });
  const file = (name: string, size: number) => JSON.stringify({ files: { [name]: 'x'.repeat(size) } });
  expect((await send('PUT', `${BOX}/filesystem/tree/app`, file('a', 90_000))).status).toBe(200);
  expect((await send('PUT', `${BOX}/filesystem/tree/app`, file('b', 20_000))).status).toBe(413);
  expect((await send('PUT', `${BOX}/filesystem/tree/app`, file('a', 95_000))).status).toBe(200);
  expect((await send('POST', '/v0/sandboxes', agent('other'))).status).toBe(200);
  await mock.clock.advance(5000);
  const other = '/sandbox/demo/other/filesystem/tree/app';
  expect((await send('PUT', other, file('a', 60_000))).status).toBe(413);
  expect((await send('PUT', other, file('a', 30_000))).status).toBe(200);
});

test('uploads and their parts', async () => {
  await startWith({ uploads: 2, parts: 3, fileBytes: 25 });
  const initiated = await send('POST', `${BOX}/filesystem-multipart/initiate/a.bin`, '{}');
  const { uploadId } = JSON.parse(initiated.text) as { uploadId: string };
  const part = (index: number): Parameters<typeof send> => [
    'PUT',
    `${BOX}/filesystem-multipart/${uploadId}/part?partNumber=${index + 1}`,
    ...partOf(Buffer.alloc(10)),
  ];
  expect(await fill(5, part)).toMatchObject({ accepted: 3, status: 409 });
  expect((await send(...part(0))).status).toBe(200);
  const listed = await send('GET', `${BOX}/filesystem-multipart/${uploadId}/parts`);
  const { parts: uploaded } = JSON.parse(listed.text) as { parts: object[] };
  const all = JSON.stringify({ parts: uploaded });
  expect((await send('POST', `${BOX}/filesystem-multipart/${uploadId}/complete`, all)).status).toBe(413);
  const parts = JSON.stringify({ parts: uploaded.slice(0, 2) });
  const initiate = (index: number): Parameters<typeof send> => [
    'POST',
    `${BOX}/filesystem-multipart/initiate/b${index}`,
    '{}',
  ];
  expect(await fill(3, initiate)).toMatchObject({ accepted: 1, status: 409 });
  expect((await send('POST', `${BOX}/filesystem-multipart/${uploadId}/complete`, parts)).status).toBe(200);
});

test('an upload of 540 MB is refused early, and the snapshot still works', { timeout: 60_000 }, async () => {
  await startWith({});
  const initiated = await send('POST', `${BOX}/filesystem-multipart/initiate/big.bin`, '{}');
  const { uploadId } = JSON.parse(initiated.text) as { uploadId: string };
  const part = partOf(Buffer.alloc(5 * 2 ** 20, 1));
  const { accepted, status } = await fill(108, (index) => [
    'PUT',
    `${BOX}/filesystem-multipart/${uploadId}/part?partNumber=${index + 1}`,
    ...part,
  ]);
  expect(status).toBe(413);
  expect(accepted).toBeLessThan(13);
  const snapshot = await send('GET', '/_mock/snapshot');
  expect(snapshot.status).toBe(200);
  expect(Object.keys((JSON.parse(snapshot.text) as { sandboxes: object }).sandboxes)).toContain('demo/demo-box');
});

test('codes', async () => {
  await startWith({ codes: 3 });
  expect(await fill(5, () => ['GET', AUTHORIZE])).toMatchObject({ accepted: 5 });
  expect(mock.world.oauth.codes.size).toBe(3);
  await mock.clock.advance('11m');
  await send('GET', AUTHORIZE);
  expect(mock.world.oauth.codes.size).toBe(1);
});

test('live tokens: a token that does not fit is verified again for each request', async () => {
  await startWith({ tokens: 20 });
  for (let times = 0; times < 30; times++) {
    const { status, text } = await send('POST', '/oauth/token', BASIC, 'application/x-www-form-urlencoded');
    expect(status).toBe(401); // The Authorization header of send is not the client's.
    expect(text).toContain('invalid_client');
  }
  const statuses: number[] = [];
  for (let times = 0; times < 30; times++) statuses.push((await send('POST', '/_mock/tokens', '{}')).status);
  expect(statuses.at(0)).toBe(201);
  expect(statuses.at(-1)).toBe(429);
});

/** Of one login: a code, and the tokens for it. */
async function logIn(): Promise<{ status: number; refreshToken: string }> {
  const response = await fetch(`${mock.addresses.host}${AUTHORIZE}&access_type=offline`, { redirect: 'manual' });
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const { status, text } = await sendForm('/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'http://127.0.0.1:8765/callback',
  });
  return { status, refreshToken: String((JSON.parse(text) as Record<string, unknown>)['refresh_token']) };
}

async function sendForm(path: string, fields: Record<string, string>) {
  const client = { client_id: 'demo-client', client_secret: 'demo-secret' };
  const body = new URLSearchParams({ ...client, ...fields });
  const response = await fetch(mock.addresses.host + path, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
}

test('refresh tokens, which live longer than the access tokens issued with them', async () => {
  await startWith({});
  const { credentials, oauth, limits } = mock.world;
  const room = credentials.size + 2;
  Object.assign(limits, { tokens: oauth.refreshTokens.size + room });
  const statuses: number[] = [];
  for (let times = 0; times < room + 1; times++) {
    statuses.push((await logIn()).status);
    await mock.clock.advance('2h');
  }
  expect(statuses).toEqual([...Array.from({ length: room }, () => 200), 429]);
  await mock.clock.advance('31d');
  expect((await logIn()).status).toBe(200);
});

test('revoked tokens', async () => {
  await startWith({});
  const tokens = [];
  for (let times = 0; times < 4; times++) tokens.push((await logIn()).refreshToken);
  Object.assign(mock.world.limits, { tokens: 2 });
  const statuses: number[] = [];
  for (const token of tokens) statuses.push((await sendForm('/oauth/revoke', { token })).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
});

test('MCP sessions: the oldest one ends', async () => {
  await startWith({ mcpSessions: 3 });
  const sessions = [];
  for (let times = 0; times < 5; times++) sessions.push(await begin(mock));
  expect(mock.world.mcp.sessions()).toBe(3);
  const statuses: number[] = [];
  for (const headers of sessions) {
    const response = await sendMessage(mock, { headers, body: message(1, 'tools/list') });
    await response.text();
    statuses.push(response.status);
  }
  expect(statuses).toEqual([404, 404, 200, 200, 200]);
});

test('events of an MCP session are dropped, oldest first', { timeout: 60_000 }, async () => {
  await startWith({});
  const headers = await begin(mock);
  const ask = async (id: number) => (await sendMessage(mock, { headers, body: message(id, 'ping') })).text();
  const [, firstId = ''] = /^id: (.*)$/m.exec(await ask(1)) ?? [];
  const resume = async () => {
    const response = await sendMessage(mock, { method: 'GET', headers: { ...headers, 'last-event-id': firstId } });
    await response.body?.cancel();
    return response.status;
  };
  expect(firstId).not.toBe('');
  expect(await resume()).toBe(200);
  for (let id = 2; id <= 1100; id++) await ask(id);
  expect(await resume()).toBe(400);
});

test('async requests and the bytes of their responses', async () => {
  await startWith({ asyncRequests: 2 });
  const later = (inputs: string): Parameters<typeof send> => [
    'POST',
    '/demo/agents/demo-agent-mk3/later',
    JSON.stringify({ inputs }),
  ];
  expect(await fill(4, () => later('x'))).toMatchObject({ accepted: 2, status: 429 });
  await mock.clock.advance('1h');
  expect((await send(...later('x'))).status).toBe(202);
  await mock.close();
  await startWith({ asyncBytes: 10_000 });
  expect(await fill(4, () => later('x'.repeat(2000)))).toMatchObject({ status: 429 });
});

test('worlds on a port', async () => {
  await startWith({ worlds: 2 });
  expect(await fill(4, () => ['POST', '/_mock/worlds', '{}'])).toMatchObject({ accepted: 2, status: 409 });
});

test('a watch stream whose client does not read ends', { timeout: 30_000 }, async () => {
  await startWith({ watchBytes: 100_000 });
  const { uuid = '' } = mock.world.resources.get('demo/sandboxes')?.get('demo-box') ?? {};
  const response = await fetch(`${mock.addresses.host}${BOX}/watch/filesystem/app`, {
    headers: { authorization: `Bearer ${mock.target.credentials.admin.value}` },
  });
  const watchers = () => mock.world.sandboxes.open('demo', 'demo-box', uuid).watchers.count();
  expect(watchers()).toBe(1);
  const names = Array.from({ length: 1000 }, (_, index) => `${index}-${'x'.repeat(240)}`);
  const files = JSON.stringify({ files: Object.fromEntries(names.map((name) => [name, 'x'])) });
  for (let times = 0; times < 200 && watchers() > 0; times++) await send('PUT', `${BOX}/filesystem/tree/app`, files);
  expect(watchers()).toBe(0);
  await response.body?.cancel().catch(() => {});
});

test('limits survive a snapshot, and a world file with an unknown limit is refused', async () => {
  await startWith({ executions: 3 });
  const snapshot = await mock.snapshot.get();
  await mock.snapshot.set(snapshot);
  expect(mock.world.limits.executions).toBe(3);
  await expect(startMock({ world: { extends: 'default', limits: { what: 1 } as never } })).rejects.toThrow('what');
});
