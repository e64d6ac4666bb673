/** Many requests on one connection, all sent before the first response; one in three connections also has malformed bytes. */
import * as fc from 'fast-check';
import { bytesOf } from '../../../mock/testing/every-operation/connection.ts';
import { changed, requestTo } from '../../../mock/testing/every-operation/operation-request.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { DEADLINE_MS, type Attack, type AttackedMock, type Kind, type Outcome } from './attack.ts';
import { malformedBytes } from './malformed-attacks.ts';
import { adminToken, operationRequests, type OperationAttack } from './operation-attacks.ts';
import { bytesCommand, openSocket } from './raw-socket.ts';

const CONCURRENCY = 16;
const REQUESTS = 20;

/** Their responses may not end, and would hold those after them. */
const streams: readonly OperationId[] = [
  'watchDirectory',
  'getFunctionMcp',
  'getSandboxMcp',
  'createChatCompletion',
  'createChatCompletionV1',
];

export function pipelineKind(mock: AttackedMock): Kind {
  const requests = fc.array(operationRequests(mock, streams), {
    minLength: REQUESTS,
    maxLength: REQUESTS,
    size: 'max',
  });
  const broken = fc.tuple(malformedBytes(mock), fc.nat(REQUESTS - 1));
  const attacks = fc
    .tuple(requests, fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, broken))
    .map(([valid, malformed]): Attack => {
      const bytes = () => {
        const all = valid.map((each) => bytesTo(mock, each));
        return Buffer.concat(malformed === undefined ? all : all.toSpliced(malformed[1], 0, malformed[0].bytes));
      };
      return {
        what: malformed === undefined ? 'requests only' : `with ${malformed[0].what}`,
        send: () => sendAll(mock, bytes(), malformed === undefined),
        describe: () => bytesCommand(bytes()),
      };
    });
  return { name: 'pipelining', attacks, requestsPerAttack: REQUESTS, concurrency: CONCURRENCY, close: async () => {} };
}

/** Without large bodies, which would take most of the time, and without what belongs to a connection of its own. */
function bytesTo(mock: AttackedMock, { id, changes }: OperationAttack): Buffer {
  const small = changes.filter(({ body }) => body === undefined || body === null || body.length < 100_000);
  const request = small.reduce(changed, requestTo(id, adminToken(mock)));
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return bytesOf(mock, id, { ...request, headers: Object.fromEntries(headers) as Record<string, string> });
}

/** After malformed bytes, the mock may wait for more, or close the connection. */
async function sendAll(mock: AttackedMock, bytes: Buffer, isComplete: boolean): Promise<Outcome> {
  const connection = openSocket(mock);
  connection.socket.write(bytes);
  let isOver = await connection.responses(REQUESTS, isComplete ? DEADLINE_MS : BROKEN_MS);
  if (!isOver && !isComplete) {
    connection.socket.end();
    isOver = await connection.closed();
  }
  connection.reset();
  const { statuses } = connection;
  return { statuses, hangs: !isOver, isClosed: statuses.length < REQUESTS };
}

const BROKEN_MS = 3000;
