/** Finds secrets in base64 and hex of texts in which they are encoded once more. */
import { decodedForms, mappedForms } from './secret-encodings.ts';
import { findInForms, replaceMatches } from './secret-matches.ts';

/** Base64 or hex within base64 or hex. */
const MAX_NESTING = 3;

/**
 * Base64 or hex, also with separators between the bytes. Shorter words hold no secret that is encoded twice. Counted repetitions
 * without a maximum, such as {20,}, would exceed the stack in words of megabytes.
 */
const packedWord = /(?:[0-9a-fA-F]{2}[ :-]){9}(?:[0-9a-fA-F]{2}[ :-])*[0-9a-fA-F]{2}|[\w+/-]{20}[\w+/-]*/g;

/** Base64 of five times three ASCII characters: the highest bit of each is zero. */
const readableBase64 = /(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]){5}/;
const longHex = /[0-9a-fA-F]{20}|(?:[0-9a-fA-F]{2}[ :-]){9}/;

/** Whether the text has base64 or hex of a text. Most texts have none. */
const mayBePacked = (text: string): boolean => readableBase64.test(text) || longHex.test(text);

/** What the word may stand for. Base64 may begin at any of the first four characters, such as after `v1-`. */
function unpackedTexts(word: string): string[] {
  if (!mayBePacked(word)) return [];
  const digits = word.replace(/^0x|[ :-]/g, '');
  const hex = /^[0-9a-fA-F]+$/.test(digits) ? [Buffer.from(digits, 'hex')] : [];
  const base64 = [0, 1, 2, 3].map((offset) => Buffer.from(word.slice(offset), 'base64'));
  // Without the zeros of UTF-16.
  return [...hex, ...base64].map((bytes) => bytes.toString().replaceAll('\0', '')).filter(isReadable);
}

const isReadable = (text: string): boolean => /[\x20-\x7e]{15}/.test(text);

/** The placeholder of the first secret in a text that is not encoded. */
type FindSecret = (text: string) => string | undefined;

/** Replaces each word of base64 or hex that hides a secret. `forms`: the decoded forms of the text. */
export function withoutPackedSecrets(text: string, forms: readonly string[], findSecret: FindSecret): string {
  const isPacked = [text, ...forms].some((form) => findPacked(form, findSecret, MAX_NESTING) !== undefined);
  if (!isPacked) return text;
  const matches = findInForms(mappedForms(text), packedWord, (_, __, word) => {
    const placeholder = findWithin(word, findSecret, MAX_NESTING);
    return placeholder === undefined ? undefined : { length: word.length, placeholder };
  });
  return replaceMatches(text, matches);
}

/** `nesting`: how many times it may be packed, at least 1. */
function findPacked(text: string, findSecret: FindSecret, nesting: number): string | undefined {
  if (!mayBePacked(text)) return undefined;
  return firstDefined(text.match(packedWord) ?? [], (word) => findWithin(word, findSecret, nesting));
}

function findWithin(word: string, findSecret: FindSecret, nesting: number): string | undefined {
  const forms = unpackedTexts(word).flatMap((text) => [text, ...decodedForms(text)]);
  return firstDefined(
    forms,
    (form) => findSecret(form) ?? (nesting === 1 ? undefined : findPacked(form, findSecret, nesting - 1)),
  );
}

function firstDefined<T>(values: readonly T[], find: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
