/**
 * How a secret may be written: as it is, in base64 and hex, and with the escapes of JSON strings (RFC 8259 section 7), URLs,
 * forms and HTML. What is encoded twice, except JSON within JSON, or compressed is not recognized.
 */
import { escapeRegExp } from '../../spec/escape-regexp.ts';

/** Characters. Shorter parts of base64 could occur by chance. */
const MIN_CORE_LENGTH = 7;

/** `a + b` in a form is `a+%2B+b`. */
const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

const jsonEncoded = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Texts that contain the whole secret without escapes. Those in hex are in lower case. */
export function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // OAuth clients encode both parts of `id:secret` before they join them (RFC 6749 section 2.3.1).
  const texts = [secret, jsonEncoded(secret), formEncoded(secret), encodeURIComponent(secret.toWellFormed())];
  const cores = texts.flatMap((text) => base64Cores(Buffer.from(text)));
  const encoded = [...cores, bytes.toString('hex')].filter(({ length }) => length >= MIN_CORE_LENGTH);
  // A backslash in JSON cannot be told from one that begins an escape.
  const inJson = secret.includes('\\') ? [jsonEncoded(secret), jsonEncoded(jsonEncoded(secret))] : [];
  return [...new Set([secret, ...inJson, ...encoded])];
}

/**
 * The part of base64 and base64url that depends only on the secret, wherever it begins within a longer text, such as `id:secret`
 * or a cursor.
 */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters may contain bits of neighbours.
    const from = offset === 0 ? 0 : offset + 1;
    const isWhole = (offset + bytes.length) % 3 === 0;
    const core = encoded.slice(from, isWhole ? undefined : -1);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const htmlNames: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);
/** By the character after the backslash. */
const jsonEscapes: ReadonlyMap<string, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
);

const fromCodePoint = (code: number): string => (code <= 0x10_ff_ff ? String.fromCodePoint(code) : '');

/** Each decodes the escapes of one kind once. JSON within JSON has several backslashes. */
const decoders: readonly ((text: string) => string)[] = [
  (text) => text.replace(/%([\da-f]{2})/gi, (_, byte: string) => String.fromCharCode(parseInt(byte, 16))),
  (text) =>
    text.replace(/\\+(?:u([\da-f]{4})|(["/bfnrt])?)/gi, (_, unit: string | undefined, character = '\\') =>
      unit === undefined ? (jsonEscapes.get(character) ?? character) : String.fromCharCode(parseInt(unit, 16)),
    ),
  (text) =>
    text.replace(
      /&(?:#x([\da-f]{1,8})|#(\d{1,8})|([a-z]{2,4}));/gi,
      (reference, hex?: string, decimal?: string, name = '') => {
        if (hex !== undefined) return fromCodePoint(parseInt(hex, 16));
        return decimal === undefined ? (htmlNames.get(name) ?? reference) : fromCodePoint(Number(decimal));
      },
    ),
];

/** The texts that differ from this one if the escapes of one kind are decoded. Bytes of percent-encoding become characters. */
export function decodings(text: string): string[] {
  if (!/[%\\&]/.test(text)) return [];
  return decoders.map((decode) => decode(text)).filter((decoded) => decoded !== text);
}

/** What `decodings` makes of a secret that is percent-encoded. */
export const asBytes = (secret: string): string => Buffer.from(secret).toString('latin1');

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
const isHex = (spelling: string): boolean => /^(?:[\da-f]{2}){5,}$/.test(spelling);

/** Form encoding writes a space as +. */
const plainCharacter = (character: string): string => (character === ' ' ? '[ +]' : escapeRegExp(character));

/** A character as it is or in any escape. */
function escapedCharacter(character: string, plain: string): string {
  const hexOf = (code: number, digits: number): string => anyCase(code.toString(16).padStart(digits, '0'));
  const code = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, at) => hexOf(character.charCodeAt(at), 4));
  const alternatives = [
    plain,
    [...Buffer.from(character)].map((byte) => `%${hexOf(byte, 2)}`).join(''),
    units.map((unit) => `\\\\+u${unit}`).join(''),
    ...namesOf(jsonEscapes, character).map((name) => `\\\\+${escapeRegExp(name)}`),
    `&#(?:[xX]0*${hexOf(code, 1)}|0*${code});`,
    ...namesOf(htmlNames, character).map((name) => `&${name};`),
  ];
  return `(?:${alternatives.join('|')})`;
}

const namesOf = (characters: ReadonlyMap<string, string>, character: string): string[] =>
  [...characters].filter(([, each]) => each === character).map(([name]) => name);

/**
 * The source of a regular expression for at least `min` characters of the beginning of a spelling, as many as there are: in
 * any escapes, or only as they are. Hex may be in any letter case.
 */
export function patternOf(spelling: string, hasEscapes: boolean, min = spelling.length): string {
  const plain = isHex(spelling) ? anyCase : plainCharacter;
  const characters = [...spelling].map((each) => (hasEscapes ? escapedCharacter(each, plain(each)) : plain(each)));
  const rest = characters.slice(min).reduceRight((longer, each) => `(?:${each}${longer})?`, '');
  return characters.slice(0, min).join('') + rest;
}
