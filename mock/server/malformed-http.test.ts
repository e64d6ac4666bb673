import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../start-mock.ts';

let mock: RunningMock;
let admin: string;

beforeAll(async () => {
  mock = await startMock();
  admin = mock.target.credentials.admin.value;
});

afterAll(() => mock.close());

async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(mock.addresses.host).port), '127.0.0.1');
  let response = '';
  socket.on('data', (chunk) => (response += String(chunk)));
  socket.write(text);
  await Promise.race([once(socket, 'close'), once(socket, 'data')]);
  socket.destroy();
  return response;
}

test.each(['http://[/v0/agents', 'http://', 'HTTPS://'])('the unreadable URL %s is 400', async (url) => {
  const response = await raw(`GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(response).toMatch(/^HTTP\/1.1 400 [^]*"malformed_request"/);
});

test('input that is not HTTP gets a 400', async () => {
  expect(await raw('hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [^]*Not a valid HTTP request/);
});

test('a request without a Host header is 400, except of HTTP/1.0', async () => {
  expect(await raw('GET /_mock/health HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [^]*The Host header is missing/);
  expect(await raw('GET /v0/agents HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 401 /);
});

test.each([
  ['two', '/', 'Host: localhost\r\nHost: evil.example'],
  ['user info', '/', 'Host: evil@localhost'],
  ['a path', '/', 'Host: evil.example/localhost'],
  ['a backslash', '/', 'Host: evil.example\\@localhost'],
  ['a tab', '/', 'Host: localhost\tevil.example'],
  ['another one in the URL', 'http://evil.example/_mock/reset', 'Host: localhost'],
  ['loopback in the URL only', 'http://localhost/_mock/reset', 'Host: evil.example'],
])('a host name with %s is 400', async (_, url, host) => {
  expect(await raw(`POST ${url} HTTP/1.1\r\n${host}\r\nContent-Length: 0\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 400 [^]*"message":"The (?:URL and the )?Host|^HTTP\/1.1 400 [^]*more than one Host/,
  );
});

test('a URL that names the same host as the Host header is served', async () => {
  expect(await raw('GET http://LOCALHOST/_mock/health HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
});

const smuggled = 'GET /_mock/reset HTTP/1.1\r\nHost: localhost\r\n\r\n';

test.each([
  ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked'],
  ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'],
  ['an unknown coding', 'Transfer-Encoding: xchunked'],
  ['a space before the colon', 'Transfer-Encoding : chunked'],
  ['a signed length', 'Content-Length: +2'],
  ['two lengths in one', 'Content-Length: 2, 2'],
  ['a hexadecimal length', 'Content-Length: 0x2'],
])('a request with %s is 400, and what follows it is not handled', async (_, header) => {
  const response = await raw(`POST /v0/vpcs HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n0\r\n\r\n${smuggled}`);
  expect(response.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400']);
});

test('headers beyond the limit are 431', async () => {
  const response = await raw(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`);
  expect(response).toMatch(/^HTTP\/1.1 431 [^]*exceed the size limit/);
});

test('a chunked body beyond the limit leaves the connection usable', async () => {
  const piece = 'x'.repeat(1024 * 1024);
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
  const head = `PUT /v0/agents/x HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${admin}\r\nContent-Type: application/json\r\n`;
  const socket = connect(Number(new URL(mock.addresses.host).port), '127.0.0.1');
  let received = '';
  socket.on('data', (data) => (received += String(data)));
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(6)}0\r\n\r\n`);
  socket.write('GET /_mock/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  while (!received.includes('"status":"ok"')) await once(socket, 'data');
  socket.destroy();
  expect(received).toMatch(/^HTTP\/1.1 413 /);
});
