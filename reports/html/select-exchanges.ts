/** Reads exchanges.ndjson as a stream and keeps what a reader of the page needs: most of rules that failed, the last of others. */
import type { ExchangeRecord, Report, RuleResult } from '../../spec/verdicts.ts';
import { exchangeLines, parsedExchange } from '../exchange-lines.ts';
import { findElsewhere } from './find-related-exchanges.ts';
import type { KeptExchanges } from './page-data.ts';

/** Shared by the rules that failed: each keeps its newest. */
const OF_FAILED_RULES = 2000;
const OF_ANOTHER_RULE = 3;
/** Characters of a body that the page has of a rule that did not fail. */
const LONGEST_BODY = 1500;

const isShownWhole = ({ verdict }: RuleResult): boolean =>
  verdict === 'failed' || verdict === 'known-failure' || verdict === 'error';

export interface Kept {
  readonly exchanges: KeptExchanges;
  readonly unreadableLines: number;
}

/** A file that is not there holds none. A rule that another case saw broken also has the exchange that shows it. */
export async function keepExchanges(file: string, report: Report): Promise<Kept> {
  const { exchanges, unreadableLines } = await ownExchanges(file, report);
  for (const [rule, found] of await findElsewhere(file, report, exchanges))
    exchanges[rule] = [...(exchanges[rule] ?? []), ...found];
  return { exchanges, unreadableLines };
}

async function ownExchanges(file: string, { requirements }: Report) {
  const whole = new Set<string>(requirements.filter(isShownWhole).map(({ id }) => id));
  const most = Math.max(20, Math.floor(OF_FAILED_RULES / Math.max(1, whole.size)));
  const lines = await newestLines(file, (rule) => (whole.has(rule) ? most : OF_ANOTHER_RULE));
  let unreadableLines = 0;
  const read = (line: string): ExchangeRecord[] => {
    const record = parsedExchange(line);
    if (record === undefined) unreadableLines += 1;
    return record === undefined ? [] : [record];
  };
  const exchanges = [...lines].map(([rule, own]) => {
    const records = own.flatMap(read);
    return [rule, whole.has(rule) ? records : records.map(cut)] as const;
  });
  return { exchanges: Object.fromEntries(exchanges), unreadableLines };
}

/** Only what is kept is parsed: a run writes tens of thousands of lines. */
async function newestLines(file: string, most: (rule: string) => number): Promise<Map<string, string[]>> {
  const byRule = new Map<string, string[]>();
  for await (const line of exchangeLines(file)) {
    // In a body the quotes are escaped.
    const rule = /"requirement":"([a-z0-9.-]+)"/.exec(line)?.[1];
    if (rule === undefined) continue;
    const own = byRule.get(rule) ?? [];
    byRule.set(rule, own);
    own.push(line);
    if (own.length > most(rule)) own.shift();
  }
  return byRule;
}

function cut(record: ExchangeRecord): ExchangeRecord {
  const { request, answer } = record;
  return {
    ...record,
    request: { ...request, body: shortened(request.body) },
    answer: answer === null ? null : { ...answer, body: shortened(answer.body) },
  };
}

function shortened(body: string | null): string | null {
  if (body === null || body.length <= LONGEST_BODY) return body;
  return `${body.slice(0, LONGEST_BODY)}… (more in exchanges.ndjson)`;
}
