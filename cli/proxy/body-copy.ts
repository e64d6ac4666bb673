/** Keeps a copy of a body that passes, up to a limit, and reads it when it has passed. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { createBlocks, type Blocks } from '../../spec/network/blocks.ts';

/** Bytes; a longer body passes unread. */
const LONGEST_COPY = 16 * 1024 * 1024;

export interface BodyCopy {
  /** Why `text` would not be what was sent: the body is too long, cut short, in an encoding that does not fit, or no UTF-8. */
  whyUnlike(contentEncoding: string | undefined): string | undefined;
  /** Decoded by Content-Encoding. Undefined for a body that is too long, truncated, or not in that encoding. */
  text(contentEncoding: string | undefined): string | undefined;
}

/** The body is incomplete, so its content cannot be judged. */
export const CUT_SHORT: BodyCopy = { text: () => undefined, whyUnlike: () => 'it did not come whole' };

/** Copies a stream without affecting its reader: bytes, timing and end are unchanged. */
export function copyOf(stream: Readable, longest = LONGEST_COPY): BodyCopy {
  let blocks: Blocks | undefined = createBlocks();
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > longest) blocks = undefined;
    blocks?.append(chunk);
  });
  const bytes = (contentEncoding = 'identity'): Buffer | undefined =>
    blocks && decoded(blocks.concat(), contentEncoding, longest);
  return {
    text: (contentEncoding) => bytes(contentEncoding)?.toString('utf8'),
    whyUnlike(contentEncoding) {
      if (length > longest) return `it is longer than ${longest} bytes`;
      const whole = bytes(contentEncoding);
      if (whole === undefined) return `its encoding is not ${contentEncoding}, or is not known`;
      return isUtf8(whole) ? undefined : 'it is not UTF-8';
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
