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

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants;
const atOnce = (flush: number): { flush: number; finishFlush: number } => ({ flush, finishFlush: flush });

const gzip: Coding = { decode: gunzipSync, createDecoder: () => createGunzip(atOnce(Z_SYNC_FLUSH)) };

const codings: ReadonlyMap<string, Coding> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', { decode: inflateSync, createDecoder: () => createInflate(atOnce(Z_SYNC_FLUSH)) }],
  ['br', { decode: brotliDecompressSync, createDecoder: () => createBrotliDecompress(atOnce(BROTLI_OPERATION_FLUSH)) }],
  ['zstd', { decode: zstdDecompressSync, createDecoder: () => createZstdDecompress(atOnce(ZSTD_e_flush)) }],
]);

/** More than anybody combines: each takes time and memory. */
const MAX_CODINGS = 4;

/** The names in the order of decoding: the last one was applied last. Without `identity`. */
function namesIn(contentEncoding: string): string[] {
  const names = contentEncoding.split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '' && name !== 'identity').toReversed();
}

/** Undefined if one is unknown, or if there are too many. */
function codingsOf(contentEncoding: string): Coding[] | undefined {
  const names = namesIn(contentEncoding);
  const known = names.flatMap((name) => codings.get(name) ?? []);
  return known.length < names.length || names.length > MAX_CODINGS ? undefined : known;
}

/**
 * Returns the bytes themselves for the coding `identity`. Throws a RangeError with the code ERR_BUFFER_TOO_LARGE if the content, or
 * what any but the last of several codings yields, is longer than `maxBytes`, and another error if a coding is unknown or the bytes
 * are not in it.
 */
export function decodeContent(bytes: Buffer, contentEncoding: string, maxBytes: number): Buffer {
  if (bytes.length === 0) return bytes;
  const known = codingsOf(contentEncoding);
  if (known === undefined) throw new Error(`unknown content coding ${contentEncoding}`);
  return known.reduce((content, { decode }) => decode(content, { maxOutputLength: maxBytes }), bytes);
}

/** The content of a body while it arrives. The body itself if its coding is `identity` or unknown. */
export function decodedStream(body: Readable, contentEncoding: string): Readable {
  return (codingsOf(contentEncoding) ?? []).reduce<Readable>(decodedBy, body);
}

function decodedBy(encoded: Readable, { createDecoder }: Coding): Readable {
  const decoder = createDecoder();
  encoded.once('error', (error) => decoder.destroy(error));
  decoder.once('close', () => encoded.destroy());
  return encoded.pipe(decoder);
}
