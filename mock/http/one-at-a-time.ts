/** Handles the requests of a connection one after the other, as RFC 9112 9.3.2 demands for those that are not safe. */
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A request that a client sends before it has received the response to its previous one waits for the end of that response. All
 * that arrive in one packet would otherwise be handled at once, and delay other clients by seconds.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const last = new WeakMap<Socket, ServerResponse>();
  return (request, response) => {
    const { socket } = request;
    const previous = last.get(socket);
    last.set(socket, response);
    if (previous === undefined || previous.writableFinished) return handle(request, response);
    previous.once('close', () => setImmediate(() => socket.destroyed || handle(request, response)));
  };
}
