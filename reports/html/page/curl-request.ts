/** Parses the curl lines of a counterexample into requests. */
import type { RequestRecord } from '../../../spec/verdicts.ts';

export interface CurlRequest {
  readonly url: string;
  /** Equal for requests with equal method, URL and headers. */
  readonly head: string;
  /** null: no body; undefined: the body is in a file. */
  readonly body: string | null | undefined;
}

/** The values of each curl option, in order; the URL is under `url`. */
type Arguments = Readonly<Partial<Record<string, readonly string[]>>>;

/** The lines of a script that send requests, in order. */
export const curlLines = (script: string): string[] =>
  script.split('\n').filter((line) => line !== '' && !/^(wait|sleep|kill|#) /.test(line));

export function readCurl(line: string): CurlRequest {
  const options = argumentsOf(line);
  const [url = ''] = options['url'] ?? [];
  const method = options['--head'] === undefined ? (options['-X']?.[0] ?? 'GET') : 'HEAD';
  const body = options['--data-binary']?.[0] === '@-' ? printedBody(line) : undefined;
  const isBodyInFile = options['--data-binary'] !== undefined;
  return {
    url,
    head: headText(method, url, headersOf(options['-H'] ?? [])),
    body: isBodyInFile ? body : (options['--data-raw']?.[0] ?? null),
  };
}

/** Comparable with the `head` of a parsed curl line. */
export const headOf = ({ method, url, headers }: RequestRecord): string =>
  headText(
    method,
    url,
    Object.entries(headers).map(([name, values]) => [name, [values].flat()]),
  );

type Header = readonly [name: string, values: readonly string[]];

const headText = (method: string, url: string, headers: readonly Header[]): string =>
  JSON.stringify([method, url, headers.toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/** By lower-case name, like recorded headers; of names that differ only in case, the last one. */
function headersOf(words: readonly string[]): Header[] {
  const lines = words.filter((each) => !/^[^:]+:$/.test(each)).map(nameAndValue); // `Name:` removes the header
  const byName = Map.groupBy(lines, ([name]) => name);
  return [...new Map([...byName].map(([name, own]) => [name.toLowerCase(), own.map(([, value]) => value)]))];
}

/** `Name;` sends the header with an empty value. */
function nameAndValue(word: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]+): ([^]*)$/.exec(word) ?? [word, word.replace(/;$/, '')];
  return [name, value];
}

const withValue = new Set(['-X', '-H', '--data-raw', '--data-binary']);

function argumentsOf(line: string): Arguments {
  const words = shellWords(line.replace(/^(?:# .*\n)+/, ''));
  const options: Record<string, string[]> = {};
  for (let at = words.indexOf('curl') + 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const name = word.startsWith('-') ? word : 'url';
    if (withValue.has(word)) at += 1;
    (options[name] ??= []).push(words[at] ?? '');
  }
  return options;
}

/** In order: single quotes, the output of printf, double quotes, an escaped character, plain characters. */
const pieces = /'([^']*)'|"\$\(printf '([^']*)'\)"|"([^"]*)"|\\(.)|([^\s'"\\]+)/;
const word = new RegExp(`(?:${pieces.source})+`, 'g');
const everyPiece = new RegExp(pieces.source, 'g');

/** The words before a comment or `&`; variables are not expanded. */
function shellWords(line: string): string[] {
  const words = [...line.matchAll(word)].map(([text]) => text);
  const end = words.findIndex((text) => text.startsWith('#') || text === '&');
  return words.slice(0, end === -1 ? undefined : end).map(unquoted);
}

const unquoted = (text: string): string =>
  text.replace(everyPiece, (_, single?: string, format?: string, double?: string, one?: string, bare?: string) =>
    format === undefined ? (single ?? double ?? one ?? bare ?? '') : printed(format, []),
  );

/** What printf prints; octal escapes are UTF-8 bytes. */
function printed(format: string, values: readonly string[]): string {
  const left = [...values];
  return format.replace(/(?:\\[0-7]{3})+|%s/g, (found) => (found === '%s' ? (left.shift() ?? '') : textOf(found)));
}

function isText(format: string): boolean {
  const octal = format.match(/(?:\\[0-7]{3})+/g) ?? [];
  return octal.every((each) => isUtf8(bytesOf(each)));
}

/** The body that a line pipes into curl. Undefined if it is not text. */
function printedBody(line: string): string | undefined {
  const [, format, values = ''] = /^(?:# .*\n)*printf '([^']*)'((?: "[^"]*")*) \| /.exec(line) ?? [];
  if (format === undefined || !isText(format)) return undefined;
  return printed(
    format,
    [...values.matchAll(/"([^"]*)"/g)].map(([, value = '']) => value),
  );
}

const textOf = (octal: string): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(octal));

const bytesOf = (octal: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(octal.slice(1).split('\\'), (each) => parseInt(each, 8));

function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
