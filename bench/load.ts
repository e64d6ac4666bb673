/** Sends one request many times over keep-alive connections that keep a server busy, and measures the server's CPU time. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Served } from './served.ts';

export interface Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly token: string;
  /** JSON. */
  readonly body?: string;
  /** The status of the response. Default: any success. */
  readonly status?: number;
}

/** A request, or a function that returns the nth request (from 0). */
export type RequestSource<Kind> = Kind | ((nth: number) => Kind);

export interface Cost {
  /** Of the server, for one request. */
  readonly cpuMicroseconds: number;
  readonly requestsPerSecond: number;
}

const CONNECTIONS = 32;
const START = 'HTTP/1.1 ';
const CONTENT_LENGTH = /^content-length: *(\d+)/im;

/**
 * Plain sockets, because an HTTP client takes more time than the server, which would then be idle half of the time. `requests`
 * are sent in turn. Rejects if a response is not as expected, because an error may be faster.
 */
export async function load(
  server: Served,
  requests: readonly RequestSource<Request>[],
  count: number,
  connections = CONNECTIONS,
): Promise<Cost> {
  const messages = requests.map((request) =>
    typeof request === 'function' ? (nth: number) => messageOf(request(nth)) : messageOf(request),
  );
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(server.port)));
  const before = await server.cpuMicroseconds();
  const start = performance.now();
  let sent = 0;
  const sendShare = async (socket: Socket) => {
    while (sent < count) {
      const nth = sent++;
      const message = messages[nth % messages.length];
      if (message === undefined) throw new Error('A load needs requests.');
      await exchange(socket, typeof message === 'function' ? message(nth) : message);
    }
  };
  await Promise.all(sockets.map(sendShare));
  const seconds = (performance.now() - start) / 1000;
  const after = await server.cpuMicroseconds();
  for (const socket of sockets) socket.destroy();
  return { cpuMicroseconds: (after - before) / count, requestsPerSecond: count / seconds };
}

/** The bytes of a request, and how the response must begin. */
interface Message {
  readonly text: string;
  readonly responseStart: string;
}

function messageOf({ method, path, token, body = '', status }: Request): Message {
  const headers = ['host: 127.0.0.1', `authorization: Bearer ${token}`];
  if (body !== '') headers.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  const text = `${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
  return { text, responseStart: `${START}${status ?? 2}` };
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the response is complete. */
function exchange(socket: Socket, { text, responseStart }: Message): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    let length = Infinity;
    const end = (error?: Error) => {
      socket.off('data', onData).off('close', onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onClose = () => end(new Error('The server closed a connection of the benchmark.'));
    const onData = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      if (length === Infinity) length = lengthOf(received);
      if (received.length < length) return;
      const isExpected = received.toString('latin1', 0, responseStart.length) === responseStart;
      end(isExpected ? undefined : new Error(`${text}\n got: ${received.toString()}`));
    };
    socket.on('data', onData).on('close', onClose);
    socket.write(text);
  });
}

/** Of the response that these bytes begin, with its headers; Infinity if they are not complete. */
function lengthOf(received: Buffer): number {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return Infinity;
  const body = CONTENT_LENGTH.exec(received.toString('latin1', 0, end))?.[1];
  if (body === undefined) throw new Error('A response to the benchmark has no Content-Length.');
  return end + 4 + Number(body);
}
