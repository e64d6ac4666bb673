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
  expect(await send('GET', '/vpcs/mine')).toBe('404 by the mock');
  expect(await send('POST', '/vpcs', { metadata: { name: 'mine' }, spec: {} })).toBe('200 by upstream');
  expect(await send('GET', '/vpcs/mine')).toBe('200 by upstream');
  expect(await send('GET', '/vpcs/other')).toBe('404 by upstream');
  expect(await send('GET', '/agents')).toBe('200 by the mock');
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
