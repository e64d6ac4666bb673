/** A request in a few lines: method and path, query, unusual headers, and the beginning of the body. */
import type { Counterexample } from '../spec/verdicts.ts';

type Request = NonNullable<Counterexample['request']>;

const MAX_PATH_LENGTH = 200;
const MAX_PARAMETER_LENGTH = 120;
const MAX_PARAMETERS = 10;
const MAX_HEADER_LENGTH = 120;
const MAX_BODY_LENGTH = 400;

/** Almost every request has these. */
const usualHeaders: readonly RegExp[] = [/^accept: application\/json$/i, /^content-type: application\/json$/i];

export function requestText({ method, url, headers, body }: Request): string {
  const lines = Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`))
    .filter((line) => !usualHeaders.some((usual) => usual.test(line)));
  const [path = '', ...query] = pathOf(url).split(/(?=[?&])/);
  return [
    `${method} ${truncate(path, MAX_PATH_LENGTH)}`,
    ...query.slice(0, MAX_PARAMETERS).map((parameter) => truncate(parameter, MAX_PARAMETER_LENGTH)),
    ...(query.length > MAX_PARAMETERS ? [`and ${query.length - MAX_PARAMETERS} more parameters`] : []),
    ...lines.map((line) => truncate(line, MAX_HEADER_LENGTH)),
    ...(body === undefined || body === '' ? [] : [truncate(withShortTexts(body), MAX_BODY_LENGTH)]),
  ].join('\n');
}

/** Path and query as sent; the address is that of the target. */
const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/';

/** A string of JSON with at most 100,000 escapes after the first ones: a repetition of alternatives could exceed the stack. */
const longText = /"((?:[^"\\]|\\.){40})(?:[^"\\]|\\.){20}[^"\\]*(?:\\.[^"\\]*){0,100000}"/g;

/** The JSON text with only the beginnings of long strings. */
const withShortTexts = (json: string): string => json.replaceAll(longText, '"$1…"');

const truncate = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)}…`);
