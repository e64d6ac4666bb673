import { once } from 'node:events';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { operations, type OperationId } from '../../../spec/operations.ts';
import { openMock, type OpenMock } from './open-mock.ts';
import { bytesOf, openConnection } from './connection.ts';
import { requestTo } from './operation-request.ts';

let opened: OpenMock;
beforeAll(async () => {
  opened = await openMock();
});
afterAll(() => opened.close());
afterEach(() => opened.requireHealthy());

/** Reads only the first chunk: all responses here are short. */
async function firstResponse(bytes: string | Uint8Array): Promise<{ status: number; head: string; body: string }> {
  const { socket, received } = openConnection(opened.mock);
  socket.write(bytes);
  await once(socket, 'data');
  socket.destroy();
  const [head = '', body = ''] = received().split('\r\n\r\n');
  return { status: Number(head.split(' ', 2)[1]), head, body };
}

const get = (head: string) => `GET /v0/accounts HTTP/1.1\r\nHost: a\r\n${head}\r\n`;
const post = (head: string, body = '') =>
  `POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${head}\r\n${body}`;

test.each([
  ['a request line without a path', 'GET\r\n\r\n', 400],
  ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['an unknown version of HTTP', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['the beginning of TLS', Buffer.from('16030100c8010000c40303', 'hex'), 400],
  ['a path with a NUL', 'GET /v0/\0 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['a path with a space', 'GET /v0/a b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['a URL with an invalid host', 'GET http://[/v0/accounts HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['a URL of another host', 'GET http://other.example/v0/accounts HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['a request about the server itself', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 404],
  ['a URL beyond the limit', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ['an invalid Host', 'GET /v0/accounts HTTP/1.1\r\nHost: [\r\n\r\n', 400],
  ['a header without a colon', get('x\r\n'), 400],
  ['a header with a NUL', get('x: \0\r\n'), 400],
  ['a header on two lines', get('x: y\r\n z\r\n'), 400],
  ['headers beyond the limit', get('x: y\r\n'.repeat(5000)), 431],
  ['an upgrade', get('Connection: Upgrade\r\nUpgrade: websocket\r\n'), 401],
  ['a length that is not a number', post('Content-Length: x\r\n'), 400],
  ['a length below zero', post('Content-Length: -1\r\n'), 400],
  ['two lengths', post('Content-Length: 1\r\nContent-Length: 2\r\n', '{}'), 400],
  ['a length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
  ['an unknown transfer encoding', post('Transfer-Encoding: x\r\n', '{}'), 400],
  ['a chunk size that is not a number', post('Transfer-Encoding: chunked\r\n', 'zz\r\n'), 400],
  ['a chunk longer than its size', post('Transfer-Encoding: chunked\r\n', '1\r\nabc\r\n'), 400],
] as const)('%s is rejected', async (_, bytes, status) => {
  const response = await firstResponse(bytes);
  expect(response.status).toBe(status);
  expect(JSON.parse(response.body)).toEqual({ error: expect.any(String), code: status, message: expect.any(String) });
});

test('an unknown expectation is rejected by node:http itself, without a response body', async () => {
  // An empty body in chunks.
  const bytes = post('Expect: x\r\nContent-Length: 2\r\n', '{}');
  expect(await firstResponse(bytes)).toMatchObject({ status: 417, body: '0' });
});

test('invalid bytes get no response in the middle of another response', async () => {
  const { socket, statuses } = openConnection(opened.mock);
  socket.write(bytesOf(opened.mock, 'watchDirectory', await opened.prepare('watchDirectory')));
  await once(socket, 'data');
  socket.write('garbage\r\n\r\n');
  await once(socket, 'close');
  expect(statuses()).toEqual([200]);
});

/** Cut off, or with bytes more, fewer or other ones in one place. */
function mangled(bytes: Buffer): fc.Arbitrary<Buffer> {
  const delimiter = fc.constantFrom('', '\0', '\r', '\n', '\r\n', '\r\n\r\n', ' ', ':', ',', '/', '%', '\u00ff');
  const odd = fc.oneof(delimiter, fc.string());
  const [start, length] = [fc.nat({ max: bytes.length }), fc.nat({ max: 50 })];
  return fc.tuple(start, length, odd, fc.boolean()).map(([from, count, text, cut]) => {
    const rest = bytes.subarray(cut ? bytes.length : from + count);
    return Buffer.concat([bytes.subarray(0, from), Buffer.from(text, 'latin1'), rest]);
  });
}

test('a request with a few lost or changed bytes causes no server error', async () => {
  const { mock, reset } = opened;
  const whole = (id: OperationId) => bytesOf(mock, id, requestTo(id, mock.target.credentials.admin.value));
  const sent = fc
    .constantFrom(...operations)
    .chain(({ id }) => mangled(whole(id)))
    .chain((bytes) => fc.record({ bytes: fc.constant(bytes), pauseAt: fc.nat({ max: bytes.length }) }));
  const property = fc.asyncProperty(sent, async ({ bytes, pauseAt }) => {
    await reset();
    const { socket, statuses } = openConnection(mock);
    socket.write(bytes.subarray(0, pauseAt));
    // Mock and test are one process: when another request has its response, the mock has read the first piece.
    await opened.requireHealthy();
    socket.end(bytes.subarray(pauseAt));
    await once(socket, 'close');
    expect(statuses().filter((status) => status >= 500)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 200 });
});
