import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { limitUnread } from './limit-unread.ts';

const RESPONSE_BYTES = 20_000_000;
const CLIENTS = 8;

test('clients that do not read are disconnected; one that reads gets its whole response', async () => {
  const body = Buffer.alloc(RESPONSE_BYTES);
  const server = createServer((_, response) => response.end(body));
  limitUnread(server, 3 * RESPONSE_BYTES);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const connections = () =>
    new Promise<number>((resolve) => {
      server.getConnections((_, count) => resolve(count));
    });
  const idle = Array.from({ length: CLIENTS }, () => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return socket;
  });
  await expect.poll(connections, { timeout: 30_000 }).toBeGreaterThan(0);
  await expect.poll(connections, { timeout: 30_000 }).toBeLessThanOrEqual(4);
  const whole = await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
  expect(whole.byteLength).toBe(RESPONSE_BYTES);
  for (const socket of idle) socket.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});
