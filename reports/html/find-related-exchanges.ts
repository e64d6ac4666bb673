/** Finds exchanges that violate a rule but were not sent by its own case. */
import { jsonText } from '../../spec/json-text.ts';
import type { ExchangeRecord, Report, RuleResult } from '../../spec/verdicts.ts';
import { readExchangeLines, parseExchange } from '../exchange-lines.ts';
import type { ExchangesByRule } from './page-data.ts';
import { lastSentBy } from './page/counterexample.ts';
import { curlLines, headOf, readCurl } from './page/curl-request.ts';
import type { CurlRequest } from './page/curl-request.ts';

/** By rule, the last matching exchange for each curl line of the counterexample, in that order. Reads the file only if needed. */
export async function findRelatedExchanges(
  file: string,
  { requirements }: Report,
  own: ExchangesByRule,
): Promise<Map<string, ExchangeRecord[]>> {
  const missing = requirements.flatMap((result) => missingLines(result, own[result.id] ?? []));
  const found = missing.length === 0 ? new Map<MissingLine, ExchangeRecord>() : await lastOfEach(file, missing);
  const foundLines = missing.filter((line) => found.has(line));
  const byRule = Map.groupBy(foundLines, ({ rule }) => rule);
  return new Map([...byRule].map(([rule, lines]) => [rule, lines.flatMap((line) => found.get(line) ?? [])]));
}

interface MissingLine {
  readonly rule: string;
  readonly sent: CurlRequest;
}

function missingLines({ id, counterexample }: RuleResult, own: readonly ExchangeRecord[]): MissingLine[] {
  const lines = new Set(curlLines(counterexample?.curl ?? ''));
  const requests = [...lines].map((line) => ({ rule: id, sent: readCurl(line) }));
  return requests.filter(({ sent }) => lastSentBy(sent, own) === undefined);
}

/** Parses only lines with a URL that is searched for, because a run writes tens of thousands. */
async function lastOfEach(file: string, missing: readonly MissingLine[]): Promise<Map<MissingLine, ExchangeRecord>> {
  const found = new Map<MissingLine, ExchangeRecord>();
  const addresses = new Set(missing.map(({ sent }) => jsonText(sent.url)));
  const byHead = Map.groupBy(missing, ({ sent }) => sent.head);
  for await (const text of readExchangeLines(file)) {
    const record = addresses.has(addressIn(text)) ? parseExchange(text) : undefined;
    if (record === undefined) continue;
    const candidates = byHead.get(headOf(record.request)) ?? [];
    for (const line of candidates) if (line.sent.body === record.request.body) found.set(line, record);
  }
  return found;
}

/** The URL in a line, as quoted JSON. */
const addressIn = (text: string): string => /"url":("(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? '';
