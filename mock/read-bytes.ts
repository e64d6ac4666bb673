/** Reads the body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';
import { bodyTooLarge, malformedBody } from './problems.ts';

const LIMIT_BYTES = 5 * 1024 * 1024;

const read = new WeakMap<IncomingMessage, Promise<Buffer>>();

/**
 * Rejects with a problem where the body is too large or its sender leaves; what comes beyond the limit is let go. May be
 * asked again: faults put around the app run it more than once for one request.
 */
export function readBytes(request: IncomingMessage, limitBytes = LIMIT_BYTES): Promise<Buffer> {
  const before = read.get(request);
  if (before !== undefined) return before;
  const bytes = readOnce(request, limitBytes);
  read.set(request, bytes);
  return bytes;
}

function readOnce(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limitBytes) reject(bodyTooLarge(limitBytes));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', ({ message }) => reject(malformedBody(message)));
  });
}
