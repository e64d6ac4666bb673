/** Clients that send slowly, stop in the middle, disconnect, or do not read what they requested. */
import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import { bytesOf } from '../../../mock/testing/every-operation/connection.ts';
import { changed, requestTo } from '../../../mock/testing/every-operation/operation-request.ts';
import type { Change } from '../../../mock/testing/every-operation/request-types.ts';
import { operations, type OperationId } from '../../../spec/operations.ts';
import { DEADLINE_MS, type Attack, type AttackedMock, type Kind, type Outcome } from './attack.ts';
import { adminToken } from './operation-attacks.ts';
import { bytesCommand, openSocket, outcomeOf, type RawSocket } from './raw-socket.ts';

/** Many at once: each waits most of its time. */
const CONCURRENCY = 1000;

/** What a client does when it has sent `sent` bytes. */
const ends = ['reads', 'stalls', 'half-closes', 'resets', 'never reads'] as const;

interface Slow {
  readonly bytes: Buffer;
  /** Sent in so many pieces. */
  readonly pieces: number;
  readonly pauseMs: number;
  /** How many bytes are sent. */
  readonly sent: number;
  readonly end: (typeof ends)[number];
  readonly holdMs: number;
}

export function slowKind(mock: AttackedMock): Kind {
  const attacks = slowClients(mock).map((slow): Attack => ({
    what: `a client that ${slow.end}`,
    send: () => sendSlowly(mock, slow),
    describe: () => bytesCommand(slow.bytes.subarray(0, slow.sent)),
  }));
  return { name: 'slow clients', attacks, requestsPerAttack: 1, concurrency: CONCURRENCY, close: async () => {} };
}

/** Responses that are large or do not end. */
const largest: readonly (readonly [OperationId, Change])[] = [
  ['getAccountMetrics', { query: 'startTime=2026-11-15T00:00:00Z&endTime=2026-11-21T00:00:00Z&groupBy=resource_name' }],
  ['watchDirectory', {}],
  ['listAgents', {}],
  ['listModels', {}],
  ['readTree', {}],
  ['createChatCompletion', { body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'hello' }] }) }],
];

function slowClients(mock: AttackedMock): fc.Arbitrary<Slow> {
  const token = adminToken(mock);
  const any = fc.constantFrom(...operations).map(({ id }) => bytesOf(mock, id, requestTo(id, token)));
  const large = fc
    .constantFrom(...largest)
    .map(([id, change]) => bytesOf(mock, id, changed(requestTo(id, token), change)));
  const control = fc
    .constantFrom('/_mock/snapshot', '/_mock/requests', '/_mock/resources')
    .map((path) =>
      Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${mock.controlToken}\r\n\r\n`),
    );
  const many = large.chain((bytes) =>
    fc.integer({ min: 2, max: 30 }).map((count) => Buffer.concat(Array.from({ length: count }, () => bytes))),
  );
  return fc.oneof({ weight: 10, arbitrary: any }, { weight: 4, arbitrary: large }, control, many).chain((bytes) =>
    fc.record({
      bytes: fc.constant(bytes),
      pieces: fc.constantFrom(1, 1, 2, 4, 10),
      pauseMs: fc.constantFrom(0, 5, 20, 50, 150),
      sent: fc.oneof(fc.constant(bytes.length), fc.integer({ min: 1, max: bytes.length })),
      // The mock ends a stalled request only after some seconds.
      end: fc.oneof(
        { weight: 1, arbitrary: fc.constant('stalls' as const) },
        ...ends.filter((end) => end !== 'stalls').map((end) => ({ weight: 5, arbitrary: fc.constant(end) })),
      ),
      holdMs: fc.constantFrom(0, 10, 50, 200, 1000),
    }),
  );
}

async function sendSlowly(mock: AttackedMock, { bytes, pieces, pauseMs, sent, end, holdMs }: Slow): Promise<Outcome> {
  const connection = openSocket(mock);
  if (end === 'never reads') connection.socket.pause();
  const step = Math.max(1, Math.ceil(sent / pieces));
  for (let at = 0; at < sent && !connection.isClosed(); at += step) {
    connection.socket.write(bytes.subarray(at, Math.min(sent, at + step)));
    if (pauseMs > 0 && pieces > 1) await wait(pauseMs);
  }
  const isOver = await leave(connection, end, { isWhole: sent === bytes.length, holdMs });
  connection.reset();
  return outcomeOf(connection, !isOver);
}

/** Whether the mock did what it must before the deadline: respond to a whole request, and end an incomplete one. */
async function leave(
  connection: RawSocket,
  end: Slow['end'],
  { isWhole, holdMs }: { isWhole: boolean; holdMs: number },
) {
  if (end === 'resets' || end === 'never reads') {
    await connection.closed(holdMs);
    return true;
  }
  if (end === 'half-closes') {
    await wait(holdMs / 10);
    connection.socket.end();
    return connection.responses(1, DEADLINE_MS);
  }
  if (end === 'reads' && !isWhole) {
    await wait(holdMs);
    connection.socket.end();
  }
  return connection.responses(1, DEADLINE_MS);
}
