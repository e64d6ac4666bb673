/** Finds the exchanges that a counterexample is about, and what in them is not as expected. */
import type { AnswerRecord, Counterexample, ExchangeRecord } from '../../../spec/verdicts.ts';
import type { JsonLine } from './json-lines.ts';
import { compareWords, split } from './words.ts';

/** One for each curl line, in order: the last that fits it. Without a curl line, the rule's last exchange. */
export function shownExchanges({ curl }: Counterexample, all: readonly ExchangeRecord[]): ExchangeRecord[] {
  if (curl === '') return all.slice(-1);
  return curl
    .split('\n')
    .flatMap(
      (line) => all.findLast((each) => isSentBy(line, each)) ?? all.findLast((each) => isLike(line, each)) ?? [],
    );
}

/** Whether the curl line sends this very request. */
export const isSentBy = (line: string, exchange: ExchangeRecord): boolean =>
  isToSame(line, exchange) && sendsBody(line, exchange.request.body);

/** The same but for a body that the record may have shorter, or the curl line as escapes. */
function isLike(line: string, exchange: ExchangeRecord): boolean {
  const { body } = exchange.request;
  if (!isToSame(line, exchange) || body === null) return false;
  const isEscaped = / --data-(?:binary |raw \$)/.test(line);
  return isEscaped || (body.length >= COMPARED && line.includes(dataWord(body.slice(0, COMPARED))));
}

const COMPARED = 40;

function isToSame(line: string, { request: { method, url } }: ExchangeRecord): boolean {
  const addressEnds = new RegExp(`${RegExp.escape(quoted(url))}(?=$|['" ])`);
  return isMethodOf(line, method) && addressEnds.test(line);
}

function sendsBody(line: string, body: string | null): boolean {
  if (body === null) return !line.includes(' --data-');
  return line.includes(`${dataWord(body)}'`) || `${line} `.includes(` --data-raw ${body} `);
}

const dataWord = (text: string): string => ` --data-raw '${quoted(text)}`;

function isMethodOf(line: string, method: string): boolean {
  if (method === 'GET') return !/ -X (?!GET )| --head /.test(line);
  return line.includes(method === 'HEAD' ? ' --head ' : ` -X ${method} `);
}

const quoted = (text: string): string => text.replaceAll("'", String.raw`'\''`);

/** Words of what came that were not expected. */
export function strangeWords({ expected, actual }: Counterexample): ReadonlySet<string> {
  const { right } = compareWords(expected, actual);
  return new Set(right.filter(({ differs }) => differs).flatMap(({ text }) => split(text)));
}

export const isStrangeStatus = (
  { status }: AnswerRecord,
  { actual }: Counterexample,
  strange: ReadonlySet<string>,
): boolean => /\bstatus\b/.test(actual) && strange.has(String(status));

/** A line of a body that does not fit its schema, or whose value is what came instead of the expected. */
export function isStrangeLine(line: JsonLine, { findings }: ExchangeRecord, strange: ReadonlySet<string>): boolean {
  if (line.at !== undefined && findings.some(({ at }) => at === line.at)) return true;
  return (
    line.value !== undefined && line.value !== null && String(line.value).length > 1 && strange.has(String(line.value))
  );
}
