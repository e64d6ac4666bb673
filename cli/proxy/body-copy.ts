/** Keeps a copy of a body that passes, up to a limit, and reads it when it has passed. */
import type { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** Bytes; a longer body passes unread. */
export const LONGEST_COPY = 16 * 1024 * 1024;

export interface BodyCopy {
  /** Decoded as the header says; undefined for a body that is too long, or that its encoding does not fit. */
  text(contentEncoding: string | undefined): string | undefined;
}

/** Listens beside whoever reads the stream: bytes, pace and end of it stay as they are. */
export function copyOf(stream: Readable, longest = LONGEST_COPY): BodyCopy {
  let chunks: Buffer[] | undefined = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > longest) chunks = undefined;
    chunks?.push(chunk);
  });
  return {
    text: (contentEncoding = 'identity') => chunks && decoded(Buffer.concat(chunks), contentEncoding, longest),
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

function decoded(bytes: Buffer, encoding: string, maxOutputLength: number): string | undefined {
  const decode = decoders[encoding.trim().toLowerCase()];
  if (decode === undefined) return undefined;
  try {
    return (bytes.length === 0 ? bytes : decode(bytes, { maxOutputLength })).toString('utf8');
  } catch {
    return undefined; // Whoever it is for will say so; nothing can be read from it here.
  }
}
