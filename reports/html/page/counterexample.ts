/** Finds the exchanges that a counterexample is about, and what in them is not as expected. */
import type { AnswerRecord, Counterexample, ExchangeRecord } from '../../../spec/verdicts.ts';
import type { JsonLine } from './json-lines.ts';
import { compareWords, split } from './words.ts';

/** One for each curl line, in order: the last that fits it. Where none is found, the rule's last exchange. */
export function shownExchanges({ curl }: Counterexample, all: readonly ExchangeRecord[]): ExchangeRecord[] {
  const found = curl.split('\n').flatMap((line) => all.findLast((each) => isSentBy(line, each)) ?? []);
  return found.length > 0 ? found : all.slice(-1);
}

function isSentBy(line: string, { request: { method, url, body } }: ExchangeRecord): boolean {
  const methodStands = method === 'GET' ? !/ -X (?!GET)/.test(line) : line.includes(` -X ${method} `);
  const addressEnds = new RegExp(`${RegExp.escape(url.replaceAll("'", String.raw`'\''`))}(?=$|['" ])`);
  const bodyStands =
    body === null ? !line.includes('--data-') : line.includes(body.slice(0, 40).replaceAll("'", String.raw`'\''`));
  return methodStands && addressEnds.test(line) && bodyStands;
}

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
