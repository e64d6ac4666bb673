import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openTestRun } from '../testing/test-run.ts';
import type { StreamOptions } from './stream.ts';

/** A server that responds with the text that the test writes. */
async function streaming(options: StreamOptions = {}) {
  let serverResponse: http.ServerResponse | undefined;
  const hungUp = Promise.withResolvers<void>();
  const server = http.createServer((_request, response) => {
    serverResponse = response;
    response.on('close', () => hungUp.resolve());
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    response.flushHeaders();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const run = openTestRun({ address: `http://127.0.0.1:${port}` });
  const stream = await run.client.open('watchDirectory', { path: { path: 'app' } }, options);
  return {
    stream,
    write: (text: string | Uint8Array) => serverResponse?.write(text),
    end: () => serverResponse?.end(),
    abort: () => serverResponse?.destroy(),
    hungUp: hungUp.promise,
    async [Symbol.asyncDispose]() {
      await stream.close();
      server.close();
    },
  };
}

test('received text can be read before the response ends', async () => {
  await using server = await streaming();
  server.write('/app/a\n');
  expect(await server.stream.until((text) => text.includes('/app/a\n'), 10)).toBe(true);
  expect(server.stream.ended()).toBe(false);
});

test('until returns false at the timeout', async () => {
  await using server = await streaming();
  expect(await server.stream.until((text) => text !== '', 0.05)).toBe(false);
  expect(await server.stream.until((text) => text !== '', -1)).toBe(false);
});

test('a character whose bytes arrive separately is decoded correctly', async () => {
  await using server = await streaming();
  const [first = 0, second = 0] = Buffer.from('é');
  server.write(Uint8Array.of(first));
  server.write(Uint8Array.of(second));
  expect(await server.stream.until((text) => text === 'é', 10)).toBe(true);
});

test.each(['end', 'abort'] as const)('waiting stops if the server calls %s', async (way) => {
  await using server = await streaming();
  server.write('a');
  await server.stream.until((text) => text === 'a', 10);
  server[way]();
  expect(await server.stream.until((text) => text === 'more', 600)).toBe(false);
  expect(server.stream.ended()).toBe(true);
});

const longText = 'x'.repeat(2 ** 18 + 1);
const contains = (line: string) => (text: string) => text.endsWith(line);

test('a line after a long text is found, also if several pieces arrive at once', async () => {
  await using server = await streaming();
  server.write(longText);
  await server.stream.until((text) => text.length === longText.length, 10);
  const found = server.stream.until(contains('last\n'), 600);
  for (const line of ['first\n', 'second\n', 'last\n']) server.write(line);
  expect(await found).toBe(true);
});

test('waiting for a line after a long text stops at the timeout, and if the server ends', async () => {
  await using server = await streaming();
  server.write(longText);
  await server.stream.until((text) => text.length === longText.length, 10);
  expect(await server.stream.until(contains('never\n'), 0.01)).toBe(false);
  const waiting = server.stream.until(contains('never\n'), 600);
  server.write('more\n');
  server.end();
  expect(await waiting).toBe(false);
  expect(server.stream.text()).toMatch(/xmore\n$/);
});

test('close disconnects and returns the exchange with the received text', async () => {
  await using server = await streaming();
  server.write('a\n');
  await server.stream.until((text) => text !== '', 10);
  const exchange = await server.stream.close();
  await server.hungUp;
  expect(exchange).toMatchObject({ operation: 'watchDirectory', response: { status: 200, text: 'a\n', isCut: true } });
  expect(await server.stream.close()).toBe(exchange);
});

test('an unread body is not received until the stream is closed', async () => {
  await using server = await streaming({ unread: true });
  server.write('a\n');
  expect(await server.stream.until((text) => text !== '', 0.05)).toBe(false);
  expect((await server.stream.close()).response).toMatchObject({ status: 200, text: '' });
  await server.hungUp;
});
