/** Evaluates the verdicts on one mock with a deviation: killed, or a problem. */
import { deviationIds, requirementOf } from '../../mock/deviations/index.ts';
import type { Verdict } from '../../spec/verdicts.ts';

/** Verdicts of the rules that were tried, by their ids; a rule without a case has none. */
export type Verdicts = Record<string, { verdict: Verdict; reason: string; milliseconds: number }>;

/** The result of one deviation. */
export interface Bite {
  readonly deviation: string;
  /** The rule that it breaks. */
  readonly rule: string;
  /** Of the rule's own case; `failed` is a kill. */
  readonly verdict: Verdict | 'no case';
  readonly reason: string;
  /** That the case took. */
  readonly milliseconds: number;
  /** Other rules whose cases failed. Absent if none were tried. */
  readonly alsoRed?: readonly string[];
}

const redIn = (verdicts: Verdicts): string[] =>
  Object.entries(verdicts).flatMap(([rule, { verdict }]) => (verdict === 'passed' ? [] : [rule]));

export function biteOf(deviation: string, verdicts: Verdicts): Bite {
  const rule = requirementOf(deviation);
  const { verdict = 'no case', reason = '', milliseconds = 0 } = verdicts[rule] ?? {};
  const areOthersTried = Object.keys(verdicts).some((each) => each !== rule);
  const alsoRed = redIn(verdicts).filter((each) => each !== rule);
  return { deviation, rule, verdict, reason, milliseconds, ...(areOthersTried && { alsoRed }) };
}

export const isKilled = ({ verdict }: Bite): boolean => verdict === 'failed';

/** Only its own case counts, even if others failed too. */
export function survivalOf({ deviation, verdict, reason, alsoRed = [] }: Bite): string {
  const how = verdict === 'no case' ? 'its rule has no case' : `${verdict} ${reason}`;
  return `${deviation} survived: ${how}${alsoRed.length === 0 ? '' : `; also red: ${alsoRed.join(', ')}`}`;
}

/** What is not green on a mock without any deviation. */
export const soundProblems = (verdicts: Verdicts): string[] =>
  redIn(verdicts).map((rule) => `${rule} is ${verdicts[rule]?.verdict} on a sound mock: ${verdicts[rule]?.reason}`);

/** Of these rules, those that no deviation breaks. */
export const toothless = (rules: readonly string[], ids: readonly string[] = deviationIds): string[] => {
  const broken = new Set(ids.map(requirementOf));
  return rules.filter((rule) => !broken.has(rule));
};
