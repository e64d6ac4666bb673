/** Copies a body while it is forwarded, up to a limit, to read it afterwards. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { createBlocks, type Blocks } from '../../spec/network/blocks.ts';

/** A longer body is forwarded without a copy. */
const MAX_COPY_BYTES = 16 * 1024 * 1024;
/** Of all copies together. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

export interface BodyCopy {
  /** Why `text` is not what was sent: the body is too long, incomplete, not in its encoding, or not UTF-8. Undefined if it is. */
  describeProblem(contentEncoding: string | undefined): string | undefined;
  /** Decoded by Content-Encoding. Undefined for a body that is too long, truncated, or not in that encoding. */
  text(contentEncoding: string | undefined): string | undefined;
}

/** The body is incomplete, so its content cannot be judged. */
export const INCOMPLETE_BODY: BodyCopy = { text: () => undefined, describeProblem: () => 'it is incomplete' };

/** Memory that copies share. */
export interface CopyBudget {
  /** Whether the bytes were available. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

export function createCopyBudget(maxBytes = MAX_TOTAL_BYTES): CopyBudget {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > maxBytes) return false;
      taken += bytes;
      return true;
    },
    giveBack: (bytes) => void (taken -= bytes),
  };
}

export interface HeldCopy extends BodyCopy {
  /** Gives the memory back, because nobody keeps the copy from now on. */
  release(): void;
}

/** Copies a stream without affecting its reader: bytes, timing and end are unchanged. */
export function copyOf(stream: Readable, budget: CopyBudget, maxBytes = MAX_COPY_BYTES): HeldCopy {
  let blocks: Blocks | undefined = createBlocks();
  let [length, taken] = [0, 0];
  const release = (): void => {
    budget.giveBack(taken);
    taken = 0;
  };
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (blocks === undefined) return;
    const needed = blocks.needed(chunk);
    if (length > maxBytes || !budget.take(needed)) {
      blocks = undefined;
      return release();
    }
    taken += needed;
    blocks.append(chunk);
  });
  const bytes = (contentEncoding = 'identity'): Buffer | undefined =>
    blocks && decoded(blocks.concat(), contentEncoding, maxBytes);
  return {
    release,
    text: (contentEncoding) => bytes(contentEncoding)?.toString('utf8'),
    describeProblem(contentEncoding) {
      if (length > maxBytes) return `it is longer than ${maxBytes} bytes`;
      if (blocks === undefined) return 'the proxy holds too many other bodies';
      const complete = bytes(contentEncoding);
      if (complete === undefined) return `its encoding is not ${contentEncoding}, or is not known`;
      return isUtf8(complete) ? undefined : 'it is not UTF-8';
    },
  };
}

type Decode = (bytes: Buffer, limit: { maxOutputLength: number }) => Buffer;

/** RFC 9110 8.4.1, RFC 8878. */
const decoders: Readonly<Record<string, Decode>> = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

function decoded(bytes: Buffer, encoding: string, maxOutputLength: number): Buffer | undefined {
  const decode = decoders[encoding.trim().toLowerCase()];
  if (decode === undefined) return undefined;
  try {
    return bytes.length === 0 ? bytes : decode(bytes, { maxOutputLength });
  } catch {
    return undefined; // The receiver reports the error; here the body is just unreadable.
  }
}
