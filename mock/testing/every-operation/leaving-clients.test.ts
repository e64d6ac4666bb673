import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { operations, type OperationId } from '../../../spec/operations.ts';
import { openMock, type OpenMock } from './open-mock.ts';
import { bytesOf, openConnection } from './connection.ts';
import type { Change } from './request-types.ts';

let opened: OpenMock;
beforeAll(async () => {
  opened = await openMock();
});
afterAll(() => opened.close());
beforeEach(() => opened.reset());
afterEach(() => opened.requireHealthy());

async function bytesTo(id: OperationId, change: Change = {}): Promise<Buffer> {
  return bytesOf(opened.mock, id, await opened.prepare(id, change));
}

/** Asks again and again, and gives up when the machine can no longer be to blame. */
const patiently = { interval: 1, timeout: 15_000 };
const takingBodies = operations.filter(({ hasBody }) => hasBody).map(({ id }) => id);

test.each(takingBodies)('%s lets go of a client that leaves in the middle of its body', async (id) => {
  const bytes = await bytesTo(id);
  const { socket } = openConnection(opened.mock);
  socket.write(bytes.subarray(0, -1));
  await expect.poll(opened.last, patiently).toMatchObject({ status: null });
  socket.resetAndDestroy();
  // The request no longer waits for its body: it has a response, although nobody reads it.
  await expect.poll(opened.last, patiently).toMatchObject({ operation: id, status: 400 });
});

const slowly = { stream: true, messages: [{ role: 'user', content: 'slowly, please' }] };
const streams: readonly (readonly [OperationId, Change])[] = [
  ['watchDirectory', {}],
  ['createChatCompletion', { body: JSON.stringify(slowly) }],
  ['getFunctionMcp', {}],
  ['getSandboxMcp', {}],
];

test.each(streams)('%s lets go of a client that leaves in the middle of its stream', async (id, change) => {
  const request = await opened.prepare(id, change);
  const { socket } = openConnection(opened.mock);
  socket.write(bytesOf(opened.mock, id, request));
  await once(socket, 'data');
  socket.resetAndDestroy();
  await opened.sendValid('writeTree');
  // The MCP servers have one such stream a session: another is a conflict while the first is there.
  await expect.poll(async () => (await opened.send(id, request)).status, patiently).toBe(200);
});

test('a client that reads none of its responses does not block others, and may disconnect', async () => {
  const { socket } = openConnection(opened.mock);
  const bytes = await bytesTo('listAgents');
  socket.pause();
  for (let sent = 0; sent < 1000; sent++) socket.write(bytes);
  expect((await opened.sendValid('listAgents')).status).toBe(200);
  socket.resetAndDestroy();
});
