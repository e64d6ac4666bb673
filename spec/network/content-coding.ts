/** Decodes bodies with a Content-Encoding (RFC 9110 8.4.1, RFC 8878). */
import type { Readable, Transform } from 'node:stream';
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzipSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';

interface Coding {
  readonly decode: (bytes: Uint8Array, limit: { maxOutputLength: number }) => Buffer;
  /** Delivers what arrives at once, also if the end is missing. */
  readonly createDecoder: () => Transform;
}

const gzip: Coding = {
  decode: gunzipSync,
  createDecoder: () => createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }),
};

const codings: ReadonlyMap<string, Coding> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', { decode: inflateSync, createDecoder: () => createInflate({ flush: constants.Z_SYNC_FLUSH }) }],
  ['br', { decode: brotliDecompressSync, createDecoder: () => createBrotliDecompress() }],
  ['zstd', { decode: zstdDecompressSync, createDecoder: () => createZstdDecompress() }],
]);

const isIdentity = (contentEncoding: string): boolean => ['', 'identity'].includes(normalize(contentEncoding));
const normalize = (contentEncoding: string): string => contentEncoding.trim().toLowerCase();

/**
 * Returns the bytes themselves for the coding `identity`. Throws a RangeError with the code ERR_BUFFER_TOO_LARGE if the content is
 * longer than `maxBytes`, and another error if the coding is unknown or the bytes are not in it.
 */
export function decodeContent(bytes: Uint8Array, contentEncoding: string, maxBytes: number): Uint8Array {
  if (isIdentity(contentEncoding) || bytes.length === 0) return bytes;
  const coding = codings.get(normalize(contentEncoding));
  if (coding === undefined) throw new Error(`unknown content coding ${contentEncoding}`);
  return coding.decode(bytes, { maxOutputLength: maxBytes });
}

/** The content of a body while it arrives. The body itself if its coding is `identity` or unknown. */
export function decodedStream(body: Readable, contentEncoding: string): Readable {
  const coding = isIdentity(contentEncoding) ? undefined : codings.get(normalize(contentEncoding));
  if (coding === undefined) return body;
  const decoder = coding.createDecoder();
  body.once('error', (error) => decoder.destroy(error));
  decoder.once('close', () => body.destroy());
  return body.pipe(decoder);
}
