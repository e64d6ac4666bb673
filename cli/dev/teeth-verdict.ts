/** Evaluates the verdicts on one mock with a deviation: killed, or a problem. */
import { deviationIds, requirementOf } from '../../mock/deviations/index.ts';
import type { Verdict } from '../../spec/verdicts.ts';

/** Verdicts of the rules that ran, by their ids; a rule without a case has none. */
export type Verdicts = Record<
  string,
  {
    verdict: Verdict;
    reason: string;
    milliseconds: number;
    exchanges: number;
  }
>;

/** The result of one deviation. */
export interface TeethResult {
  readonly deviation: string;
  /** The rule that it breaks. */
  readonly rule: string;
  /** Of the rule's own case; `failed` is a kill. */
  readonly verdict: Verdict | 'no case';
  readonly reason: string;
  /** Duration of the case. */
  readonly milliseconds: number;
  /** Other rules whose cases failed. Absent if no others ran. */
  readonly alsoRed?: readonly string[];
}

const notPassed = (verdicts: Verdicts): string[] =>
  Object.entries(verdicts).flatMap(([rule, { verdict }]) => (verdict === 'passed' ? [] : [rule]));

export function teethResultOf(deviation: string, verdicts: Verdicts): TeethResult {
  const rule = requirementOf(deviation);
  const { verdict = 'no case', reason = '', milliseconds = 0 } = verdicts[rule] ?? {};
  const didOthersRun = Object.keys(verdicts).some((each) => each !== rule);
  const alsoRed = notPassed(verdicts).filter((each) => each !== rule);
  return { deviation, rule, verdict, reason, milliseconds, ...(didOthersRun && { alsoRed }) };
}

export const isKilled = ({ verdict }: TeethResult): boolean => verdict === 'failed';

/** Only its own case counts, even if others failed too. */
export function describeSurvivor({ deviation, verdict, reason, alsoRed = [] }: TeethResult): string {
  const outcome = verdict === 'no case' ? 'its rule has no case' : `${verdict} ${reason}`;
  return `${deviation} survived: ${outcome}${alsoRed.length === 0 ? '' : `; also red: ${alsoRed.join(', ')}`}`;
}

/** Rules that do not pass on a mock without deviations. */
export const baselineProblems = (verdicts: Verdicts): string[] =>
  notPassed(verdicts).map(
    (rule) => `${rule} is ${verdicts[rule]?.verdict} on a mock without deviations: ${verdicts[rule]?.reason}`,
  );

/** The rules that no deviation breaks. */
export const rulesWithoutDeviation = (rules: readonly string[], ids: readonly string[] = deviationIds): string[] => {
  const broken = new Set(ids.map(requirementOf));
  return rules.filter((rule) => !broken.has(rule));
};
