/** Reads the curl lines of a counterexample back: the request that each sends. */
import type { RequestRecord } from '../../../spec/verdicts.ts';

export interface CurlRequest {
  readonly url: string;
  /** The same text wherever method, address and headers are the same. */
  readonly head: string;
  /** null for none; undefined where the line does not hold it. */
  readonly body: string | null | undefined;
}

/** Of each option of curl its values, in order; the address is under `url`. */
type Arguments = Readonly<Partial<Record<string, readonly string[]>>>;

/** Those of a script that send something, in order. */
export const curlLines = (script: string): string[] =>
  script.split('\n').filter((line) => line !== '' && !/^(wait|sleep|kill) /.test(line));

export function readCurl(line: string): CurlRequest {
  const given = argumentsOf(line);
  const [url = ''] = given['url'] ?? [];
  const method = given['--head'] === undefined ? (given['-X']?.[0] ?? 'GET') : 'HEAD';
  const isElsewhere = given['--data-binary'] !== undefined;
  return {
    url,
    head: headText(method, url, headersOf(given['-H'] ?? [])),
    body: isElsewhere ? undefined : (given['--data-raw']?.[0] ?? null),
  };
}

/** As of the curl line that sends the request again. */
export const headOf = ({ method, url, headers }: RequestRecord): string =>
  headText(
    method,
    url,
    Object.entries(headers).map(([name, values]) => [name, [values].flat()]),
  );

type Header = readonly [name: string, values: readonly string[]];

const headText = (method: string, url: string, headers: readonly Header[]): string =>
  JSON.stringify([method, url, headers.toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/** By lower-case name, as a record has them: of names that differ in letter case the last alone. */
function headersOf(words: readonly string[]): Header[] {
  const lines = words.filter((each) => !/^[^:]+:$/.test(each)).map(nameAndValue); // `Name:` sends none
  const byName = Map.groupBy(lines, ([name]) => name);
  return [...new Map([...byName].map(([name, own]) => [name.toLowerCase(), own.map(([, value]) => value)]))];
}

/** `Name;` sends it without a value. */
function nameAndValue(word: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]+): ([^]*)$/.exec(word) ?? [word, word.replace(/;$/, '')];
  return [name, value];
}

const takesValue = new Set(['-X', '-H', '--data-raw', '--data-binary']);

function argumentsOf(line: string): Arguments {
  const words = shellWords(line);
  const given: Record<string, string[]> = {};
  for (let at = words.indexOf('curl') + 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const name = word.startsWith('-') ? word : 'url';
    if (takesValue.has(word)) at += 1;
    (given[name] ??= []).push(words[at] ?? '');
  }
  return given;
}

const pieces = /'([^']*)'|\$'((?:\\.|[^'\\])*)'|"([^"]*)"|\\(.)|([^\s'"\\]+)/;
const word = new RegExp(`(?:${pieces.source})+`, 'g');
const everyPiece = new RegExp(pieces.source, 'g');

/** Those before the comment, and before the mark of what is not waited for; a variable stands as its name. */
function shellWords(line: string): string[] {
  const words = [...line.matchAll(word)].map(([text]) => text);
  const end = words.findIndex((text) => text.startsWith('#') || text === '&');
  return words.slice(0, end === -1 ? undefined : end).map(unquoted);
}

const unquoted = (text: string): string =>
  text.replace(everyPiece, (_, single?: string, dollar?: string, double?: string, one?: string, bare?: string) =>
    dollar === undefined ? (single ?? double ?? one ?? bare ?? '') : withoutEscapes(dollar),
  );

/** Octal escapes are bytes of UTF-8. */
const withoutEscapes = (text: string): string =>
  text.replace(/(?:\\[0-7]{3})+|\\([\\'])/g, (escapes, one?: string) => one ?? textOf(escapes));

const textOf = (octal: string): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Uint8Array.from(octal.slice(1).split('\\'), (each) => parseInt(each, 8)),
  );
