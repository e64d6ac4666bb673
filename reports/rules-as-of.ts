/** With --rules-as-of, rules that are newer than a version of assay only observe: an upgrade does not fail a pipeline. */
import { isNewer } from '../spec/assay-versions.ts';
import type { Report, RuleResult } from '../spec/verdicts.ts';

/** The result; of a must rule that is newer than `rulesAsOf` (undefined: none is), one that cannot fail the run. */
export function applyRulesAsOf(result: RuleResult, since: string, rulesAsOf: string | undefined): RuleResult {
  const { level, verdict } = result;
  if (rulesAsOf === undefined || level !== 'must' || !isNewer(since, rulesAsOf)) return result;
  const newer: RuleResult = { ...result, level: 'observe', newer: { since, verdict } };
  if (verdict !== 'passed' && verdict !== 'failed') return newer;
  const found = result.reason === undefined ? verdict : `${verdict} (${result.reason})`;
  const why = `newer than --rules-as-of ${rulesAsOf} (since ${since}), so it does not count`;
  return { ...newer, verdict: 'observed', reason: `${found}; ${why}` };
}

/** The rules that would fail the run without --rules-as-of. */
export const newerFailures = ({ requirements }: Report): RuleResult[] =>
  requirements.filter(({ newer }) => newer?.verdict === 'failed');

/** The result as it would be without --rules-as-of, to compare it with that of another run. */
export const withoutRulesAsOf = (result: RuleResult): RuleResult =>
  result.newer === undefined ? result : { ...result, verdict: result.newer.verdict };
