/** Reads the body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';
import { bodyTooLarge, malformedBody } from './problems.ts';

const LIMIT_BYTES = 5 * 1024 * 1024;

/** Rejects with a problem where the body is too large or its sender leaves; what comes beyond the limit is let go. */
export function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > LIMIT_BYTES) reject(bodyTooLarge(LIMIT_BYTES));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', ({ message }) => reject(malformedBody(message)));
  });
}
