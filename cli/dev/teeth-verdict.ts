/** Evaluates the verdicts on one mock with a deviation: killed, or a problem. */
import { deviationIds, requirementOf } from '../../mock/deviations/index.ts';
import type { Verdict } from '../../spec/verdicts.ts';
import { informativeInputs } from '../../suites/engine/informative-inputs.ts';

/** Verdicts of the rules that ran, by their ids; a rule without a case has none. */
export type Verdicts = Record<
  string,
  {
    verdict: Verdict;
    reason: string;
    milliseconds: number;
    exchanges: number;
    surveyed?: readonly SurveyRow[];
    /** By number of the property. */
    exampleCounts?: Readonly<Record<string, number>>;
    /** What it reads outside of properties, as numbers that `SurveyRow` has too; only in the survey of a conforming mock. */
    fixedReads?: readonly number[];
  }
>;

/**
 * An input of a survey. A generated one has the example -1. `requests`: those that it sent and no other input shares.
 * `reads`: what it shares with others, as numbers; only in the survey of a conforming mock.
 */
export type SurveyRow = readonly [
  property: number,
  example: number,
  isFailing: 0 | 1,
  requests: number,
  reads?: readonly number[],
];

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

/** Their number of examples depends on the date: they test windows that start with a month, or each page of metered days. */
const variableProperties: ReadonlySet<string> = new Set([
  'metrics.answer.shape-and-echo 1',
  'metrics.buckets.cover-the-window 1',
  'metrics.buckets.end-exclusive 1',
  'metrics.buckets.one-per-step-zeros-included 1',
  'metrics.buckets.step-lengths 1',
  'metrics.pagination.cursor-repeatable 1',
  'metrics.resolution.weekly-cap 3',
]);

/**
 * Properties whose examples are others than when the informative ones were measured: `assay test --quick` would send others.
 * Checked only by `npm run teeth`, because the examples of a property are known only when its case runs against a target.
 */
export const outdatedInputs = (verdicts: Verdicts, informative = informativeInputs): string[] =>
  Object.entries(verdicts).flatMap(([rule, { exampleCounts = {} }]) =>
    Object.entries(exampleCounts).flatMap(([property, count]) => {
      const measured = informative(rule, Number(property))?.[2] ?? count;
      if (measured === count || variableProperties.has(`${rule} ${property}`)) return [];
      return [
        `${rule}: property ${property} has ${count} examples, but had ${measured} when they were measured. ` +
          `Run npm run teeth -- --curve --update --only '${rule}*'`,
      ];
    }),
  );

/** The rules that no deviation breaks. */
export const rulesWithoutDeviation = (rules: readonly string[], ids: readonly string[] = deviationIds): string[] => {
  const broken = new Set(ids.map(requirementOf));
  return rules.filter((rule) => !broken.has(rule));
};
