/** Finds the exchanges that show a rule broken and that its own case did not send: another's, or the run's own. */
import type { ExchangeRecord, Report, RuleResult } from '../../spec/verdicts.ts';
import { exchangeLines, parsedExchange } from '../exchange-lines.ts';
import type { KeptExchanges } from './page-data.ts';
import { isSentBy } from './page/counterexample.ts';

/** By rule, in the order of the counterexample's curl lines, of each the last that fits. The file is read only where one is missing. */
export async function findElsewhere(
  file: string,
  { requirements }: Report,
  own: KeptExchanges,
): Promise<Map<string, ExchangeRecord[]>> {
  const missing = requirements.flatMap((result) => missingLines(result, own[result.id] ?? []));
  const found = missing.length === 0 ? new Map<string, ExchangeRecord>() : await lastOfEach(file, missing);
  const shown = missing.filter(({ curl }) => found.has(curl));
  const byRule = Map.groupBy(shown, ({ rule }) => rule);
  return new Map([...byRule].map(([rule, lines]) => [rule, lines.flatMap(({ curl }) => found.get(curl) ?? [])]));
}

interface MissingLine {
  readonly rule: string;
  readonly curl: string;
}

function missingLines({ id, counterexample }: RuleResult, own: readonly ExchangeRecord[]): MissingLine[] {
  const lines = (counterexample?.curl ?? '').split('\n').filter((line) => line !== '');
  return lines.filter((line) => !own.some((each) => isSentBy(line, each))).map((curl) => ({ rule: id, curl }));
}

/** By curl line. */
async function lastOfEach(file: string, missing: readonly MissingLine[]): Promise<Map<string, ExchangeRecord>> {
  const found = new Map<string, ExchangeRecord>();
  for await (const text of exchangeLines(file))
    for (const { curl } of missing) {
      const record = couldBe(text, curl) ? parsedExchange(text) : undefined;
      if (record !== undefined && isSentBy(curl, record)) found.set(curl, record);
    }
  return found;
}

/** Before it is parsed: a run writes tens of thousands of lines. */
function couldBe(text: string, curl: string): boolean {
  const address = /"url":"([^"\\]+)/.exec(text)?.[1];
  return address !== undefined && curl.includes(address.split("'", 1)[0] ?? '');
}
