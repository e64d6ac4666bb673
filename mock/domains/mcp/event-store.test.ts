import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { createEventStore } from './event-store.ts';

const message = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });

async function replayed(store: ReturnType<typeof createEventStore>, lastId: string) {
  const sent: unknown[] = [];
  const streamId = await store.replayEventsAfter(lastId, { send: async (id, event) => void sent.push([id, event]) });
  return { streamId, sent };
}

test('only later events of the same stream are replayed, in order', async () => {
  const store = createEventStore();
  const opening = await store.storeEvent('a', {} as JSONRPCMessage);
  const first = await store.storeEvent('a', message(1));
  await store.storeEvent('b', message(2));
  const last = await store.storeEvent('a', message(3));
  expect(await replayed(store, opening)).toEqual({
    streamId: 'a',
    sent: [
      [first, message(1)],
      [last, message(3)],
    ],
  });
  expect((await replayed(store, first)).sent).toEqual([[last, message(3)]]);
  expect((await replayed(store, last)).sent).toEqual([]);
});

test('the oldest events are evicted and become unknown', async () => {
  const store = createEventStore(2);
  const [first, second] = [await store.storeEvent('a', message(1)), await store.storeEvent('a', message(2))];
  await store.storeEvent('a', message(3));
  expect(await store.getStreamIdForEventId?.(first)).toBeUndefined();
  expect(await store.getStreamIdForEventId?.(second)).toBe('a');
  await expect(replayed(store, first)).rejects.toThrow('unknown');
});
