/** Reads the body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';
import { bodyTooLarge, malformedBody } from './problems.ts';

const LIMIT_BYTES = 5 * 1024 * 1024;

interface Reading {
  bytes?: Buffer;
  whole?: Promise<Buffer>;
}

const readings = new WeakMap<IncomingMessage, Reading>();

/** The whole body of a request; undefined if it was not read, or not completely. */
export function bytesRead(request: IncomingMessage): Buffer | undefined {
  return readings.get(request)?.bytes;
}

/**
 * Rejects with a problem if the body is too large or the client disconnects. May be called again for the same request:
 * wrappers of the app may run it more than once.
 */
export function readBytes(request: IncomingMessage, limitBytes = LIMIT_BYTES): Promise<Buffer> {
  const before = readings.get(request)?.whole;
  if (before !== undefined) return before;
  const reading: Reading = {};
  readings.set(request, reading);
  return (reading.whole = readOnce(request, limitBytes, reading));
}

function readOnce(request: IncomingMessage, limitBytes: number, reading: Reading): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limitBytes) reject(bodyTooLarge(limitBytes));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve((reading.bytes = Buffer.concat(chunks))));
    request.on('error', ({ message }) => reject(malformedBody(message)));
  });
}
