import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../start-mock.ts';

let upstream: Server;
let mock: RunningMock;

/** Has VPCs and nothing else. */
beforeAll(async () => {
  const vpcs = new Map<string, string>();
  upstream = createServer((request, response) => {
    const answer = (status: number, body: string) => response.writeHead(status, { by: 'upstream' }).end(body);
    const [, name] = /^\/v0\/vpcs(?:\/([^/]+))?$/.exec(request.url ?? '') ?? [];
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/v0/agents') return answer(405, '{}');
      if (request.url === '/v0/functions') return answer(501, '{}');
      if (request.url?.startsWith('/v0/vpcs') !== true) return answer(404, '{"error": "no route"}');
      if (request.method === 'POST') {
        vpcs.set((JSON.parse(body) as { metadata: { name: string } }).metadata.name, body);
        return answer(200, body);
      }
      return answer(vpcs.has(name ?? '') ? 200 : 404, vpcs.get(name ?? '') ?? '{"error": "no vpc"}');
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  mock = await startMock({ upstream: `http://127.0.0.1:${port}`, prefer: 'upstream' });
});

afterAll(async () => {
  await mock.close();
  upstream.close();
});

async function send(method: string, path: string, body?: object) {
  const { value } = mock.target.credentials.admin;
  const response = await fetch(mock.addresses.management + path, {
    method,
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.text();
  return `${response.status} by ${response.headers.get('by') ?? 'the mock'}`;
}

test('a preferred upstream answers what it has, and the mock the rest, with the same names', async () => {
  expect(await send('GET', '/vpcs/mine')).toBe('404 by upstream');
  expect(await send('POST', '/vpcs', { metadata: { name: 'mine' }, spec: {} })).toBe('200 by upstream');
  expect(await send('GET', '/vpcs/mine')).toBe('200 by upstream');
  expect(await send('GET', '/vpcs/other')).toBe('404 by upstream');
  expect(await send('GET', '/agents')).toBe('200 by the mock');
  expect(await send('GET', '/functions')).toBe('200 by the mock');
  expect(await send('GET', '/accounts')).toBe('200 by the mock');
});

test('what the upstream creates exists in operations that only the mock has', async () => {
  await send('POST', '/vpcs', { metadata: { name: 'shared' }, spec: {} });
  expect(await mock.requests({ path: '/v0/vpcs' })).not.toEqual([]);
  const { value } = mock.target.credentials.admin;
  const own = await fetch(new URL('/_mock/api/v0/vpcs/shared', mock.addresses.management), {
    headers: { authorization: `Bearer ${value}` },
  });
  expect(own.status).toBe(200);
});

test('a body that the upstream has no operation for reaches the mock', async () => {
  expect(await send('POST', '/agents', { metadata: { name: 'a' }, spec: {} })).toBe('200 by the mock');
});

/** Has an account and an agent from the start, and little else. */
async function withNames(notFound = (what: string) => JSON.stringify({ error: 'not_found', message: what })) {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object | string) =>
      response.writeHead(status, { by: 'upstream' }).end(typeof body === 'string' ? body : JSON.stringify(body));
    const { url = '', method = '' } = request;
    request.resume();
    const [, name] = /^\/v0\/agents\/([^/]+)$/.exec(url) ?? [];
    if (method === 'POST' && url === '/v0/agents') return answer(201, { metadata: { name: 'own-spec' }, spec: {} });
    if (url === '/v0/accounts') return answer(200, [{ id: 'acc-1', name: 'mine' }]);
    if (url === '/v0/functions')
      return answer(200, { items: [{ metadata: { name: 'listed' }, spec: { unknown: 1 } }] });
    if (name !== undefined && (method === 'PUT' || (method === 'GET' && name === 'mine')))
      return name === 'mine' || name === 'other'
        ? answer(200, { metadata: { name }, spec: {} })
        : answer(404, notFound(`Agent ${name} does not exist.`));
    return answer(404, notFound(`Cannot ${method} ${url} (request ${Math.random()})`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const own = await startMock({ upstream: `http://127.0.0.1:${port}`, prefer: 'upstream' });
  const { value } = own.target.credentials.admin;
  const sendTo = async (method: string, address: string, body?: object) => {
    const response = await fetch(address, {
      method,
      headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.text();
    return `${response.status} by ${response.headers.get('by') ?? 'the mock'}`;
  };
  return {
    managed: (method: string, path: string, body?: object) => sendTo(method, own.addresses.management + path, body),
    query: (path: string) =>
      sendTo('POST', `${own.addresses.inference}/${own.target.workspace}${path}`, { inputs: 'a' }),
    async [Symbol.asyncDispose]() {
      await own.close();
      server.close();
    },
  };
}

test.each([
  [
    'Laravel',
    (_: string, path: string) => JSON.stringify({ message: `The route ${path.slice(1)} could not be found.` }),
  ],
  [
    'Spring',
    (_: string, path: string) => JSON.stringify({ detail: `No static resource ${path.slice(1)}.`, instance: path }),
  ],
  ['Express', (method: string, path: string) => `<pre>Cannot ${method} ${path}</pre>`],
  ['Fastify', (method: string, path: string) => JSON.stringify({ message: `Route ${method}:${path} not found` })],
])('the 404 of an unknown path is recognized in the texts of %s', async (_, textOf) => {
  const server = createServer((request, response) => {
    const { url = '', method = '', headers } = request;
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    // Some parse the body before they look for the route.
    const isUnparsable = (): boolean =>
      method !== 'GET' && body.startsWith('{') !== (headers['content-type'] === 'application/json');
    request.on('end', () => response.writeHead(isUnparsable() ? 400 : 404).end(textOf(method, url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await using own = await startMock({ upstream: `http://127.0.0.1:${port}`, prefer: 'upstream' });
  const headers = {
    authorization: `Bearer ${own.target.credentials.admin.value}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ metadata: { name: 'mine' }, spec: {} });
  const created = await fetch(`${own.addresses.management}/vpcs`, { method: 'POST', headers, body });
  const read = await fetch(`${own.addresses.management}/vpcs/mine`, { headers });
  expect([created.status, read.status]).toEqual([200, 200]);
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const token = await fetch(new URL('/oauth/token', own.addresses.management), { method: 'POST', body: form });
  expect(await token.json()).toMatchObject({ error: 'invalid_client' });
  server.close();
});

test('the mock knows the accounts and resources that an upstream shows', async () => {
  await using both = await withNames();
  const metrics = '/accounts/acc-1/metrics?startTime=2026-10-01T00:00:00Z&endTime=2026-10-02T00:00:00Z';
  expect(await both.managed('GET', metrics)).toBe('404 by the mock');
  expect(await both.managed('GET', '/accounts')).toBe('200 by upstream');
  expect(await both.managed('GET', metrics)).toBe('200 by the mock');
  expect(await both.query('/agents/mine')).toBe('404 by the mock');
  expect(await both.managed('GET', '/agents/mine')).toBe('200 by upstream');
  expect(await both.query('/agents/mine')).toBe('200 by the mock');
  expect(await both.managed('GET', '/functions/listed')).toBe('404 by the mock');
  expect(await both.managed('GET', '/functions')).toBe('200 by upstream');
  expect(await both.managed('GET', '/functions/listed')).toBe('200 by the mock');
});

test('an agent that an upstream has updated exists in what the mock answers', async () => {
  await using both = await withNames();
  const update = { metadata: { name: 'other' }, spec: {} };
  expect(await both.managed('PUT', '/agents/other', update)).toBe('200 by upstream');
  expect(await both.managed('GET', '/agents/other')).toBe('200 by the mock');
  expect(await both.query('/agents/other')).toBe('200 by the mock');
});

test('an agent that an upstream has created exists, although the mock would refuse its spec', async () => {
  await using both = await withNames();
  const create = { metadata: { name: 'own-spec' }, spec: { runtime: { generation: 'mk9' } } };
  expect(await both.managed('POST', '/agents', create)).toBe('201 by upstream');
  expect(await both.query('/agents/own-spec')).toBe('200 by the mock');
});

test('what an upstream says about a name is not replaced by what the mock says', async () => {
  await using both = await withNames();
  const update = { metadata: { name: 'demo-agent' }, spec: {} };
  expect(await both.managed('PUT', '/agents/demo-agent', update)).toBe('404 by upstream');
  expect(await both.managed('DELETE', '/agents/demo-agent')).toBe('200 by the mock');
});
