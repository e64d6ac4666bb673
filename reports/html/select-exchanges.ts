/** Selects the exchanges for report.html from exchanges.ndjson: many for failed rules, the last few for others. */
import type { ExchangeRecord, Report, RuleResult } from '../../spec/verdicts.ts';
import { readExchangeLines, parseExchange } from '../exchange-lines.ts';
import { findRelatedExchanges } from './find-related-exchanges.ts';
import type { ExchangesByRule } from './page-data.ts';

/** Shared by all failed rules: each keeps its newest. */
const MAX_FOR_FAILED_RULES = 2000;
const MAX_FOR_OTHER_RULES = 3;
/** Characters of a body, for rules that did not fail. */
const MAX_BODY_LENGTH = 1500;

const keepsFullBodies = ({ verdict }: RuleResult): boolean =>
  verdict === 'failed' || verdict === 'known-failure' || verdict === 'error';

export interface SelectedExchanges {
  readonly exchanges: ExchangesByRule;
  readonly unreadableLines: number;
}

/** A missing file has none. If another case found a rule violated, the rule also gets that exchange. */
export async function selectExchanges(file: string, report: Report): Promise<SelectedExchanges> {
  const { exchanges, unreadableLines } = await exchangesByRule(file, report);
  for (const [rule, found] of await findRelatedExchanges(file, report, exchanges))
    exchanges[rule] = [...(exchanges[rule] ?? []), ...found];
  return { exchanges, unreadableLines };
}

async function exchangesByRule(file: string, { requirements }: Report) {
  const fullRules = new Set<string>(requirements.filter(keepsFullBodies).map(({ id }) => id));
  const max = Math.max(20, Math.floor(MAX_FOR_FAILED_RULES / Math.max(1, fullRules.size)));
  const lines = await newestLines(file, (rule) => (fullRules.has(rule) ? max : MAX_FOR_OTHER_RULES));
  let unreadableLines = 0;
  const read = (line: string): ExchangeRecord[] => {
    const record = parseExchange(line);
    if (record === undefined) unreadableLines += 1;
    return record === undefined ? [] : [record];
  };
  const exchanges = [...lines].map(([rule, own]) => {
    const records = own.flatMap(read);
    return [rule, fullRules.has(rule) ? records : records.map(truncateBodies)] as const;
  });
  return { exchanges: Object.fromEntries(exchanges), unreadableLines };
}

/** Only selected lines are parsed, because a run writes tens of thousands. */
async function newestLines(file: string, max: (rule: string) => number): Promise<Map<string, string[]>> {
  const byRule = new Map<string, string[]>();
  for await (const line of readExchangeLines(file)) {
    // Cannot match inside a body: quotes are escaped there.
    const rule = /"requirement":"([a-z0-9.-]+)"/.exec(line)?.[1];
    if (rule === undefined) continue;
    const own = byRule.get(rule) ?? [];
    byRule.set(rule, own);
    own.push(line);
    if (own.length > max(rule)) own.shift();
  }
  return byRule;
}

function truncateBodies(record: ExchangeRecord): ExchangeRecord {
  const { request, answer } = record;
  return {
    ...record,
    request: { ...request, body: truncate(request.body) },
    answer: answer === null ? null : { ...answer, body: truncate(answer.body) },
  };
}

function truncate(body: string | null): string | null {
  if (body === null || body.length <= MAX_BODY_LENGTH) return body;
  return `${body.slice(0, MAX_BODY_LENGTH)}… (more in exchanges.ndjson)`;
}
