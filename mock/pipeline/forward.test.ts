import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startMock, type RunningMock } from '../start-mock.ts';
import { freePort } from '../testing/free-port.ts';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

const received: Received[] = [];
let upstream: Server;
let mock: RunningMock;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body });
      response.writeHead(418, {
        'x-made-by': 'upstream',
        'set-cookie': ['a=1', 'b=2'],
        'content-type': 'text/plain',
        ...(method === 'HEAD' && { 'content-length': '15' }),
      });
      response.end('short and stout');
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  mock = await startMock({ upstream: upstreamUrl() });
});
const upstreamUrl = () => `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/base/`;
beforeEach(() => void received.splice(0));
afterAll(async () => {
  await mock.close();
  upstream.close();
});

test('a request to an unknown path is forwarded with its query, headers and body, and gets the response as it is', async () => {
  const response = await fetch(`${mock.addresses.management}/invoices?page=2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer x', te: 'trailers' },
    body: '{"a":1}',
  });
  expect([response.status, response.headers.get('x-made-by'), response.headers.getSetCookie()]).toEqual([
    418,
    'upstream',
    ['a=1', 'b=2'],
  ]);
  expect(await response.text()).toBe('short and stout');
  expect(received).toEqual([
    expect.objectContaining({ method: 'POST', url: '/base/v0/invoices?page=2', body: '{"a":1}' }),
  ]);
  expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer x', 'content-type': 'application/json' });
  expect(received[0]?.headers).not.toHaveProperty('te');
  expect(await mock.requests({ path: '/v0/invoices' })).toEqual([expect.objectContaining({ status: 418 })]);
});

test('a known path is not forwarded, also with an unknown method or without a credential', async () => {
  const agents = `${mock.addresses.management}/agents`;
  expect([(await fetch(agents)).status, (await fetch(agents, { method: 'PATCH' })).status]).toEqual([401, 405]);
  expect(received).toEqual([]);
});

test('other worlds forward as well, below their own address', async () => {
  await using world = await mock.newWorld();
  expect((await fetch(`${world.addresses.management}/invoices`)).status).toBe(418);
  expect(received[0]?.url).toBe('/base/v0/invoices');
});

test('an upstream that does not respond is a 502 that names it', async () => {
  await using lonely = await startMock({ upstream: 'http://127.0.0.1:9' });
  const response = await fetch(`${lonely.addresses.management}/invoices`);
  expect([response.status, await response.json()]).toEqual([
    502,
    { error: 'bad_gateway', code: 502, message: expect.stringContaining('The upstream http://127.0.0.1:9 did not') },
  ]);
});

test.each(['ftp://files.example', 'http://user:secret@host.example', 'http://host.example/?a=1', 'host.example'])(
  'the address %s is refused',
  async (address) => {
    await expect(startMock({ upstream: address })).rejects.toThrow('expected an address that begins with http://');
  },
);

test('an upstream is reached through the proxy of the environment', async () => {
  vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
  try {
    await using distant = await startMock({ upstream: 'http://upstream.example/base' });
    expect((await fetch(`${distant.addresses.management}/invoices`)).status).toBe(418);
  } finally {
    vi.unstubAllEnvs();
  }
  expect(received[0]?.url).toBe('http://upstream.example/base/v0/invoices');
});

test('a request of the console is not forwarded', async () => {
  const response = await fetch(`${mock.addresses.host}/_mock/api/v0/invoices`);
  expect([response.status, received]).toEqual([404, []]);
});

test('a mock that is its own upstream responds with 508; a mock may be the upstream of another one', async () => {
  const port = await freePort();
  await using self = await startMock({ port, upstream: `http://127.0.0.1:${port}` });
  await using before = await startMock({ upstream: self.addresses.host });
  await using other = await startMock({ upstream: mock.addresses.host });
  const invoices = async (of: RunningMock) => (await fetch(`${of.addresses.management}/invoices`)).status;
  expect([await invoices(self), await invoices(before), (await self.requests()).length]).toEqual([508, 508, 4]);
  expect([await invoices(other), received[0]?.headers['via']]).toEqual([
    418,
    expect.stringMatching(/^1\.1 \S+, 1\.1 \S+$/),
  ]);
});

test('the response to HEAD has the length that the upstream announces', async () => {
  const response = await fetch(`${mock.addresses.management}/invoices`, { method: 'HEAD' });
  expect([response.status, response.headers.get('content-length')]).toEqual([418, '15']);
});
