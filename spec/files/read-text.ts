/** Reads a text file within limits: a regular file, of limited size, in UTF-8. */
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { createBlocks } from '../network/blocks.ts';

/** The file exists, but is not read. The message completes a sentence that begins with the file. */
export class UnsuitableFile extends Error {}

const MEBIBYTE = 1024 * 1024;

/** A pipe that the shell or the caller opened for this process: standard input, or a process substitution such as `<(…)`. */
export const isOpenedPipe = (file: string): boolean =>
  /^\/dev\/(?:stdin|fd\/\d+)$|^\/proc\/(?:self|\d+)\/fd\/\d+$/.test(file);

export interface ReadOptions {
  /** Whether an opened pipe may be read. It is read until it ends. */
  readonly mayBePipe?: boolean;
}

/**
 * `maxBytes` is inclusive. Throws UnsuitableFile, or the error of node:fs. Type and size are checked before anything is
 * read, because opening a named pipe or reading a device can block forever.
 */
export function readTextFile(file: string, maxBytes: number, options?: ReadOptions): string {
  return decodeUtf8(readBytes(file, maxBytes, options));
}

/** The same without decoding. */
export function readBytes(file: string, maxBytes: number, { mayBePipe = false }: ReadOptions = {}): Buffer {
  const isPipe = mayBePipe && isOpenedPipe(file);
  requireReadable(statSync(file), maxBytes, isPipe);
  // O_NONBLOCK, because a named pipe may have taken the place of the file since. Windows does not have the flag.
  const flags = isPipe ? constants.O_RDONLY : constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);
  const descriptor = openSync(file, flags);
  try {
    requireReadable(fstatSync(descriptor), maxBytes, isPipe);
    return readUpTo(descriptor, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

/** `maxBytes` is inclusive. Throws UnsuitableFile. */
export async function readTextStream(stream: AsyncIterable<Uint8Array | string>, maxBytes: number): Promise<string> {
  const blocks = createBlocks();
  let length = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array);
    length += bytes.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    blocks.append(bytes);
  }
  return decodeUtf8(blocks.concat());
}

/** Without its byte order mark. Throws UnsuitableFile for any other encoding. */
export function decodeUtf8(bytes: Uint8Array): string {
  const encoding = otherEncoding(bytes);
  if (encoding !== undefined) throw new UnsuitableFile(`is encoded in ${encoding}; expected UTF-8`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnsuitableFile('is not UTF-8');
  }
}

/** Recognizes byte order marks, and the zero bytes of ASCII characters. */
function otherEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff))
    return 'UTF-32';
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'UTF-16';
  const isPairWithZero = (a === 0 && b !== 0) || (a !== 0 && b === 0);
  return isPairWithZero && bytes.length % 2 === 0 ? 'UTF-16' : undefined;
}

function requireReadable(stats: Stats, maxBytes: number, mayBePipe: boolean): void {
  if (stats.isFIFO() && mayBePipe) return;
  const kind = otherKind(stats);
  if (kind !== undefined) throw new UnsuitableFile(`is ${kind}; expected a file`);
  if (stats.size > maxBytes) throw tooLarge(maxBytes);
}

function otherKind(stats: Stats): string | undefined {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isFile() ? undefined : 'a device';
}

const tooLarge = (maxBytes: number): UnsuitableFile =>
  new UnsuitableFile(
    maxBytes < MEBIBYTE ? `is larger than ${maxBytes / 1024} KiB` : `is larger than ${maxBytes / MEBIBYTE} MiB`,
  );

/** The size is not known before for a file of /proc, or one that grows. */
function readUpTo(descriptor: number, maxBytes: number): Buffer {
  const blocks = createBlocks();
  const chunk = Buffer.allocUnsafe(Math.min(MEBIBYTE, maxBytes + 1));
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, chunk);
    if (count === 0) return blocks.concat();
    length += count;
    if (length > maxBytes) throw tooLarge(maxBytes);
    blocks.append(chunk.subarray(0, count));
  }
}
