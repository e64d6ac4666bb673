/** Finds the exchanges that a counterexample is about, and what in them is not as expected. */
import type { AnswerRecord, Counterexample, ExchangeRecord } from '../../../spec/verdicts.ts';
import { curlLines, headOf, readCurl } from './curl-request.ts';
import type { CurlRequest } from './curl-request.ts';
import type { JsonLine } from './json-lines.ts';
import { compareWords, split } from './words.ts';

/** One for each curl line, in order: the last that fits it and no later line. Without a curl line, the rule's last exchange. */
export function shownExchanges({ curl }: Counterexample, all: readonly ExchangeRecord[]): ExchangeRecord[] {
  if (curl === '') return all.slice(-1);
  return curlLines(curl).reduceRight<ExchangeRecord[]>((shown, line) => {
    const rest = all.filter((each) => !shown.includes(each));
    const found = lastSentBy(readCurl(line), rest);
    return found === undefined ? shown : [found, ...shown];
  }, []);
}

/** The last that the curl line sends again; undefined where there is none. */
export function lastSentBy(sent: CurlRequest, all: readonly ExchangeRecord[]): ExchangeRecord | undefined {
  const ofHead = all.filter(({ request }) => request.url === sent.url && headOf(request) === sent.head);
  return (
    ofHead.findLast(({ request }) => request.body === sent.body) ??
    ofHead.findLast(({ request }) => isLike(sent.body, request.body))
  );
}

/** A record may have a body shorter or without its secrets, and the curl line may not hold it. */
function isLike(sent: CurlRequest['body'], recorded: string | null): boolean {
  if (recorded === null || sent === null) return false;
  return sent === undefined || (recorded.length >= COMPARED && sent.startsWith(recorded.slice(0, COMPARED)));
}

const COMPARED = 40;

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
