/** Finds secrets in base64 and hex of texts in which they are encoded once more, or compressed. */
import { createDecompressor } from './decompress.ts';
import type { Decompressor } from './decompress.ts';
import { decodedForms, mappedForms } from './decoded-forms.ts';
import { findInForms, replaceMatches } from './secret-matches.ts';

/** Base64 or hex within base64 or hex. */
const MAX_NESTING = 3;

/**
 * Base64 or hex, also with separators between the bytes. Shorter words hold no secret that is encoded twice. Counted repetitions
 * without a maximum, such as {20,}, would exceed the stack in words of megabytes.
 */
const packedWord = /(?:[0-9a-fA-F]{2}[ :+-]){5}(?:[0-9a-fA-F]{2}[ :+-])*[0-9a-fA-F]{2}|[\w+/-]{20}[\w+/-]*/g;

/** Base64 of five times three ASCII characters: the highest bit of each is zero. */
const readableBase64 = /(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]){5}/;
const longHex = /[0-9a-fA-F]{20}|(?:[0-9a-fA-F]{2}[ :+-]){5}/;
/** Base64 or hex of the first bytes of gzip, and of zlib with its usual settings. */
const compressedStart =
  /H4sI|eA[E-H]|eF[4-7]|eJ[w-z]|eN[o-r]|1[fF][ :+-]?8[bB][ :+-]?08|78[ :+-]?(?:01|5[eE]|9[cC]|[dD][aA])/;

/** Whether the text has base64 or hex of a text, or of compressed data. Most texts have none. */
const mayBePacked = (text: string): boolean =>
  readableBase64.test(text) || longHex.test(text) || compressedStart.test(text);

/**
 * What the word may stand for, one after the other in the same memory, because a word may have megabytes. Base64 may begin at
 * any of the first four characters, such as after `v1-`.
 */
function* unpackedBytes(word: string): Generator<Buffer> {
  const memory = Buffer.allocUnsafe(word.length);
  const digits = word.replace(/^0x|[ :+-]/g, '');
  if (/^[0-9a-fA-F]+$/.test(digits)) yield memory.subarray(0, memory.write(digits, 'hex'));
  for (const offset of [0, 1, 2, 3]) yield memory.subarray(0, memory.write(word.slice(offset), 'base64'));
}

const MIN_READABLE = 15;
/** Bytes. Fewer are always searched: they may be a secret that is short, or has few ASCII characters in a row. */
const MAX_SMALL = 1024;

/** Whether the bytes have a few ASCII characters in a row. Most have none, and their text would take twice as much memory. */
function isReadable(bytes: Buffer): boolean {
  let count = 0;
  for (let at = 0; at < bytes.length && count < MIN_READABLE; at += 1) {
    const byte = bytes[at]!;
    if (byte >= 0x20 && byte <= 0x7e) count += 1;
    else if (byte !== 0) count = 0; // UTF-16 has zeros between the characters
  }
  return count === MIN_READABLE;
}

interface Search {
  /** The placeholder of the first secret in a text that is not encoded. */
  readonly findSecret: (text: string) => string | undefined;
  /** Replaces what cannot be searched. */
  readonly redacted: string;
  readonly decompress: Decompressor;
}

/**
 * Replaces each word of base64 or hex that hides a secret, or that is compressed and too large to be searched. `forms`: the
 * decoded forms of the text.
 */
export function withoutPackedSecrets(
  text: string,
  forms: readonly string[],
  settings: Omit<Search, 'decompress'>,
): string {
  const newSearch = (): Search => ({ ...settings, decompress: createDecompressor() });
  const search = newSearch();
  const isPacked = [text, ...forms].some((form) => findPacked(form, search, MAX_NESTING) !== undefined);
  if (!isPacked) return text;
  const again = newSearch();
  const matches = findInForms(mappedForms(text), packedWord, (_, __, word) => {
    const placeholder = findWithin(word, again, MAX_NESTING);
    return placeholder === undefined ? undefined : { length: word.length, placeholder };
  });
  return replaceMatches(text, matches);
}

/** `nesting`: how many times it may be packed, at least 1. */
function findPacked(text: string, search: Search, nesting: number): string | undefined {
  if (!mayBePacked(text)) return undefined;
  return firstDefined(text.match(packedWord) ?? [], (word) => findWithin(word, search, nesting));
}

function findWithin(word: string, search: Search, nesting: number): string | undefined {
  if (!mayBePacked(word)) return undefined;
  return firstDefined(unpackedBytes(word), (bytes) => {
    const found = findInBytes(bytes, search, nesting);
    if (found !== undefined) return found;
    const content = search.decompress(bytes);
    if (content === 'too large') return search.redacted;
    return content === undefined ? undefined : findInBytes(content, search, nesting);
  });
}

function findInBytes(bytes: Buffer, search: Search, nesting: number): string | undefined {
  if (bytes.length > MAX_SMALL && !isReadable(bytes)) return undefined;
  const text = bytes.toString().replaceAll('\0', '');
  return firstDefined(
    [text, ...decodedForms(text)],
    (form) => search.findSecret(form) ?? (nesting === 1 ? undefined : findPacked(form, search, nesting - 1)),
  );
}

function firstDefined<T>(values: Iterable<T>, find: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
