/** A proxy on a loopback address is closed to the names that a page of another site can point at this machine. */
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireLoopbackNames } from './guard.ts';

let server: Server;
beforeAll(async () => {
  server = http.createServer(requireLoopbackNames((_, response) => void response.end('passed'))).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

async function ask(host: string): Promise<{ status: number | undefined; text: string }> {
  const { port } = server.address() as AddressInfo;
  const request = http.get({ host: '127.0.0.1', port, path: '/_mock/target', headers: { host }, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, text: (await buffer(answer)).toString() };
}

test.each(['localhost', 'LOCALHOST:4020', 'sbx-a-b.local.localhost:4020', '127.0.0.1:4020', '127.8.9.1', '[::1]:4020'])(
  'a request to %s passes',
  async (host) => {
    expect(await ask(host)).toEqual({ status: 200, text: 'passed' });
  },
);

test.each([
  ['evil.example', 'evil.example'],
  ['evil.example:4020', 'evil.example'],
  ['localhost.evil.example', 'localhost.evil.example'],
  ['localhost@evil.example', 'evil.example'],
  ['192.168.0.7', '192.168.0.7'],
  ['[odd', '[odd'],
])('a request to %j is rejected with the reason', async (host, name) => {
  const { status, text } = await ask(host);
  expect(status).toBe(403);
  expect(JSON.parse(text)).toEqual({
    error: 'forbidden',
    code: 403,
    message: `The proxy is closed to the host name ${JSON.stringify(name)}; call it by a loopback address.`,
  });
});
