/** Bytes that are not a valid HTTP request, or only nearly. */
import * as fc from 'fast-check';
import { bytesOf } from '../../../mock/testing/every-operation/connection.ts';
import { requestTo } from '../../../mock/testing/every-operation/operation-request.ts';
import { operations } from '../../../spec/operations.ts';
import { DEADLINE_MS, type Attack, type AttackedMock, type Kind } from './attack.ts';
import { adminToken } from './operation-attacks.ts';
import { bytesCommand, openSocket, outcomeOf } from './raw-socket.ts';

const CONCURRENCY = 200;
/** A mock that waits for more bytes does not respond: after this time the client sends no more. */
const QUIET_MS = 300;

export function malformedKind(mock: AttackedMock): Kind {
  const attacks = malformedBytes(mock)
    .chain(({ what, bytes }) =>
      fc.record({ what: fc.constant(what), bytes: fc.constant(bytes), at: fc.nat(bytes.length) }),
    )
    .map(({ what, bytes, at }): Attack => ({
      what,
      send: () => sendBytes(mock, bytes, at),
      describe: () => bytesCommand(bytes),
    }));
  return { name: 'malformed bytes', attacks, requestsPerAttack: 1, concurrency: CONCURRENCY, close: async () => {} };
}

async function sendBytes(mock: AttackedMock, bytes: Uint8Array, pauseAt: number) {
  const connection = openSocket(mock);
  connection.socket.write(bytes.subarray(0, pauseAt));
  if (pauseAt % 4 === 0) await new Promise((resolve) => void setImmediate(resolve));
  connection.socket.write(bytes.subarray(pauseAt));
  const hasResponded = await connection.responses(1, QUIET_MS);
  if (!hasResponded) connection.socket.end();
  const isOver = hasResponded || (await connection.responses(1, DEADLINE_MS));
  connection.reset();
  return outcomeOf(connection, !isOver);
}

interface Malformed {
  readonly what: string;
  readonly bytes: Buffer;
}

export function malformedBytes(mock: AttackedMock): fc.Arbitrary<Malformed> {
  const head = `Host: a\r\nAuthorization: Bearer ${adminToken(mock)}\r\n`;
  const valid = fc.constantFrom(...operations).map(({ id }) => bytesOf(mock, id, requestTo(id, adminToken(mock))));
  return fc.oneof(
    ...Object.entries(shapes(head)).map(([what, texts]) =>
      texts.map((text): Malformed => ({ what, bytes: Buffer.from(text, 'latin1') })),
    ),
    { weight: 6, arbitrary: valid.chain(mangled).map((bytes) => ({ what: 'changed bytes', bytes })) },
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => ({ what: 'noise', bytes: Buffer.from(bytes) })),
    fc.constantFrom(...otherProtocols).map((bytes) => ({ what: 'other protocols', bytes })),
  );
}

const otherProtocols = [
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.from('000000040000000000', 'hex')]),
  Buffer.from('16030100c8010000c40303', 'hex'),
  Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'),
  Buffer.from('\u0005\u0001\u0000', 'latin1'),
  Buffer.from('*1\r\n$4\r\nPING\r\n'),
  Buffer.from('GET /\r\n'),
];

const junk = fc.oneof(
  fc.constantFrom('', '\0', '\r', '\n', '\r\n', '\r\n\r\n', ' ', '\t', ':', ',', '\u00ff', '%', '%0', '%zz', '\u007f'),
  fc.string({ maxLength: 20 }),
  fc.nat(9).map((power) => 'a'.repeat(2 ** power)),
);

const targets = fc.constantFrom(
  '/v0/agents',
  '/_mock/health',
  '*',
  'a:1',
  'http://[/v0/agents',
  'http://other.example/v0/agents',
  '/v0/agents/%',
  '/v0/agents/%ff%fe%00',
  '/v0/agents/%ed%a0%80',
  '//v0//agents',
  '/v0/agents/../../_mock/target',
  '/_mock/w/%2e%2e/_mock/target',
  '/v0/agents?%=%&=&%zz',
  `/${'a/'.repeat(4000)}`,
  `/v0/agents?${'a=1&'.repeat(3000)}`,
  '/v0/agents#x',
  '\\v0\\agents',
);

const length = fc.constantFrom('x', '-1', '+2', '0x2', '2, 2', '2,3', '', ' ', '1e3', '99999999999999999999', '2 2');
const chunkSize = fc.constantFrom(
  'zz',
  '-1',
  '0x2',
  'fffffffffffffffff',
  '5;x="\0"',
  '5 ',
  ' 5',
  '',
  '5\n',
  '00000005',
);
const methods = fc.constantFrom(
  'BREW',
  'get',
  'CONNECT',
  'TRACE',
  'GET',
  'POST',
  'G\0T',
  '',
  'PRI',
  'M-SEARCH',
  'HEAD',
);
const versions = fc.constantFrom(
  'HTTP/1.0',
  'HTTP/9.9',
  'HTTP/1.1x',
  'HTTP/',
  'http/1.1',
  '',
  'HTTP/0.9',
  'ICY/1.1',
  'HTTP/2.0',
);
const codings = fc.constantFrom(
  'x',
  'chunked, chunked',
  'gzip, chunked',
  'chunked, gzip',
  'identity',
  'chun\0ked',
  ' chunked',
  'CHUNKED',
);

/** Each with the head of a request that would be accepted. */
function shapes(head: string): Readonly<Record<string, fc.Arbitrary<string>>> {
  const get = `GET /v0/agents HTTP/1.1\r\n${head}`;
  const post = `POST /demo/models/demo-model HTTP/1.1\r\n${head}Content-Type: application/json\r\n`;
  const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`;
  return {
    'request lines': fc
      .tuple(methods, targets, versions, junk)
      .map(([method, target, version, odd]) => `${method} ${target} ${version}${odd}\r\n${head}\r\n`),
    targets: fc.tuple(targets, junk).map(([target, odd]) => `GET ${target}${odd} HTTP/1.1\r\n${head}\r\n`),
    'header lines': fc.tuple(junk, junk).map(([one, other]) => `${get}${one}: ${other}\r\n\r\n`),
    'header bombs': fc
      .tuple(fc.nat(5000), fc.nat(12))
      .map(([count, size]) => `${get}${`x: ${'y'.repeat(size)}\r\n`.repeat(count)}\r\n`),
    'long headers': fc.nat(70_000).map((size) => `${get}x: ${'y'.repeat(size)}\r\n\r\n`),
    lengths: fc.tuple(length, junk).map(([value, odd]) => `${post}Content-Length: ${value}\r\n\r\n{}${odd}`),
    'conflicting lengths': fc
      .tuple(length, length)
      .map(([one, other]) => `${post}Content-Length: ${one}\r\nContent-Length: ${other}\r\n\r\n{}`),
    'length and chunks': codings.map(
      (coding) => `${post}Content-Length: 2\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ),
    'chunk sizes': fc.tuple(chunkSize, junk).map(([size, odd]) => `${chunked}${size}\r\n{"x":${odd}}\r\n0\r\n\r\n`),
    'long chunk extensions': fc.nat(40_000).map((size) => `${chunked}2;${'x'.repeat(size)}\r\n{}\r\n0\r\n\r\n`),
    trailers: fc
      .tuple(junk, fc.nat(3000))
      .map(([odd, count]) => `${chunked}2\r\n{}\r\n0\r\n${`t: ${odd}\r\n`.repeat(count)}\r\n`),
    'many tiny chunks': fc.nat(2000).map((count) => `${chunked}${'1\r\n \r\n'.repeat(count)}2\r\n{}\r\n0\r\n\r\n`),
    'truncated bodies': fc
      .tuple(fc.nat(5000), fc.nat(4999))
      .map(([promised, sent]) => `${post}Content-Length: ${promised}\r\n\r\n${' '.repeat(Math.min(sent, promised))}`),
    'more than promised': fc
      .tuple(fc.nat(5), junk)
      .map(([promised, odd]) => `${post}Content-Length: ${promised}\r\n\r\n{"a":1}${odd}`),
    expectations: fc
      .constantFrom('100-continue', 'x', '')
      .map((value) => `${post}Expect: ${value}\r\nContent-Length: 2\r\n\r\n`),
    upgrades: fc
      .constantFrom('websocket', 'h2c', 'TLS/1.0', '\0')
      .map(
        (value) => `${get}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${value}\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
      ),
    hosts: fc
      .tuple(junk, junk)
      .map(([one, other]) => `GET /v0/agents HTTP/1.1\r\nHost: ${one}\r\nHost: ${other}\r\n\r\n`),
    'line ends': fc.constantFrom('\n', '\r', '\n\r', '\r\r\n', ' \r\n').map((end) => get.replaceAll('\r\n', end) + end),
    encodings: fc
      .tuple(fc.constantFrom('gzip', 'br', 'deflate', 'x'), junk)
      .map(([coding, odd]) => `${post}Content-Encoding: ${coding}\r\nContent-Length: ${odd.length}\r\n\r\n${odd}`),
  };
}

/** Cut off, or with bytes more, fewer or other ones in one place. */
function mangled(bytes: Buffer): fc.Arbitrary<Buffer> {
  const [start, count] = [fc.nat({ max: bytes.length }), fc.nat({ max: 50 })];
  return fc.tuple(start, count, junk, fc.boolean()).map(([from, removed, text, isCut]) => {
    const rest = bytes.subarray(isCut ? bytes.length : from + removed);
    return Buffer.concat([bytes.subarray(0, from), Buffer.from(text, 'latin1'), rest]);
  });
}
