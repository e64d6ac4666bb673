import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openServer } from './open-server.ts';

const REQUESTS = 200;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

let server: Server;

async function serve(listener: RequestListener): Promise<number> {
  server = await openServer({ port: 0, host: '127.0.0.1' }, listener);
  return (server.address() as AddressInfo).port;
}

afterEach(async () => {
  server.closeAllConnections();
  await once(server.close(), 'close');
});

test('pipelined requests get their responses in order, and do not delay another client', async () => {
  const handled: string[] = [];
  const port = await serve(({ url = '' }, response) => {
    handled.push(url);
    const until = performance.now() + 3;
    while (performance.now() < until);
    response.end(`<${url}>`);
  });
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => (received += String(data)));
  const paths = Array.from({ length: REQUESTS }, (_, nth) => `/${nth}`);
  socket.write(paths.map(get).join(''));
  await expect.poll(() => handled.length).toBeGreaterThan(0);
  await fetch(`http://127.0.0.1:${port}/other`);
  expect(handled.indexOf('/other')).toBeLessThan(REQUESTS / 2);
  await expect.poll(() => received.match(/<\/\d+>/g), { timeout: 20_000 }).toEqual(paths.map((each) => `<${each}>`));
  socket.destroy();
});

test('the requests of a client that does not read, or has disconnected, are not handled', async () => {
  let handled = 0;
  const body = Buffer.alloc(20_000_000);
  const port = await serve((_, response) => {
    handled += 1;
    response.end(body);
  });
  const socket = connect(port, '127.0.0.1').pause();
  socket.write(get('/').repeat(REQUESTS));
  await expect.poll(() => handled).toBe(1);
  await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
  expect(handled).toBe(2);
  socket.destroy();
  await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
  expect(handled).toBe(3);
});

test('a body that waits with its request is complete', async () => {
  const bodies: string[] = [];
  const port = await serve((request, response) => {
    let body = '';
    request.on('data', (data) => (body += String(data)));
    request.on('end', () => {
      bodies.push(body);
      setTimeout(() => response.end(), 20);
    });
  });
  const socket = connect(port, '127.0.0.1').resume();
  const texts = ['first', 'x'.repeat(300_000), 'last'];
  for (const text of texts) socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
  await expect.poll(() => bodies).toEqual(texts);
  socket.destroy();
});
