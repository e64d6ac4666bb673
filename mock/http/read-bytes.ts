/** Reads the body of a request, up to a limit, and limits the bytes of all bodies that are being received. */
import type { IncomingMessage } from 'node:http';
import { createBlocks, type Blocks } from '../../spec/network/blocks.ts';
import { limitsWith, requestLimits, type WorldLimits } from '../../spec/formats/mock-limits.ts';
import { limitReached } from './limits.ts';
import { bodyTooLarge, malformedBody } from './problems.ts';

interface Reading {
  bytes?: Buffer;
  whole?: Promise<Buffer>;
}

const READING = Symbol('reading');

/** A WeakMap would slow down garbage collections. */
interface RequestWithReading extends IncomingMessage {
  [READING]?: Reading;
}

/** The bodies that a server is receiving. */
interface Received {
  readonly limits: WorldLimits;
  bytes: number;
}

/** By the server of the request's socket. */
const receivedBy = new WeakMap<object, Received>();

/** Limits the bytes of incomplete bodies of a server (`incompleteBodyBytes`). */
export function limitBodies(server: object, limits: WorldLimits): void {
  receivedBy.set(server, { limits, bytes: receivedBy.get(server)?.bytes ?? 0 });
}

/** The whole body of a request; undefined if it was not read, or not completely. */
export function bytesRead(request: RequestWithReading): Buffer | undefined {
  return request[READING]?.bytes;
}

/**
 * Rejects with a problem if the body is too large or the client disconnects. May be called again for the same request:
 * wrappers of the app may run it more than once.
 */
export function readBytes(request: RequestWithReading, limitBytes: number = requestLimits.body.max): Promise<Buffer> {
  const before = request[READING]?.whole;
  if (before !== undefined) return before;
  const reading: Reading = {};
  request[READING] = reading;
  return (reading.whole = readOnce(request, limitBytes, reading));
}

/**
 * A body that is a little too large is received before it is refused, because few clients read a response while they send. One
 * that is much larger is refused at once.
 */
function readOnce(request: IncomingMessage, limitBytes: number, reading: Reading): Promise<Buffer> {
  const received = receivedOf(request);
  return new Promise((resolve, reject) => {
    let blocks: Blocks | undefined;
    let length = 0;
    let heldBytes = 0;
    let problem: Error | undefined;
    const release = () => {
      received.bytes -= heldBytes;
      heldBytes = 0;
    };
    const refuse = (reason: Error) => {
      problem ??= reason;
      blocks = undefined;
      release();
    };
    const disconnect = () => {
      release();
      reject(bodyTooLarge(limitBytes));
      request.pause();
      setTimeout(() => request.destroy(), LINGER_MS).unref();
    };
    if (Number(request.headers?.['content-length'] ?? 0) > limitBytes + MAX_DROPPED_BYTES) return disconnect();
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limitBytes + MAX_DROPPED_BYTES) return disconnect();
      if (length > limitBytes) return refuse(bodyTooLarge(limitBytes));
      if (problem !== undefined) return;
      const newBytes = blocks?.needed(chunk) ?? chunk.length;
      received.bytes += newBytes;
      heldBytes += newBytes;
      if (received.bytes > received.limits.incompleteBodyBytes)
        return refuse(limitReached(received.limits, 'incompleteBodyBytes'));
      if (blocks === undefined) blocks = createBlocks(chunk);
      else blocks.append(chunk);
    });
    request.on('end', () => {
      release();
      if (problem !== undefined) reject(problem);
      else resolve((reading.bytes = blocks?.concat() ?? Buffer.alloc(0)));
    });
    request.on('error', ({ message }) => {
      refuse(malformedBody(message));
      reject(problem);
    });
  });
}

/** Beyond the limit of the body. */
const MAX_DROPPED_BYTES = 16 * 2 ** 20;
/** How long a client can read the response before it is disconnected. */
const LINGER_MS = 1000;

/** Of tests and of wrappers that replace the body, whose requests have no server. */
const unlimited: Received = { limits: limitsWith({ incompleteBodyBytes: Number.MAX_SAFE_INTEGER }), bytes: 0 };

function receivedOf({ socket }: IncomingMessage): Received {
  const { server } = (socket ?? {}) as { readonly server?: object };
  return (server && receivedBy.get(server)) ?? unlimited;
}
