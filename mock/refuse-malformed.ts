/** Answers what never becomes a request: node:http would cut such a connection without a word. */
import type { Duplex } from 'node:stream';

const TOO_LONG = {
  code: 431,
  phrase: 'Request Header Fields Too Large',
  message: 'The URL and the headers are longer than what is read.',
};
const NO_REQUEST = { code: 400, phrase: 'Bad Request', message: 'This is no HTTP request.' };

/** A listener of the server's `clientError`. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { code, phrase, message } = error.code === 'HPE_HEADER_OVERFLOW' ? TOO_LONG : NO_REQUEST;
  const body = JSON.stringify({ error: 'malformed_request', code, message });
  const head = [
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`HTTP/1.1 ${code} ${phrase}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}
