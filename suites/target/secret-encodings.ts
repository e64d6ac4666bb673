/** The encodings in which a secret may occur in a text: percent, form, JSON and HTML escapes of any characters, base64 and hex. */
import { isUtf8 } from 'node:buffer';

/** Shorter parts of base64 could occur by chance. */
const MIN_CORE_LENGTH = 10;

/** Texts that a literal search finds: the secret itself, and encodings of the whole secret. */
export function literalEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // OAuth clients encode both parts before they join them (RFC 6749 section 2.3.1).
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const texts = new Set([secret, JSON.stringify(secret).slice(1, -1), form, encodeURIComponent(secret.toWellFormed())]);
  const cores = [...texts].flatMap((text) => base64Cores(Buffer.from(text)));
  return [secret, ...cores, bytes.toString('hex'), bytes.toString('hex').toUpperCase()].filter(
    (each, index) => index === 0 || each.length >= MIN_CORE_LENGTH,
  );
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

/** References of HTML to characters of ASCII, in lower case, because `&AMP;` is valid, too. */
const punctuation =
  'amp & lt < gt > quot " apos \' excl ! num # dollar $ percnt % lpar ( rpar ) ast * plus + comma , period . sol / colon : ' +
  'semi ; equals = quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] hat ^ lowbar _ grave ` lcub { lbrace { verbar | ' +
  'vert | rcub } rbrace }';
const named: ReadonlyMap<string, string> = new Map([
  ...Array.from(punctuation.matchAll(/(\S+) (\S+)/g), ([, name = '', character = '']): [string, string] => [
    name,
    character,
  ]),
  ['nbsp', '\u00a0'],
  ['tab', '\t'],
  ['newline', '\n'],
]);

const lineBreaks: Readonly<Record<string, string>> = { n: '\n', r: '\r' };

/** Percent-encoding, escapes of JSON, JavaScript and YAML, references of HTML, and line breaks within base64. */
const escape = new RegExp(
  [
    '((?:%[0-9a-fA-F]{2})+)',
    String.raw`(?:\\U00|\\u\{0*)([0-9a-fA-F]{1,6})\}?`,
    String.raw`(?:\\[uU]|%u)([0-9a-fA-F]{4})`,
    String.raw`\\x([0-9a-fA-F]{2})`,
    '&#[xX]([0-9a-fA-F]{1,6});?',
    '&#([0-9]{1,7});?',
    '&([a-zA-Z]{2,7});',
    String.raw`\\([0-3][0-7]{2})`,
    String.raw`\\([^a-zA-Z0-9]|[nr])`,
    String.raw`(\r?\n(?<=[\w+/]{40}\r?\n)(?=[\w+/]))`,
  ].join('|'),
  'g',
);

const fromCode = (code: number): string => (code <= 0x10_ff_ff ? String.fromCodePoint(code) : '');

function decoded(match: readonly (string | undefined)[]): string {
  const [whole = '', percent, long, unicode, byte, hex, decimal, name, octal, character, lineBreak] = match;
  if (percent !== undefined) return Buffer.from(percent.replaceAll('%', ''), 'hex').toString();
  const code = long ?? unicode ?? byte ?? hex;
  if (code !== undefined) return fromCode(parseInt(code, 16));
  if (decimal !== undefined) return fromCode(Number(decimal));
  if (octal !== undefined) return fromCode(parseInt(octal, 8));
  if (lineBreak !== undefined) return '';
  if (character !== undefined) return lineBreaks[character] ?? character;
  return named.get(name?.toLowerCase() ?? '') ?? whole;
}

/** Decodes every escape once. */
const decodeOnce = (text: string): string => text.replace(escape, (...match: string[]) => decoded(match));

/** Escapes may be nested, such as JSON within a query. */
const MAX_NESTING = 4;

const hasEscapes = (text: string): boolean => /[%\\&]|\n(?<=[\w+/]{40}\r?\n)/.test(text);

/** Form encoding writes a space as +, which is as long. */
const withSpaces = (text: string): string => text.replaceAll('+', ' ');

/** The decoded forms of a text, without the text itself. Empty if it contains no escapes. */
export function decodedForms(text: string): string[] {
  const forms = new Set([text]);
  let latest = [text];
  for (let depth = 0; depth <= MAX_NESTING && latest.length > 0; depth += 1) {
    latest = latest.flatMap((form) => [
      ...(hasEscapes(form) ? [decodeOnce(form)] : []),
      ...(form.includes('+') ? [withSpaces(form)] : []),
    ]);
    latest = [...new Set(latest)].filter((form) => !forms.has(form));
    for (const form of latest) forms.add(form);
  }
  forms.delete(text);
  return [...forms];
}

/** A decoded form of a text. */
export interface MappedForm {
  readonly text: string;
  /** The first character of the original that the character at this index stands for; at the end, the length of the original. */
  readonly starts: Uint32Array;
}

/** Like `decodedForms`, with the positions of what was decoded. Slower. */
export function mappedForms(text: string): MappedForm[] {
  const forms = new Map<string, MappedForm>([
    [text, { text, starts: Uint32Array.from({ length: text.length + 1 }, (_, at) => at) }],
  ]);
  let latest: MappedForm[] = [...forms.values()];
  for (let depth = 0; depth <= MAX_NESTING && latest.length > 0; depth += 1) {
    latest = latest.flatMap((form) => [
      ...(hasEscapes(form.text) ? [decodeMapped(form)] : []),
      ...(form.text.includes('+') ? [{ ...form, text: withSpaces(form.text) }] : []),
    ]);
    latest = latest.filter((form) => !forms.has(form.text));
    for (const form of latest) forms.set(form.text, form);
  }
  return [...forms.values()];
}

interface DecodedCharacter {
  readonly character: string;
  /** Of its escape. */
  readonly sourceLength: number;
}

/** An escape is one character, except that several percent-encoded bytes are found together. */
function decodedCharacters(match: RegExpExecArray): DecodedCharacter[] {
  const [whole, percent] = match;
  if (percent === undefined) return [{ character: decoded(match), sourceLength: whole.length }];
  const bytes = Buffer.from(percent.replaceAll('%', ''), 'hex');
  const characters: DecodedCharacter[] = [];
  for (let at = 0; at < bytes.length;) {
    const sequence = bytes.subarray(at, at + sequenceLength(bytes[at] ?? 0));
    const size = isUtf8(sequence) ? sequence.length : 1;
    characters.push({ character: bytes.toString('utf8', at, at + size), sourceLength: size * '%00'.length });
    at += size;
  }
  return characters;
}

/** Of a UTF-8 sequence, by its first byte (RFC 3629 section 3). */
const sequenceLength = (byte: number): number => (byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);

function decodeMapped({ text, starts }: MappedForm): MappedForm {
  const parts: string[] = [];
  const own = new Uint32Array(text.length + 1);
  let [length, end] = [0, 0];
  const keepUntil = (index: number): void => {
    parts.push(text.slice(end, index));
    own.set(starts.subarray(end, index), length);
    length += index - end;
  };
  for (const match of text.matchAll(escape)) {
    keepUntil(match.index);
    end = match.index + match[0].length;
    let from = match.index;
    for (const { character, sourceLength } of decodedCharacters(match)) {
      own.fill(starts[from] ?? 0, length, (length += character.length));
      from += sourceLength;
      parts.push(character);
    }
  }
  keepUntil(text.length);
  own[length] = starts[text.length] ?? 0;
  return { text: parts.join(''), starts: own.subarray(0, length + 1) };
}
