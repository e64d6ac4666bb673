import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openServer } from './open-server.ts';

test.each([
  ['CONNECT', 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 'opens no tunnels'],
  ['what is not HTTP', 'hello\r\n\r\n', 'Not a valid HTTP request'],
])('%s gets a response, and other clients are served', async (_, bytes, message) => {
  const server = await openServer({ port: 0, host: '127.0.0.1' }, (request, response) => response.end('served'));
  const { port } = server.address() as AddressInfo;
  const received = text(net.connect(port, '127.0.0.1').setEncoding('utf8').end(bytes));
  expect(await received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(await received).toContain(message);
  const reset = net.connect(port, '127.0.0.1', () => reset.write(bytes, () => reset.resetAndDestroy()));
  await once(reset, 'close');
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('served');
  server.closeAllConnections();
  server.close();
});
