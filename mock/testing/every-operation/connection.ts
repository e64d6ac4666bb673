/** A raw connection to the mock, for requests that no HTTP client would send. */
import { connect, type Socket } from 'node:net';
import type { OperationId } from '../../../spec/operations.ts';
import { urlOf } from './operation-request.ts';
import type { MockAccess, OperationRequest } from './request-types.ts';

export interface Connection {
  readonly socket: Socket;
  /** Everything received so far. */
  readonly received: () => string;
  /** The statuses of the responses received on it. */
  readonly statuses: () => number[];
}

export function openConnection({ addresses }: MockAccess): Connection {
  const socket = connect(Number(new URL(addresses.host).port), '127.0.0.1');
  let received = '';
  socket.on('data', (data) => (received += data.toString('latin1')));
  // Errors of an aborted connection are ignored; only received data counts.
  socket.on('error', () => {});
  return {
    socket,
    received: () => received,
    statuses: () => [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status)),
  };
}

/** The bytes of a request. */
export function bytesOf(mock: MockAccess, id: OperationId, request: OperationRequest): Buffer {
  const body = Buffer.from(request.body ?? '');
  const headers = { host: new URL(mock.addresses.host).host, ...request.headers, 'content-length': body.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  const head = `${request.method} ${urlOf(mock, id, request)} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
