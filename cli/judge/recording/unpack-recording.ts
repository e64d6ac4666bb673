/** Opens a file that contains a recording: plain, compressed, or a zip with the bodies beside it. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { describeFileError } from '../../../spec/describe-file-error.ts';
import { decodeUtf8, readBytes, UnsuitableFile } from '../../../spec/files/read-text.ts';
import { InvalidInput } from '../../../spec/formats/invalid-input.ts';
import { quote } from '../../../spec/formats/read-format.ts';
import { createBlocks } from '../../../spec/network/blocks.ts';

const MEBIBYTE = 2 ** 20;
/** Of the file, and of what it contains if it is compressed. */
const MAX_RECORDING_BYTES = 256 * MEBIBYTE;
/** Of a body in a file of its own, and of a compressed one. */
export const MAX_BODY_BYTES = 32 * MEBIBYTE;
/** Of all bodies in files of their own together. */
const MAX_BODIES_BYTES = 256 * MEBIBYTE;
const MAX_ZIP_ENTRIES = 100_000;

/** A body in a file of its own, or why it is unknown. */
export type BodyFile = Buffer | { readonly unknown: string };

export interface UnpackedRecording {
  /** Without byte order mark. */
  readonly text: string;
  /** `name` is relative to the recording. */
  readonly readBody: (name: string) => Promise<BodyFile>;
}

/** Throws InvalidInput. */
export async function unpackRecording(file: string): Promise<UnpackedRecording> {
  const bytes = wrapError(file, () => readBytes(file, MAX_RECORDING_BYTES, { mayBePipe: true }));
  if (bytes.length === 0) throw new InvalidInput(`${quote(file)} is empty: expected a recording.`);
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return unpackZip(file, bytes);
  const text = wrapError(file, () => decodeUtf8(decompress(bytes)));
  return { text, readBody: limitBodies((name, maxBytes) => Promise.resolve(readBeside(file, name, maxBytes))) };
}

function wrapError<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new InvalidInput(`${quote(file)} ${describeFileError(error)}.`);
  }
}

/** By the first bytes (RFC 1952 section 2.3.1, RFC 1950 section 2.2). */
function decompress(bytes: Buffer): Buffer {
  const [first = 0, second = 0] = bytes;
  const isGzip = first === 0x1f && second === 0x8b;
  const isZlib = first === 0x78 && (first * 256 + second) % 31 === 0;
  if (!isGzip && !isZlib) return bytes;
  try {
    return (isGzip ? gunzipSync : inflateSync)(bytes, { maxOutputLength: MAX_RECORDING_BYTES });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new UnsuitableFile(`contains more than ${MAX_RECORDING_BYTES / MEBIBYTE} MiB`);
    throw new UnsuitableFile(`is damaged: ${message}`);
  }
}

/** Undefined if there is no such file. Throws UnsuitableFile. */
type ReadFile = (name: string, maxBytes: number) => Promise<Buffer | undefined>;

function limitBodies(read: ReadFile): UnpackedRecording['readBody'] {
  let bytesLeft = MAX_BODIES_BYTES;
  return async (name) => {
    try {
      const bytes = await read(name, Math.min(bytesLeft, MAX_BODY_BYTES));
      if (bytes === undefined) return { unknown: `the file ${quote(name)} is missing` };
      bytesLeft -= bytes.length;
      return bytes;
    } catch (error) {
      return { unknown: `the file ${quote(name)} ${describeFileError(error)}` };
    }
  };
}

function readBeside(file: string, name: string, maxBytes: number): Buffer | undefined {
  const folder = realpathSync(path.dirname(file));
  const wanted = path.resolve(folder, name);
  requireInside(path.relative(folder, wanted));
  // A link may lead anywhere.
  const real = realpathSync(wanted);
  requireInside(path.relative(folder, real));
  return readBytes(real, maxBytes);
}

function requireInside(relative: string): void {
  if (/^\.\.(?:[/\\]|$)/.test(relative) || path.isAbsolute(relative))
    throw new UnsuitableFile('is outside the folder of the recording');
}

async function unpackZip(file: string, bytes: Buffer): Promise<UnpackedRecording> {
  try {
    const zip = await fromBufferPromise(bytes);
    const entries = await entriesOf(zip);
    const recordings = [...entries.keys()].filter((name) => name.endsWith('.har'));
    const [name] = recordings;
    if (name === undefined || recordings.length > 1) throw new UnsuitableFile(describeChoice(recordings));
    const text = decodeUtf8((await readEntry(zip, entries.get(name), MAX_RECORDING_BYTES)) ?? Buffer.alloc(0));
    const folder = path.posix.dirname(name);
    const readBody: ReadFile = (body, maxBytes) => {
      const wanted = path.posix.join(folder, body);
      requireInside(wanted);
      return readEntry(zip, entries.get(wanted), maxBytes);
    };
    return { text, readBody: limitBodies(readBody) };
  } catch (error) {
    if (error instanceof UnsuitableFile) throw new InvalidInput(`${quote(file)} ${error.message}.`);
    throw new InvalidInput(`${quote(file)} is a damaged zip file: ${(error as Error).message}.`);
  }
}

const describeChoice = (recordings: readonly string[]): string =>
  recordings.length === 0
    ? 'is a zip file without a *.har file: expected one'
    : `is a zip file with ${recordings.length} *.har files: expected one, found ${recordings.slice(0, 5).map(quote).join(', ')}`;

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > MAX_ZIP_ENTRIES)
    throw new UnsuitableFile(`has ${zip.entryCount} files: expected at most ${MAX_ZIP_ENTRIES}`);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

/** The stream fails if there are more bytes than the zip says. */
async function readEntry(zip: ZipFile, entry: Entry | undefined, maxBytes: number): Promise<Buffer | undefined> {
  if (entry === undefined) return undefined;
  if (entry.uncompressedSize > maxBytes) throw new UnsuitableFile(`contains more than ${maxBytes / MEBIBYTE} MiB`);
  const blocks = createBlocks();
  for await (const chunk of await zip.openReadStreamPromise(entry)) blocks.append(chunk as Buffer);
  return blocks.concat();
}
