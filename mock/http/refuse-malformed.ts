/** Answers what never becomes a request: node:http would cut such a connection without a word. */
import type { Duplex } from 'node:stream';

const TOO_LONG = {
  code: 431,
  phrase: 'Request Header Fields Too Large',
  message: 'The URL and the headers are longer than what is read.',
};
const NO_REQUEST = { code: 400, phrase: 'Bad Request', message: 'This is no HTTP request.' };

/** The answer that is on its way: what node:http asks itself where nobody listens, and tells by no public name. */
type Connection = Duplex & { readonly _httpMessage?: { readonly headersSent: boolean } | null };

/** A listener of the server's `clientError`. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Connection): void {
  // In the middle of another answer a refusal would be read as part of it.
  // oxlint-disable-next-line no-underscore-dangle -- The name is that of node:http.
  const isAnswering = socket._httpMessage?.headersSent === true;
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy();
  const { code, phrase, message } = error.code === 'HPE_HEADER_OVERFLOW' ? TOO_LONG : NO_REQUEST;
  const body = JSON.stringify({ error: 'malformed_request', code, message });
  const head = [
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`HTTP/1.1 ${code} ${phrase}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}
