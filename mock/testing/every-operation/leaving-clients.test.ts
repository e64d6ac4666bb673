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

/** The timeout is long enough for a busy machine. */
const polling = { interval: 1, timeout: 15_000 };
const operationsWithBody = operations.filter(({ hasBody }) => hasBody).map(({ id }) => id);

test.each(operationsWithBody)('%s ends the request of a client that disconnects while sending its body', async (id) => {
  const bytes = await bytesTo(id);
  const { socket } = openConnection(opened.mock);
  socket.write(bytes.subarray(0, -1));
  await expect.poll(opened.last, polling).toMatchObject({ status: null });
  socket.resetAndDestroy();
  // The request no longer waits for its body: it has a response, although nobody reads it.
  await expect.poll(opened.last, polling).toMatchObject({ operation: id, status: 400 });
});

const slowly = { stream: true, messages: [{ role: 'user', content: 'slowly, please' }] };
const streams: readonly (readonly [OperationId, Change])[] = [
  ['watchDirectory', {}],
  ['createChatCompletion', { body: JSON.stringify(slowly) }],
  ['getFunctionMcp', {}],
  ['getSandboxMcp', {}],
];

test.each(streams)('%s ends the stream of a client that disconnects', async (id, change) => {
  const request = await opened.prepare(id, change);
  const { socket } = openConnection(opened.mock);
  socket.write(bytesOf(opened.mock, id, request));
  await once(socket, 'data');
  socket.resetAndDestroy();
  await opened.sendValid('writeTree');
  // The MCP servers have one such stream a session: another is a conflict while the first is there.
  await expect.poll(async () => (await opened.send(id, request)).status, polling).toBe(200);
});

test('a client that reads none of its responses does not block others, and may disconnect', async () => {
  const { socket } = openConnection(opened.mock);
  const bytes = await bytesTo('listAgents');
  socket.pause();
  for (let sent = 0; sent < 1000; sent++) socket.write(bytes);
  expect((await opened.sendValid('listAgents')).status).toBe(200);
  socket.resetAndDestroy();
});
