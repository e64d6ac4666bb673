/** Handles the requests of a connection one after the other, as RFC 9112 9.3.2 demands for those that are not safe. */
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that wait, of all connections: about 20 MB. */
const MAX_WAITING = 10_000;

/**
 * A request that a client sends before it has received the response to its previous one waits for the end of that response. All
 * that arrive in one packet would otherwise be handled at once, and delay other clients by seconds. If more than `maxWaiting`
 * wait, the connection on which most of them do is closed.
 */
export function oneAtATime(handle: RequestListener, maxWaiting: number = MAX_WAITING): RequestListener {
  const last = new WeakMap<Socket, ServerResponse>();
  const queue = countWaiting(maxWaiting);
  return (request, response) => {
    const { socket } = request;
    const previous = last.get(socket);
    last.set(socket, response);
    if (previous === undefined || previous.writableFinished) return handle(request, response);
    queue.add(socket);
    previous.once('close', () => {
      queue.remove(socket);
      setImmediate(() => socket.destroyed || handle(request, response));
    });
  };
}

function countWaiting(max: number) {
  const counts = new Map<Socket, number>();
  let total = 0;
  // Responses that were never begun are not closed with their connection.
  const forget = (socket: Socket): void => {
    total -= counts.get(socket) ?? 0;
    counts.delete(socket);
  };
  return {
    add(socket: Socket): void {
      const count = counts.get(socket);
      if (count === undefined) socket.once('close', () => forget(socket));
      counts.set(socket, (count ?? 0) + 1);
      total += 1;
      if (total <= max) return;
      const [longest] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one));
      forget(longest);
      longest.destroy();
    },
    remove(socket: Socket): void {
      const count = counts.get(socket);
      if (count === undefined || count === 0) return;
      counts.set(socket, count - 1);
      total -= 1;
    },
  };
}
