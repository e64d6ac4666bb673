/** Responds to input that is not an HTTP request, and to CONNECT: node:http would close the connection without a response. */
import type { Duplex } from 'node:stream';

const TOO_LONG = {
  code: 431,
  phrase: 'Request Header Fields Too Large',
  message: 'The URL and headers exceed the size limit.',
};
const TOO_SLOW = {
  code: 408,
  phrase: 'Request Timeout',
  message: 'The request did not arrive completely in time.',
};
const NO_TUNNEL = {
  code: 400,
  phrase: 'Bad Request',
  message: 'CONNECT is not supported: this server opens no tunnels.',
};
const NO_REQUEST = { code: 400, phrase: 'Bad Request', message: 'Not a valid HTTP request.' };

/** `_httpMessage` is the response being sent. node:http itself reads it, but has no public name for it. */
type Connection = Duplex & { readonly _httpMessage?: { readonly headersSent: boolean } | null };

const refusals: Readonly<Record<string, typeof NO_REQUEST>> = {
  HPE_HEADER_OVERFLOW: TOO_LONG,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

/** A listener of the server's `clientError`. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Connection): void {
  const isHandshake = error.code?.startsWith('ERR_SSL_') === true;
  if (isHandshake || error.code === 'ECONNRESET') return void socket.destroy();
  refuse(socket, refusals[error.code ?? ''] ?? NO_REQUEST);
}

/** A listener of the server's `connect`. */
export function refuseTunnel(_request: unknown, socket: Connection): void {
  // node:http no longer handles the errors of this connection.
  socket.on('error', () => socket.destroy());
  refuse(socket, NO_TUNNEL);
}

function refuse(socket: Connection, { code, phrase, message }: typeof NO_REQUEST): void {
  // Clients would read an error response as part of the response being sent.
  // oxlint-disable-next-line no-underscore-dangle -- The name is that of node:http.
  const isResponding = socket._httpMessage?.headersSent === true;
  if (!socket.writable || isResponding) return void socket.destroy();
  const body = JSON.stringify({ error: 'malformed_request', code, message });
  const head = [
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`HTTP/1.1 ${code} ${phrase}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}
