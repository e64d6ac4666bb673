/** Opens the server of a mock, HTTP or HTTPS. */
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { describeListenError } from './describe-listen-error.ts';
import { KEEP_ALIVE_TIMEOUT_MS } from './keep-alive.ts';
import { limitUnread } from './limit-unread.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { refuseMalformed, refuseTunnel } from './refuse-malformed.ts';
import { requireHost } from './require-host.ts';
import { createServer, loadHttps } from './required.ts';
import type { TlsFiles } from './tls.ts';

/**
 * Connections that wait to be accepted. With the default of 511, a burst fills the queue while a slice of work is done, and
 * the kernel then delays other clients by seconds. The system may have a lower limit.
 */
const BACKLOG = 4096;

const HANDSHAKE_TIMEOUT_MS = 20_000;

const settings = {
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  // How often the deadline of incomplete requests is checked.
  connectionsCheckingInterval: 1000,
  requireHostHeader: false, // requireHost responds
};

interface OpenOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host: string;
  /** Absent: HTTP. */
  readonly tls?: TlsFiles | undefined;
}

/** Resolves when it listens; rejects if it cannot. */
export async function openServer({ port, host, tls }: OpenOptions, onRequest: RequestListener): Promise<Server> {
  const server = tls === undefined ? createServer(settings) : secureServer(tls);
  server
    .on('request', oneAtATime(requireHost(onRequest)))
    .on('connect', refuseTunnel)
    .on('clientError', refuseMalformed);
  limitUnread(server);
  await new Promise<void>((resolve, reject) => {
    server
      .once('error', (error) => reject(describeListenError(error, port)))
      .listen({ port, host, backlog: BACKLOG }, () => resolve());
  });
  return server;
}

function secureServer({ cert, key }: TlsFiles): Server {
  const pem = { cert: Buffer.from(cert), key: Buffer.from(key) };
  const server = loadHttps().createServer({ ...settings, ...pem, handshakeTimeout: HANDSHAKE_TIMEOUT_MS });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // That of node:https leaves connections open whose handshake is not complete.
  server.closeAllConnections = () => sockets.forEach((socket) => socket.destroy());
  return server;
}
