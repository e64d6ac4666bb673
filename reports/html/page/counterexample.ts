/** Finds the exchanges of a counterexample, and what in them is unexpected. */
import type { ResponseRecord, Counterexample, ExchangeRecord } from '../../../spec/verdicts.ts';
import { curlLines, headOf, readCurl } from './curl-request.ts';
import type { CurlRequest } from './curl-request.ts';
import { diffWords, split } from './words.ts';

/** For each curl line, in order, the last matching exchange not used by a later line. Without curl lines, the rule's last exchange. */
export function relatedExchanges({ curl }: Counterexample, all: readonly ExchangeRecord[]): ExchangeRecord[] {
  if (curl === '') return all.slice(-1);
  return curlLines(curl).reduceRight<ExchangeRecord[]>((exchanges, line) => {
    const rest = all.filter((each) => !exchanges.includes(each));
    const found = lastSentBy(readCurl(line), rest);
    return found === undefined ? exchanges : [found, ...exchanges];
  }, []);
}

/** The last exchange with the request of the curl line; undefined if there is none. */
export function lastSentBy(sent: CurlRequest, all: readonly ExchangeRecord[]): ExchangeRecord | undefined {
  const candidates = all.filter(({ request }) => request.url === sent.url && headOf(request) === sent.head);
  return (
    candidates.findLast(({ request }) => request.body === sent.body) ??
    candidates.findLast(({ request }) => isTruncatedBody(sent.body, request.body))
  );
}

/** Recorded bodies may be truncated or redacted, and a curl line may read its body from a file. */
function isTruncatedBody(sent: CurlRequest['body'], recorded: string | null): boolean {
  if (recorded === null || sent === null) return false;
  return (
    sent === undefined ||
    (recorded.length >= MIN_COMPARED_LENGTH && sent.startsWith(recorded.slice(0, MIN_COMPARED_LENGTH)))
  );
}

const MIN_COMPARED_LENGTH = 40;

/** Words of the actual text that are not in the expected one. */
export function unexpectedWords({ expected, actual }: Counterexample): ReadonlySet<string> {
  const { right } = diffWords(expected, actual);
  return new Set(right.filter(({ differs }) => differs).flatMap(({ text }) => split(text)));
}

export const isUnexpectedStatus = (
  { status }: ResponseRecord,
  { actual }: Counterexample,
  unexpected: ReadonlySet<string>,
): boolean => /\bstatus\b/.test(actual) && unexpected.has(String(status));
