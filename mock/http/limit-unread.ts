/** Closes connections of clients that do not read their responses, if these take too much memory together. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Responses that are waiting for their clients, of all connections. */
const MAX_UNREAD_BYTES = 256 * 2 ** 20;
const CHECK_EVERY_MS = 200;

/** The responses of each connection that are not complete: of pipelined requests, all but the first wait for their turn. */
type Connections = Map<Socket, Set<ServerResponse>>;

/** Beyond the limit, the connections with the longest unread responses are closed first. */
export function limitUnread(server: Server, maxBytes: number = MAX_UNREAD_BYTES): void {
  const connections: Connections = new Map();
  let timer: NodeJS.Timeout | undefined;
  const watch = (socket: Socket): void => {
    connections.set(socket, new Set());
    timer ??= setInterval(() => closeLongest(connections, maxBytes), CHECK_EVERY_MS).unref();
    socket.once('close', () => {
      connections.delete(socket);
      if (connections.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
  };
  // Of HTTPS, the encrypted connection below a secure one holds nothing itself.
  server.on('connection', watch).on('secureConnection', watch);
  server.on('request', ({ socket }, response) => {
    const responses = connections.get(socket);
    responses?.add(response);
    response.once('close', () => responses?.delete(response));
  });
}

function closeLongest(connections: Connections, maxBytes: number): void {
  const unread = Array.from(connections, ([socket, responses]) => ({ socket, bytes: unreadBytes(socket, responses) }));
  let total = unread.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return;
  for (const { socket, bytes } of unread.sort((one, other) => other.bytes - one.bytes)) {
    if (total <= maxBytes) return;
    total -= bytes;
    socket.destroy();
  }
}

function unreadBytes({ writableLength }: Socket, responses: ReadonlySet<ServerResponse>): number {
  let bytes = writableLength;
  for (const response of responses) if (response.socket === null) bytes += response.writableLength;
  return bytes;
}
