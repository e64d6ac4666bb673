/** Decodes the escapes of a text in one pass: of URLs, JSON, JavaScript, YAML, shells, HTML and mail, and lists of bytes. */

/** What was decoded, with the positions of its characters in the original if they are wanted. No escape is shorter than what it means. */
class Output {
  readonly #codes: Uint16Array;
  /** The start of the escape or character that the character at this index stands for; at the end, the length of the original. */
  readonly sources: Uint32Array | undefined;
  #length = 0;
  #bits = 0;

  constructor(maxLength: number, hasSources: boolean) {
    this.#codes = new Uint16Array(maxLength);
    this.sources = hasSources ? new Uint32Array(maxLength + 1) : undefined;
  }

  /** `code`: of UTF-16. */
  push(code: number, source: number): void {
    if (this.sources !== undefined) this.sources[this.#length] = source;
    this.#codes[this.#length] = code;
    this.#bits |= code;
    this.#length += 1;
  }

  /** Nothing for a number that is no code point. */
  pushCodePoint(code: number, source: number): void {
    if (code <= 0xff_ff) return this.push(code, source);
    if (code > 0x10_ff_ff) return;
    this.push(0xd7_c0 + (code >> 10), source);
    this.push(0xdc_00 + (code & 0x3_ff), source);
  }

  end(source: number): void {
    if (this.sources !== undefined) this.sources[this.#length] = source;
  }

  toString(): string {
    const codes = this.#codes.subarray(0, this.#length);
    // One byte per character takes half the memory, and is faster to search.
    if (this.#bits <= 0xff) return Buffer.from(Uint8Array.from(codes).buffer).toString('latin1');
    return Buffer.from(codes.buffer, 0, codes.byteLength).toString('utf16le');
  }
}

/** Writes what an escape at this index means, and returns its end (exclusive): the same index if there is no escape. */
type Reader = (text: string, at: number, output: Output) => number;

/** Values of hexadecimal digits by character code; -1 for others. */
const digits = Int8Array.from({ length: 128 }, (_, code) => {
  const value = parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? -1 : value;
});

const digitAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 128 ? digits[code]! : -1; // NaN behind the end
};

/** -1 without `count` digits. */
function numberAt(text: string, from: number, count: number, base = 16): number {
  let value = 0;
  for (let at = from; at < from + count; at += 1) {
    const digit = digitAt(text, at);
    if (digit < 0 || digit >= base) return -1;
    value = value * base + digit;
  }
  return value;
}

function digitsAt(text: string, from: number, maxCount: number, base = 16): number {
  let count = 0;
  while (count < maxCount && digitAt(text, from + count) >= 0 && digitAt(text, from + count) < base) count += 1;
  return count;
}

/** Of a UTF-8 sequence, by its first byte (RFC 3629 section 3). */
const sequenceLength = (byte: number): number => (byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);
/** Code points below have shorter sequences. By length. */
const minCodePoints = [0, 0, 0x80, 0x8_00, 0x1_00_00] as const;
const REPLACEMENT = 0xff_fd;

/** The code point of a complete UTF-8 sequence, otherwise -1. */
function codePointOf(bytes: readonly number[]): number {
  const [first = 0, ...others] = bytes;
  if (others.length === 0) return first < 0x80 ? first : -1;
  if (bytes.length !== sequenceLength(first)) return -1;
  let code = first & (0x7f >> bytes.length);
  for (const byte of others) {
    if ((byte & 0xc0) !== 0x80) return -1;
    code = (code << 6) | (byte & 0x3f);
  }
  const isSurrogate = code >= 0xd8_00 && code <= 0xdf_ff;
  return code < minCodePoints[bytes.length]! || code > 0x10_ff_ff || isSurrogate ? -1 : code;
}

/**
 * Bytes in hexadecimal, each after a mark, such as %C3%A9. `skip`: the end of what means nothing at an index. An incomplete
 * sequence stays: the rest of it may have other escapes.
 */
const readBytes =
  (mark: '%' | '=', skip = (_: string, at: number): number => at): Reader =>
  (text, at, output) => {
    const first = numberAt(text, at + 1, 2);
    if (first < 0x80) {
      if (first >= 0) output.push(first, at);
      return first < 0 ? at : at + 3;
    }
    const bytes = [first];
    let end = at + 3;
    while (bytes.length < sequenceLength(first)) {
      const from = skip(text, end);
      const byte = text[from] === mark ? numberAt(text, from + 1, 2) : -1;
      if (byte < 0) break;
      bytes.push(byte);
      end = from + 3;
    }
    const code = codePointOf(bytes);
    if (code < 0) return at;
    output.pushCodePoint(code, at);
    return end;
  };

const readPercentBytes = readBytes('%');

const readPercent: Reader = (text, at, output) =>
  text[at + 1] === 'u' ? readCode(text, at, 2, 4, output) : readPercentBytes(text, at, output);

/** An escape of `count` hexadecimal digits after a prefix. */
function readCode(text: string, at: number, prefix: number, count: number, output: Output): number {
  const code = numberAt(text, at + prefix, count);
  if (code < 0) return at;
  output.pushCodePoint(code, at);
  return at + prefix + count;
}

const readBackslash: Reader = (text, at, output) => {
  switch (text[at + 1]) {
    case undefined:
      return at;
    case 'n':
    case 'r':
      output.push(text[at + 1] === 'n' ? 0x0a : 0x0d, at);
      return at + 2;
    case 'x':
      return readCode(text, at, 2, 2, output);
    case 'u':
      return text[at + 2] === '{' ? readBraces(text, at, output) : readCode(text, at, 2, 4, output);
    case 'U': {
      const end = readCode(text, at, 2, 8, output);
      return end === at ? readCode(text, at, 2, 4, output) : end;
    }
    default:
      return readBackslashCharacter(text, at, output);
  }
};

/** Of JavaScript, such as \u{1F600}. */
function readBraces(text: string, at: number, output: Output): number {
  let from = at + 3;
  while (text[from] === '0' && digitAt(text, from + 1) >= 0) from += 1;
  const count = digitsAt(text, from, 6);
  if (count === 0) return at;
  output.pushCodePoint(numberAt(text, from, count), at);
  return from + count + (text[from + count] === '}' ? 1 : 0);
}

/** An octal escape or an escaped character. */
function readBackslashCharacter(text: string, at: number, output: Output): number {
  const octal = numberAt(text, at + 1, 3, 8);
  if (octal >= 0 && octal <= 0xff) {
    output.push(octal, at);
    return at + 4;
  }
  if (/[a-zA-Z0-9]/.test(text[at + 1]!)) return at;
  output.push(text.charCodeAt(at + 1), at);
  return at + 2;
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
const MAX_NAME_LENGTH = 7;

const readReference: Reader = (text, at, output) => {
  if (text[at + 1] === '#') return readNumericReference(text, at, output);
  const end = text.slice(at, at + MAX_NAME_LENGTH + 2).indexOf(';');
  const character = end < 0 ? undefined : named.get(text.slice(at + 1, at + end).toLowerCase());
  if (character === undefined) return at;
  output.push(character.charCodeAt(0), at);
  return at + end + 1;
};

function readNumericReference(text: string, at: number, output: Output): number {
  const isHex = text[at + 2] === 'x' || text[at + 2] === 'X';
  const [from, base] = isHex ? [at + 3, 16] : [at + 2, 10];
  const count = digitsAt(text, from, isHex ? 6 : 7, base);
  if (count === 0) return at;
  output.pushCodePoint(numberAt(text, from, count, base), at);
  return from + count + (text[from + count] === ';' ? 1 : 0);
}

/** Characters of base64 in a line before one that continues it. */
const MIN_LINE_LENGTH = 40;

function isBase64(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 95
  );
}

/** A line break within base64, which means nothing. */
const readLineBreak: Reader = (text, at) => {
  const end = text[at] === '\r' ? at + 2 : at + 1;
  if (text[end - 1] !== '\n' || !isBase64(text.charCodeAt(end))) return at;
  for (let before = at - 1; before >= at - MIN_LINE_LENGTH; before -= 1)
    if (!isBase64(text.charCodeAt(before))) return at;
  return end;
};

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Behind the soft line breaks at an index, with spaces and tabs at the ends of the lines (RFC 2045 section 6.7, rules 3 and 5). */
function softBreaksEnd(text: string, at: number): number {
  let end = at;
  for (let next = matchEnd(softBreak, text, end); next >= 0; next = matchEnd(softBreak, text, end)) end = next;
  return end;
}

const softBreak = /=[ \t]{0,80}\r?\n/y;
const readQuotedBytes = readBytes('=', softBreaksEnd);

/** Quoted-printable (RFC 2045 section 6.7): bytes, and line breaks that mean nothing. */
const readQuoted: Reader = (text, at, output) => {
  const end = softBreaksEnd(text, at);
  return end > at ? end : readQuotedBytes(text, at, output);
};

/** Shorter lists of numbers are no secrets. */
export const MIN_BYTES = 5;
const byte = /0[xX][0-9a-fA-F]{1,2}(?!\w)|-?\d{1,3}(?![\w.])/y;
/** Also the keys of bytes that JSON.stringify wrote as an object. */
const separator = /(?:[,;]\s*|\s+(?:[,;]\s*)?)(?:"\d{1,7}"\s*:\s*)?/y;

/** Bytes as numbers, such as [104, 105], {"0":104,"1":105}, or 0x68 0x69. Of Java, some are negative. */
const readByteList: Reader = (text, at, output) => {
  if (/\d/.test(text[at - 1] ?? ' ')) return at; // Within a number.
  const [bytes, starts]: [number[], number[]] = [[], []];
  let end = at;
  for (let from = at; from >= 0; from = matchEnd(separator, text, end)) {
    const next = matchEnd(byte, text, from);
    const value = next < 0 ? NaN : Number(text.slice(from, next));
    if (!(value >= -128 && value <= 255)) break;
    bytes.push(value & 0xff);
    starts.push(from);
    end = next;
  }
  if (bytes.length < MIN_BYTES) return at;
  for (let index = 0; index < bytes.length;) {
    const sequence = bytes.slice(index, index + sequenceLength(bytes[index]!));
    const code = codePointOf(sequence);
    output.pushCodePoint(code < 0 ? REPLACEMENT : code, starts[index]!);
    index += code < 0 ? 1 : sequence.length;
  }
  return end;
};

const usual: Readonly<Record<string, Reader>> = {
  '%': readPercent,
  '\\': readBackslash,
  '&': readReference,
  '\r': readLineBreak,
  '\n': readLineBreak,
};
const unusual: Readonly<Record<string, Reader>> = {
  ...usual,
  '=': readQuoted,
  ...Object.fromEntries([...'-0123456789'].map((character) => [character, readByteList])),
};

/** By character code. */
const readersOf = (byCharacter: Readonly<Record<string, Reader>>): readonly (Reader | undefined)[] =>
  Array.from({ length: 128 }, (_, code) => byCharacter[String.fromCharCode(code)]);

/**
 * `usual`: percent-encoding, escapes of JSON, JavaScript, YAML and shells, references of HTML, and line breaks within base64.
 * `all`: also quoted-printable and lists of bytes, whose parts may mean themselves, such as a=41.
 */
export type EscapeKinds = 'usual' | 'all';

const readers = { usual: readersOf(usual), all: readersOf(unusual) };
const hasUsual = /[%\\&]|\n(?<=[\w+/]{40}\r?\n)/;
const hasUnusual =
  /=(?:[0-9a-fA-F]{2}|[ \t]{0,80}\r?\n)|(?:(?:0[xX])?[0-9a-fA-F]{1,3}[,;\s]\s*(?:"\d{1,7}"\s*:\s*)?-?){4}/;

export const mayHaveEscapes = (text: string, kinds: EscapeKinds): boolean =>
  hasUsual.test(text) || (kinds === 'all' && mayHaveUnusualEscapes(text));

export const mayHaveUnusualEscapes = (text: string): boolean => hasUnusual.test(text);

function decode(text: string, kinds: EscapeKinds, hasSources: boolean): Output {
  const output = new Output(text.length, hasSources);
  const byCode = readers[kinds];
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const end = byCode[code]?.(text, at, output) ?? at;
    if (end === at) output.push(code, at);
    at = Math.max(end, at + 1);
  }
  output.end(text.length);
  return output;
}

/** Decodes every escape once. */
export const decodeEscapes = (text: string, kinds: EscapeKinds): string => decode(text, kinds, false).toString();

/** Like `decodeEscapes`, with the position in the original of each character, and of the end. Takes more memory. */
export function decodeWithSources(text: string, kinds: EscapeKinds): { text: string; sources: Uint32Array } {
  const output = decode(text, kinds, true);
  return { text: output.toString(), sources: output.sources ?? new Uint32Array(1) };
}
