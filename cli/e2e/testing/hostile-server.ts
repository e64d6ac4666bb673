/** For tests: a server that misbehaves on the level of the connection. */
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { respond } from './hostile-behaviours.ts';
import type { Behaviour } from './hostile-behaviours.ts';

const conforming = respond('[{"id":"acc-1"}]');

export interface HostileServer extends AsyncDisposable {
  readonly address: string;
  /** Conforms until then: a run begins with a probe of the target. */
  arm(): void;
}

export interface HostileServerOptions {
  /** How many requests it responds to before it arms itself. */
  readonly probes?: number;
  /** Called with the number of each request, from 1. */
  readonly onRequest?: (nth: number) => void;
}

export async function hostileServer(
  behave: Behaviour,
  { probes = Infinity, onRequest = () => {} }: HostileServerOptions = {},
): Promise<HostileServer> {
  let current = conforming;
  let requests = 0;
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      requests += 1;
      if (requests > probes) current = behave;
      onRequest(requests);
      const received = { url: head.split(' ', 2)[1] ?? '/', head: head.slice(0, end) };
      head = '';
      // Writing to a socket that the run has closed fails.
      void Promise.resolve(current(socket, received)).catch(() => {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    arm: () => void (current = behave),
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
