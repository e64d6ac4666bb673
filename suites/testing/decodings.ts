/** For tests: everything that a text may mean, if its parts are decoded. */
import { constants, unzipSync } from 'node:zlib';

/** Encodings may be nested. */
const MAX_NESTING = 3;

const named: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(
    'amp& lt< gt> quot" apos\' plus+ sol/ equals= period. lowbar_ colon:'.matchAll(/([a-z]+)(\S)/g),
    ([, ...pair]) => pair,
  ),
);

const fromHex = (hex: string): string => String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10_ff_ff));

const escapes: readonly (readonly [pattern: string, decode: (found: string) => string])[] = [
  ['(?:%[0-9a-f]{2})+', (found) => Buffer.from(found.replaceAll('%', ''), 'hex').toString()],
  [
    String.raw`\\U[0-9a-f]{8}|\\u\{[0-9a-f]{1,6}\}|(?:\\|%)u[0-9a-f]{4}`,
    (found) => fromHex(found.replace(/^.u\{?/i, '')),
  ],
  [String.raw`\\[0-3][0-7]{2}`, (found) => String.fromCodePoint(parseInt(found.slice(1), 8))],
  [String.raw`\\[nr]`, (found) => (found.endsWith('n') ? '\n' : '\r')],
  [String.raw`\\[^a-z0-9]`, (found) => found.slice(1)],
  ['&#x[0-9a-f]{1,6};?', (found) => fromHex(found.slice(3))],
  ['&#[0-9]{1,7};?', (found) => String.fromCodePoint(Math.min(parseInt(found.slice(2), 10), 0x10_ff_ff))],
  ['&[a-z]{2,6};', (found) => named[found.slice(1, -1)] ?? found],
];
const anyEscape = new RegExp(escapes.map(([pattern]) => `(${pattern})`).join('|'), 'gi');

/** Decodes every escape once. */
const unescape = (text: string): string =>
  text.replace(anyEscape, (found: string, ...groups: (string | undefined)[]) =>
    escapes[groups.findIndex((group) => group !== undefined)]![1](found),
  );

const readable = (text: string): boolean => !/[^\s\x20-\x7e\u00a0-\ufffc]{3}/.test(text);

/** The texts in quoted-printable and in lists of bytes. */
function unusual(text: string): string {
  const quoted = text
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9a-f]{2})+/gi, (found) => Buffer.from(found.replaceAll('=', ''), 'hex').toString());
  const lists = text.match(/(?:-?(?:0x[0-9a-f]{2}|\d{1,3})(?:\s|,|\\n)*(?:"\d+":)?){5,}/g) ?? [];
  const bytes = lists.map((list) =>
    list
      .replace(/"\d+":/g, '')
      .split(/[\s,]+/)
      .map(Number),
  );
  return [quoted, ...bytes.map((list) => Buffer.from(list).toString())].join('\n');
}

function unzipped(bytes: Buffer): string {
  try {
    return unzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 2 ** 20 }).toString();
  } catch {
    return '';
  }
}

/** The texts in base64 and hex, which may begin at any character of a longer word. */
function unpack(text: string): string {
  const joined = text.replace(/(?<=[\w+/]{40})(?:\\r|\\n|\r|\n)+(?=[\w+/])|(?<=\b[0-9a-f]{2}):(?=[0-9a-f]{2}\b)/gi, '');
  const words = new Set(joined.match(/[\w+/-]{12,}/g) ?? []);
  const found: Buffer[] = [];
  for (const word of words) {
    if (/^[0-9a-f]{16,}$/i.test(word)) found.push(Buffer.from(word, 'hex'));
    for (const offset of [0, 1, 2, 3]) found.push(Buffer.from(word.slice(offset), 'base64'));
  }
  const compressed = found.filter((bytes) => bytes[0] === 0x1f || bytes[0] === 0x78).map(unzipped);
  return [...found.map(String), ...compressed].filter(readable).join('\n');
}

/** The text itself, and its decoded forms without repetitions. */
export function decodingsOf(text: string): string[] {
  const forms = new Set([text, text.replaceAll('+', ' ')]);
  let latest = [...forms];
  for (let depth = 0; depth < MAX_NESTING; depth += 1) {
    const next = latest
      .flatMap((form) => [unescape(form), unpack(form), unusual(form)])
      .filter((form) => !forms.has(form));
    for (const form of next) forms.add(form);
    latest = next;
  }
  return [...forms];
}
