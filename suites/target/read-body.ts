/** Reads response bodies of limited size, which share a budget of memory. */
import { createBlocks } from '../../spec/network/blocks.ts';
import { decodeContent } from '../../spec/network/content-coding.ts';
import { createGate } from './gate.ts';

/** Bytes. */
export const DEFAULT_MAX_BODY = 16 * 2 ** 20;

/** Bytes that all bodies but one may have in memory together. */
const SHARED_BYTES = 16 * 2 ** 20;

/** A response body delivers more bytes only when fewer than this are waiting for its reader. */
export const BODY_HIGH_WATER_MARK = 2 ** 14;
/** Bytes of a chunk at most: what waits for the reader, and what the connection adds to it in one read. */
const MAX_CHUNK = BODY_HIGH_WATER_MARK + 2 ** 16;

/** Bodies that may be read at the same time: half of the shared bytes are enough for a chunk of each. */
export const MAX_BODIES = 100;

/** The body is longer than it may be. Nothing is known about the rest of it. */
export class BodyTooLargeError extends Error {}

interface Body extends AsyncIterable<Uint8Array> {
  destroy(): unknown;
}

interface BodyLimits {
  /** Bytes of each body. */
  readonly maxBody: number;
  /** Bodies that are read at the same time, at most MAX_BODIES. */
  readonly concurrency: number;
}

/** Must be called when the body needs this many bytes more; resolves when it may have them. */
type Reserve = (bytes: number) => Promise<void>;

/**
 * The text of a body, decoded by its Content-Encoding if it is in that coding; invalid UTF-8 becomes U+FFFD. Throws
 * BodyTooLargeError and closes the connection if it is too long, and rejects if the signal aborts while the body waits for memory.
 */
export type BodyReader = (body: Body, signal: AbortSignal, contentEncoding?: string) => Promise<string>;

/**
 * All bodies that one reader is reading take at most 16 MiB and `maxBody` together. A body that finds no memory left waits until
 * it is the only one that is exempt from sharing, so one can always be read to its end.
 */
export function createBodyReader({ maxBody, concurrency }: BodyLimits): BodyReader {
  const budget = createBudget(SHARED_BYTES - concurrency * MAX_CHUNK, concurrency);
  return async (body, signal, contentEncoding = '') => {
    const share = budget.join(signal);
    try {
      return new TextDecoder().decode(decoded(await readBody(body, maxBody, share.reserve), contentEncoding, maxBody));
    } finally {
      share.release();
      body.destroy();
    }
  };
}

async function readBody(body: Body, maxBody: number, reserve: Reserve): Promise<Buffer> {
  const blocks = createBlocks();
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBody) throw tooLarge(maxBody);
    await reserve(blocks.needed(chunk));
    blocks.append(chunk);
  }
  return blocks.concat();
}

const tooLarge = (maxBody: number): BodyTooLargeError =>
  new BodyTooLargeError(`its body is longer than ${describeBytes(maxBody)} (--max-body)`);

/** Requests ask for no coding, but a server that uses one anyway conforms (RFC 9110 12.5.3). */
function decoded(bytes: Buffer, contentEncoding: string, maxBody: number): Buffer {
  try {
    return decodeContent(bytes, contentEncoding, maxBody);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBody);
    return bytes; // Not in that coding: the report shows the bytes.
  }
}

interface Share {
  readonly reserve: Reserve;
  /** Must be called once. */
  release(): void;
}

/** Half of the bytes is divided among the bodies, so that small ones never wait; the other half is for those that need more. */
function createBudget(bytes: number, concurrency: number): { join(signal: AbortSignal): Share } {
  let free = bytes / 2;
  const exempt = createGate(1);
  return {
    join(signal) {
      let own = bytes / 2 / concurrency;
      let held = 0;
      let entry: number | undefined;
      return {
        async reserve(more) {
          if (entry !== undefined) return;
          const shared = Math.max(0, more - own);
          own -= more - shared;
          if (shared > free) {
            entry = await exempt.enter(signal);
            free += held;
            held = 0;
            return;
          }
          free -= shared;
          held += shared;
        },
        release() {
          free += held;
          if (entry !== undefined) exempt.leave(entry, false);
        },
      };
    },
  };
}

function describeBytes(bytes: number): string {
  return bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${bytes} bytes`;
}
