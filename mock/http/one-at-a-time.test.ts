import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';
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

test('if too many requests wait behind a stream, their connection is closed, and no other', async () => {
  server = createServer(oneAtATime((_, response) => void response.write('begun'), 100)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = [connect(port, '127.0.0.1').resume(), connect(port, '127.0.0.1').resume()] as const;
  for (const socket of sockets) socket.on('error', () => {}); // connection reset
  const closed = sockets.map((socket) => once(socket, 'close'));
  sockets[0].write(get('/').repeat(40));
  sockets[1].write(get('/').repeat(500));
  await closed[1];
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, true]);
  // Those of the closed connection no longer count.
  sockets[0].write(get('/').repeat(50));
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  expect(sockets[0].destroyed).toBe(false);
  sockets[0].write(get('/').repeat(50));
  await closed[0];
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
