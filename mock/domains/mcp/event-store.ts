/** Stores the newest events of a session, so that an interrupted stream can be resumed. */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

const MAX_EVENTS = 1000;
/** Characters of the JSON of all events. */
const MAX_LENGTH = 4 * 2 ** 20;

/** For an unknown or dropped id, the transport responds with 400. */
export function createEventStore(maxEvents = MAX_EVENTS): EventStore {
  const events = new Map<
    string,
    { readonly streamId: string; readonly message: JSONRPCMessage; readonly length: number }
  >();
  let count = 0;
  let oldest = 1;
  let length = 0;
  const isFull = () => events.size > 1 && (events.size > maxEvents || length > MAX_LENGTH);
  const dropOldest = () => {
    const id = String(oldest++);
    length -= events.get(id)?.length ?? 0;
    events.delete(id);
  };
  return {
    storeEvent: async (streamId, message) => {
      const id = String(++count);
      const ownLength = JSON.stringify(message).length;
      length += ownLength;
      events.set(id, { streamId, message, length: ownLength });
      while (isFull()) dropOldest();
      return id;
    },
    getStreamIdForEventId: async (id) => events.get(id)?.streamId,
    replayEventsAfter: async (lastId, { send }) => {
      const last = events.get(lastId);
      if (last === undefined) throw new Error(`Event ${lastId} is unknown.`);
      for (const [id, { streamId, message }] of events) {
        if (streamId === last.streamId && Number(id) > Number(lastId) && isMessage(message)) await send(id, message);
      }
      return last.streamId;
    },
  };
}

/** The transport also stores an empty object when it opens a stream, to have an id for its start. */
function isMessage(message: JSONRPCMessage): boolean {
  return 'jsonrpc' in message;
}
