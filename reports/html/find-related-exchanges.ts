/** Finds the exchanges that show a rule broken and that its own case did not send: another's, or the run's own. */
import { jsonText } from '../../spec/json-text.ts';
import type { ExchangeRecord, Report, RuleResult } from '../../spec/verdicts.ts';
import { exchangeLines, parsedExchange } from '../exchange-lines.ts';
import type { KeptExchanges } from './page-data.ts';
import { lastSentBy } from './page/counterexample.ts';
import { curlLines, headOf, readCurl } from './page/curl-request.ts';
import type { CurlRequest } from './page/curl-request.ts';

/** By rule, in the order of the counterexample's curl lines, of each the last that fits. The file is read only where one is missing. */
export async function findElsewhere(
  file: string,
  { requirements }: Report,
  own: KeptExchanges,
): Promise<Map<string, ExchangeRecord[]>> {
  const missing = requirements.flatMap((result) => missingLines(result, own[result.id] ?? []));
  const found = missing.length === 0 ? new Map<MissingLine, ExchangeRecord>() : await lastOfEach(file, missing);
  const shown = missing.filter((line) => found.has(line));
  const byRule = Map.groupBy(shown, ({ rule }) => rule);
  return new Map([...byRule].map(([rule, lines]) => [rule, lines.flatMap((line) => found.get(line) ?? [])]));
}

interface MissingLine {
  readonly rule: string;
  readonly sent: CurlRequest;
}

function missingLines({ id, counterexample }: RuleResult, own: readonly ExchangeRecord[]): MissingLine[] {
  const lines = new Set(curlLines(counterexample?.curl ?? ''));
  const wanted = [...lines].map((line) => ({ rule: id, sent: readCurl(line) }));
  return wanted.filter(({ sent }) => lastSentBy(sent, own) === undefined);
}

/** A line of the file is parsed only where one of its address is missing: a run writes tens of thousands. */
async function lastOfEach(file: string, missing: readonly MissingLine[]): Promise<Map<MissingLine, ExchangeRecord>> {
  const found = new Map<MissingLine, ExchangeRecord>();
  const addresses = new Set(missing.map(({ sent }) => jsonText(sent.url)));
  const byHead = Map.groupBy(missing, ({ sent }) => sent.head);
  for await (const text of exchangeLines(file)) {
    const record = addresses.has(addressIn(text)) ? parsedExchange(text) : undefined;
    if (record === undefined) continue;
    const ofHead = byHead.get(headOf(record.request)) ?? [];
    for (const line of ofHead) if (line.sent.body === record.request.body) found.set(line, record);
  }
  return found;
}

/** As it stands in the line, with its quotes. */
const addressIn = (text: string): string => /"url":("(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? '';
