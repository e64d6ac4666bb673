/** Closes connections of clients that do not read their responses, if these take too much memory together. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Responses that are waiting for their clients, of all connections. */
const MAX_UNREAD_BYTES = 256 * 2 ** 20;
const CHECK_EVERY_MS = 200;

/** Beyond the limit, the connections with the longest unread responses are closed first. */
export function limitUnread(server: Server, maxBytes: number = MAX_UNREAD_BYTES): void {
  const sockets = new Set<Socket>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    let total = 0;
    for (const { writableLength } of sockets) total += writableLength;
    if (total <= maxBytes) return;
    for (const socket of [...sockets].sort((one, other) => other.writableLength - one.writableLength)) {
      if (total <= maxBytes) return;
      total -= socket.writableLength;
      socket.destroy();
    }
  };
  const watch = (socket: Socket): void => {
    sockets.add(socket);
    timer ??= setInterval(check, CHECK_EVERY_MS).unref();
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
  };
  // Of HTTPS, the encrypted connection below a secure one holds nothing itself.
  server.on('connection', watch).on('secureConnection', watch);
}
