/** For tests: behaviours of targets that are broken in ways nobody planned. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

export interface Received {
  readonly url: string;
  readonly head: string;
}
export type Behaviour = (socket: Socket, received: Received) => unknown;

/** A complete HTTP response. */
export const respond =
  (body: string | Buffer, { status = '200 OK', type = 'application/json', headers = '' } = {}): Behaviour =>
  (socket) => {
    const length = Buffer.byteLength(body);
    socket.write(`HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${headers}\r\n`);
    socket.write(body);
  };
const raw =
  (...parts: (string | Buffer)[]): Behaviour =>
  (socket) => {
    for (const part of parts) socket.write(part);
    socket.end();
  };
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

async function repeat(socket: Socket, piece: string | Buffer, pauseMs: number): Promise<void> {
  while (!socket.destroyed) {
    if (!socket.write(piece))
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => socket.destroy());
    await wait(pauseMs);
  }
}

const entry = (name: string) => ({ workspace: name, summary: { cost: 1 }, timeseries: [] });
const page = (cursor: string, entries: object[]): string =>
  JSON.stringify({
    startTime: '2026-10-01T00:00:00Z',
    endTime: '2026-11-01T00:00:00Z',
    resolution: 'daily',
    summary: { totalCost: 1 },
    data: entries,
    meta: { hasMore: true, nextCursor: cursor },
  });
let cursors = 0;

export const behaviours: Readonly<Record<string, Behaviour>> = {
  'an endless body': (socket) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    return repeat(socket, `10000\r\n${'x'.repeat(0x10000)}\r\n`, 0);
  },
  'a body of 100 MB': (socket) => {
    socket.write(`${HEAD}Content-Length: 100000000\r\n\r\n`);
    return repeat(socket, 'x'.repeat(2 ** 16), 0);
  },
  'a byte now and then': (socket) => {
    socket.write(`${HEAD}Content-Length: 100000\r\n\r\n`);
    return repeat(socket, ' ', 50);
  },
  'a header byte now and then': (socket) => repeat(socket, 'H', 50),
  'no response': () => {},
  'a closed connection': (socket) => socket.destroy(),
  'a closed connection after the head': raw(`${HEAD}Content-Length: 10\r\n\r\n`),
  'half a body': raw(`${HEAD}Content-Length: 10\r\n\r\n{"a":`),
  'a body longer than it announces': raw(`${HEAD}Content-Length: 2\r\n\r\n{"a":1}`),
  'two lengths': raw(`${HEAD}Content-Length: 2\r\nContent-Length: 7\r\n\r\n{"a":1}`),
  'a negative length': raw(`${HEAD}Content-Length: -1\r\n\r\n{}`),
  'malformed chunks': raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
  'chunks of one byte': (socket) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    return repeat(socket, '1\r\n \r\n'.repeat(10_000), 0);
  },
  'endless trailers': (socket) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`);
    return repeat(socket, `X-A: ${'a'.repeat(0x1000)}\r\n`, 0);
  },
  'two responses to one request': raw(`${HEAD}Content-Length: 2\r\n\r\n[]${HEAD}Content-Length: 2\r\n\r\n{}`),
  '204 with a body': raw('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello'),
  'half of a character': respond('[{"id":"\\ud800","metadata":{"name":"\\udfff"}}]'),
  'an invalid status line': raw('HTTP/9.9 twohundred\r\n\r\n'),
  'no HTTP at all': raw('SSH-2.0-OpenSSH_9.2p1 Debian\r\n'),
  'HTTP/0.9': raw('{"values":[]}'),
  'status 999': respond('{}', { status: '999 Odd' }),
  'status 100 forever': (socket) => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 1),
  'a switch of protocols': raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhello'),
  'a header of 1 MB': respond('{}', { headers: `X-A: ${'a'.repeat(2 ** 20)}\r\n` }),
  '10,000 headers': respond('{}', { headers: 'X-A: a\r\n'.repeat(10_000) }),
  'a header with control characters': respond('{}', { headers: 'X-A: \u0001\u001b[31m\u0007\r\n' }),
  'a folded header': respond('{}', { headers: 'X-A: a\r\n b\r\n' }),
  'a redirect to itself': (socket, { url }) =>
    respond('', { status: '302 Found', headers: `Location: ${url}\r\n` })(socket, { url, head: '' }),
  'a redirect to another host': respond('', { status: '307 X', headers: 'Location: http://127.0.0.1:1/x\r\n' }),
  'a million brackets': respond('['.repeat(500_000)),
  'a deep object': respond(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
  'a long string': respond(JSON.stringify({ values: ['x'.repeat(900_000)] })),
  'a string of 15 MB': respond(`{"values":["${'c'.repeat(15_000_000)}"]}`),
  'a list of 15 MB': respond(
    `[${'{"id":"x","metadata":{"name":"n","workspace":"demo"},"spec":{}},'.repeat(230_000)}{}]`,
  ),
  'a long list': respond(JSON.stringify({ values: Array.from({ length: 100_000 }, (_, at) => at) })),
  'invalid UTF-8': respond(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  'NUL bytes': respond('\0\0\0'),
  'a byte order mark': respond('\ufeff{"values":[]}'),
  'an unknown content coding': respond('abc', { headers: 'Content-Encoding: br, gzip, x\r\n' }),
  'a compressed bomb': respond(gzipSync(Buffer.alloc(50_000_000)), { headers: 'Content-Encoding: gzip\r\n' }),
  'a body of another type': respond('<xml/>', { type: 'application/json' }),
  'JSON of another type': respond('{"values":[]}', { type: 'text/html' }),
  'no media type': raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
  'repeated keys': respond('{"data":[],"data":{},"meta":1,"meta":null}'),
  'keys of Object': respond('{"__proto__":{"x":1},"constructor":null,"toString":1,"data":{"length":1e9}}'),
  'numbers without bounds': respond('{"data":[{"summary":{"cost":1e400,"usage":-1e400}}],"meta":{"hasMore":1e999}}'),
  '429 forever': respond('{}', { status: '429 Too Many', headers: 'Retry-After: 0\r\n' }),
  '429 for a year': respond('{}', { status: '429 Too Many', headers: 'Retry-After: 31536000\r\n' }),
  '503 with a wrong date': respond('{}', { status: '503 X', headers: 'Retry-After: Thu, 99 Foo 2026\r\n' }),
  '401 to everything': respond('{"error":"x"}', { status: '401 X' }),
  '403 to everything': respond('{"error":"x"}', { status: '403 X' }),
  '404 to everything': respond('not found', { status: '404 X', type: 'text/plain' }),
  '500 to everything': respond('{"error":"x"}', { status: '500 X' }),
  '200 without a body': respond(''),
  'null to everything': respond('null'),
  'true to everything': respond('true'),
  'a web page': respond('<html><script>alert(1)</script>', { type: 'text/html' }),
  '204 to everything': raw('HTTP/1.1 204 No Content\r\n\r\n'),
  'what was sent': (socket, { head, url }) =>
    respond(JSON.stringify({ error: head, message: head, url }))(socket, { head, url }),
  'escape sequences': respond(JSON.stringify({ error: '\u001b[2J\u001b]0;x\u0007', message: '::error::\n%0A' })),
  'the same page forever': respond(page('again', [entry('a')])),
  'new pages forever': (socket, received) =>
    respond(page(String((cursors += 1)), [entry(`w-${cursors}`)]))(socket, received),
  'empty pages forever': (socket, received) => respond(page(String((cursors += 1)), []))(socket, received),
  'a cursor of 100 kB': (socket, received) =>
    respond(page(`${(cursors += 1)}`.padEnd(100_000, 'c'), [entry(`w-${cursors}`)]))(socket, received),
};
