import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startMock, type MockOptions, type RunningMock } from '../start-mock.ts';
import type { ReplayedExchange, ReplayedResponse, ReplayedTraffic } from './replay.ts';

const addresses = {
  management: 'https://api.example/v0',
  host: 'https://api.example',
  inference: 'https://run.example',
};

let mock: RunningMock | undefined;
afterEach(() => mock?.close());

async function start(exchanges: readonly ReplayedExchange[], options: MockOptions = {}): Promise<RunningMock> {
  mock = await startMock({ replay: { exchanges, addresses }, ...options });
  return mock;
}

type Given = Partial<Omit<ReplayedExchange, 'response'>> & Partial<ReplayedResponse>;

/** By default a GET of an agent that the mock does not have. */
const recorded = ({ status = 200, headers, body = '', ...request }: Given & { readonly sent?: string }) => {
  const { sent, ...others } = request;
  return {
    method: 'GET',
    surface: 'management',
    path: '/agents/recorded',
    ...others,
    ...(sent !== undefined && { body: sent }),
    response: { status, ...(headers && { headers }), body },
  } as ReplayedExchange;
};

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly at?: string;
}

async function send(path = '/agents/recorded', { at, method, headers = {}, body }: Sent = {}) {
  const response = await fetch((at ?? mock!.addresses.management) + path, {
    ...(method && { method }),
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const bodyOf = async (...sent: Parameters<typeof send>): Promise<string> => (await send(...sent)).body;
const key = () => ({ authorization: `Bearer ${mock!.target.credentials.apiKey.value}` });

test('the nth request gets the nth response, without a credential, and the last one repeats', async () => {
  await start([recorded({ status: 404, body: 'one' }), recorded({ body: 'two' }), recorded({ body: 'three' })]);
  const found = [];
  for (let round = 0; round < 4; round++) found.push(await bodyOf());
  expect(found).toEqual(['one', 'two', 'three', 'three']);
});

test('another request gets the state of the mock', async () => {
  await start([recorded({ body: 'recorded' })]);
  expect((await send('/agents/demo-agent')).status).toBe(401);
  expect((await send('/agents/demo-agent', { headers: key() })).status).toBe(200);
  expect((await send('/agents/recorded?more=1', { headers: key() })).status).toBe(404);
  expect((await send('/agents/recorded', { method: 'DELETE', headers: key() })).status).toBe(404);
  expect((await send('/tide/agents/recorded', { at: mock!.addresses.host, headers: key() })).status).not.toBe(200);
});

test('the order and encoding of the query do not matter, except of a repeated parameter', async () => {
  await start([recorded({ path: '/agents/a%2Db?b=%3A&a=1&a=2', body: 'recorded' })]);
  expect(await bodyOf('/agents/a-b?a=1&b=:&a=2')).toBe('recorded');
  expect((await send('/agents/a-b?a=2&a=1&b=:')).status).toBe(401);
});

test('JSON bodies are compared as values, and others as text', async () => {
  const post = { method: 'POST', path: '/vpcs' };
  await start([
    recorded({ ...post, sent: '{"a":{"b":1,"c":[1,2]},"d":1.0}', status: 400, body: 'object' }),
    recorded({ ...post, sent: 'text', status: 400, body: 'text' }),
  ]);
  const body = async (sent: string) => bodyOf('/vpcs', { method: 'POST', body: sent });
  expect(await body('{ "d": 1, "a": { "c": [1, 2], "b": 1 } }')).toBe('object');
  expect(await body('text')).toBe('text');
  for (const other of ['{"d":1,"a":{"c":[2,1],"b":1}}', '{"d":1,"a":{"c":[1,2],"b":1},"e":0}', 'text ', ''])
    expect((await send('/vpcs', { method: 'POST', body: other })).status).toBe(401);
});

describe('of a request that several callers sent', () => {
  test('each credential gets its own responses; others get the state of the mock', async () => {
    await start([
      recorded({ caller: 'admin', body: 'of admin' }),
      recorded({ caller: 'none', status: 401, body: 'of nobody' }),
      recorded({ caller: 'admin', body: 'of admin, again' }),
    ]);
    const { admin } = mock!.target.credentials;
    expect(await bodyOf()).toBe('of nobody');
    expect(await bodyOf('/agents/recorded', { headers: { authorization: `Bearer ${admin.value}` } })).toBe('of admin');
    const branded = { 'x-svc-authorization': `Bearer ${admin.value}` };
    expect(await bodyOf('/agents/recorded', { headers: branded })).toBe('of admin, again');
    expect((await send('/agents/recorded', { headers: key() })).status).toBe(404);
  });

  test('any credential is the unknown one if none has a name', async () => {
    await start([recorded({ caller: 'none', status: 401, body: 'of nobody' }), recorded({ body: 'of somebody' })]);
    expect(await bodyOf('/agents/recorded', { headers: key() })).toBe('of somebody');
    expect(await bodyOf()).toBe('of nobody');
  });

  test('in several workspaces, each has its own responses', async () => {
    await start([recorded({ workspace: 'one', body: '1' }), recorded({ workspace: 'two', body: '2' })]);
    expect(await bodyOf('/agents/recorded', { headers: { 'x-svc-workspace': 'two' } })).toBe('2');
    expect((await send()).status).toBe(401);
  });
});

test('headers of the recorded connection are not sent, and the date is virtual', async () => {
  const headers = {
    ETag: '"1"',
    'Content-Type': 'application/problem+json',
    'Content-Encoding': 'gzip',
    'Content-Length': '999',
    'Transfer-Encoding': 'chunked',
    'Access-Control-Allow-Origin': 'https://app.example',
    'Set-Cookie': 'a=1',
    Date: 'Mon, 02 Jan 2006 15:04:05 GMT',
  };
  await start([recorded({ status: 409, headers, body: '{}' })], { now: '2026-10-01T00:00:00Z', clock: 'frozen' });
  const response = await send('/agents/recorded', { headers: { origin: 'http://localhost:5173' } });
  expect([response.status, response.body]).toEqual([409, '{}']);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    etag: '"1"',
    'content-type': 'application/problem+json',
    'content-length': '2',
    'access-control-allow-origin': '*',
    date: 'Thu, 01 Oct 2026 00:00:00 GMT',
  });
  for (const name of ['content-encoding', 'set-cookie']) expect(response.headers.get(name)).toBeNull();
});

test('bytes and events are sent as they were recorded, and 204 without a body', async () => {
  const bytes = new Uint8Array([0, 255, 128]);
  const events = 'data: {"a":1}\n\ndata: [DONE]\n\n';
  await start([
    recorded({ path: '/agents/bytes', headers: { 'content-type': 'application/octet-stream' }, body: bytes }),
    recorded({ path: '/agents/events', headers: { 'content-type': 'text/event-stream' }, body: events }),
    recorded({ path: '/agents/gone', status: 204 }),
  ]);
  const response = await fetch(`${mock!.addresses.management}/agents/bytes`);
  expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([...bytes]);
  const streamed = await send('/agents/events');
  expect([streamed.headers.get('content-type'), streamed.body]).toEqual(['text/event-stream', events]);
  expect(await send('/agents/gone')).toMatchObject({ status: 204, body: '' });
});

describe('addresses of the recorded deployment', () => {
  const rewritten = async (text: string, options: MockOptions = {}) => {
    await start([recorded({ headers: { location: text }, body: text })], options);
    const { headers, body } = await send();
    expect(headers.get('location')).toBe(body);
    return body.replaceAll(mock!.addresses.host, 'MOCK').replaceAll(new URL(mock!.addresses.host).port, 'PORT');
  };

  test.each([
    ['https://api.example/v0/agents/a', 'MOCK/v0/agents/a'],
    ['https://API.example', 'MOCK'],
    ['["https:\\/\\/run.example\\/demo\\/agents\\/a"]', '["MOCK\\/demo\\/agents\\/a"]'],
    ['https://api.example/v02 https://api.example.org https://api.example:8443', undefined],
    ['https://api.example/sandbox/demo/box/mcp', 'MOCK/sandbox/demo/box/mcp'],
    ['https://sbx-box-demo.us-1.boxes.example:8443/mcp', 'http://sbx-box-demo.us-1.localhost:PORT/mcp'],
  ])('become those of the mock: %s', async (text, expected) => {
    expect(await rewritten(text)).toBe(expected ?? text.replace('https://api.example/', 'MOCK/'));
  });

  test('become those of the mock in parameters of a URL', async () => {
    await start([recorded({ body: `https://id.example/?resource=${encodeURIComponent(addresses.management)}` })]);
    expect(await bodyOf()).toBe(`https://id.example/?resource=${encodeURIComponent(mock!.addresses.management)}`);
  });

  test('of sandboxes have the form of those of the mock', async () => {
    expect(await rewritten('https://sbx-demo-box-demo.us-1.boxes.example/mcp', { sandboxUrls: 'path' })).toBe(
      'MOCK/sandbox/demo/demo-box/mcp',
    );
  });

  test('become the address of the request', async () => {
    await start([recorded({ body: addresses.management })]);
    const { port } = new URL(mock!.addresses.host);
    expect(await bodyOf('/agents/recorded', { at: `http://localhost:${port}/v0` })).toBe(`http://localhost:${port}/v0`);
  });
});

test('a sandbox is known by its names, in host name or path; without names it is that of the target', async () => {
  const box = { surface: 'sandbox', path: '/filesystem/tree/app' } as const;
  await start([recorded({ ...box, sandbox: 'box-tide', body: 'named' }), recorded({ ...box, body: 'of the target' })]);
  const { host } = mock!.addresses;
  expect(await bodyOf('/sandbox/tide/box/filesystem/tree/app', { at: host })).toBe('named');
  expect(await bodyOf('/sandbox/demo/demo-box/filesystem/tree/app', { at: host })).toBe('of the target');
  expect((await send('/sandbox/demo/other/filesystem/tree/app', { at: host })).status).toBe(401);
});

describe('what a test says now takes precedence', () => {
  const exchanges = [recorded({ body: 'one' }), recorded({ body: 'two' })];

  test('faults, scripted responses and Prefer do, and do not use up a response', async () => {
    await start(exchanges);
    await mock!.faults.set([{ operation: 'getAgent', times: 1, status: 503 }]);
    await mock!.responses.set([{ sequence: [{ status: 418 }], afterwards: 'operation' }]);
    expect((await send()).status).toBe(503);
    expect((await send()).status).toBe(418);
    expect((await send('/agents/recorded', { headers: { prefer: 'code=429' } })).status).toBe(429);
    expect(await send('/agents/recorded', { headers: { prefer: 'code=202' } })).toMatchObject({
      status: 202,
      body: 'one',
    });
    expect(await bodyOf()).toBe('two');
  });

  test('the journal says what was replayed', async () => {
    await start(exchanges);
    await send();
    await send('/agents/demo-agent');
    const [replayed, other] = await mock!.requests();
    expect(replayed).toMatchObject({ replayed: true, operation: 'getAgent', status: 200, answer: { text: 'one' } });
    expect(other).not.toHaveProperty('replayed');
  });

  test('a reset begins again, and each world has its own position', async () => {
    await start(exchanges);
    expect(await bodyOf()).toBe('one');
    await using world = await mock!.newWorld();
    expect(await bodyOf('/agents/recorded', { at: world.addresses.management })).toBe('one');
    expect(await bodyOf()).toBe('two');
    await mock!.reset();
    expect(await bodyOf()).toBe('one');
  });

  test('the console sees the state of the mock', async () => {
    await start(exchanges);
    expect((await send('/agents/recorded', { at: `${mock!.addresses.host}/_mock/api/v0` })).status).toBe(404);
  });
});

test('a recorded write also changes the state of the mock, if the mock accepts it', async () => {
  const vpc = JSON.stringify({ metadata: { name: 'mine' }, spec: {} });
  await start([recorded({ method: 'POST', path: '/vpcs', sent: vpc, status: 201, body: 'created' })]);
  const create = (headers: Record<string, string>) => send('/vpcs', { method: 'POST', headers, body: vpc });
  expect(await create({})).toMatchObject({ status: 201, body: 'created' });
  expect((await send('/vpcs/mine', { headers: key() })).status).toBe(404);
  expect(await create(key())).toMatchObject({ status: 201, body: 'created' });
  expect((await send('/vpcs/mine', { headers: key() })).status).toBe(200);
});

test('a preferred upstream gets only requests that were not recorded', async () => {
  const received: string[] = [];
  const upstream = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.end('upstream');
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  const write = recorded({ method: 'PUT', sent: '{}', body: 'recorded' });
  await start([write], { upstream: `http://127.0.0.1:${port}`, prefer: 'upstream' });
  expect(await bodyOf('/agents/recorded', { method: 'PUT', body: '{}', headers: key() })).toBe('recorded');
  expect(await bodyOf('/agents/recorded', { headers: key() })).toBe('upstream');
  expect(received).toEqual(['GET /v0/agents/recorded']);
  upstream.close();
});

const valid = recorded({});

test.each([
  5,
  [],
  {},
  { exchanges: 'all' },
  { exchanges: [valid], more: 1 },
  { exchanges: [valid], addresses: { management: 'api.example' } },
  { exchanges: [{ ...valid, response: undefined }] },
  { exchanges: [{ ...valid, path: 'agents' }] },
  { exchanges: [{ ...valid, surface: 'managment' }] },
  { exchanges: [{ ...valid, method: 5 }] },
  { exchanges: [{ ...valid, headers: {} }] },
  { exchanges: [{ ...valid, body: {} }] },
  { exchanges: [{ ...valid, response: { status: 100 } }] },
  { exchanges: [{ ...valid, response: { status: 200, headers: { a: '\n' } } }] },
  { exchanges: [{ ...valid, response: { status: 200, body: {} } }] },
])('startMock({ replay: %j }) is refused', async (replay) => {
  await expect(startMock({ replay: replay as unknown as ReplayedTraffic })).rejects.toThrow(
    / for replay: expected \{ exchanges, addresses \}, each exchange with method, surface,/,
  );
});
