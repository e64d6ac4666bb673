/** Decompresses gzip and zlib data within limits, so that a small text cannot take much time or memory. */
import { constants, gunzipSync, inflateSync } from 'node:zlib';

/** Of all data of one text together. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_ATTEMPTS = 100;
/** A header and a little data. */
const MIN_LENGTH = 12;

/** Undefined for other data. */
export type Decompressor = (bytes: Buffer) => Buffer | 'too large' | undefined;

/** For one text. Truncated data is decompressed as far as it goes. */
export function createDecompressor(): Decompressor {
  let [bytesLeft, attemptsLeft] = [MAX_BYTES, MAX_ATTEMPTS];
  return (bytes) => {
    const decompress = decompressorOf(bytes);
    if (decompress === undefined) return undefined;
    attemptsLeft -= 1;
    if (bytesLeft <= 0 || attemptsLeft < 0) return 'too large';
    try {
      const content = decompress(bytes, { maxOutputLength: bytesLeft, finishFlush: constants.Z_SYNC_FLUSH });
      bytesLeft -= content.length;
      return content;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : undefined;
    }
  };
}

/** By the first bytes (RFC 1952 section 2.3.1, RFC 1950 section 2.2). */
function decompressorOf(bytes: Buffer): typeof gunzipSync | typeof inflateSync | undefined {
  if (bytes.length < MIN_LENGTH) return undefined;
  const [first = 0, second = 0, third] = bytes;
  if (first === 0x1f && second === 0x8b && third === 8) return gunzipSync;
  return first === 0x78 && (first * 256 + second) % 31 === 0 ? inflateSync : undefined;
}
