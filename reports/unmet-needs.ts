/** What is missing so that rules can be tried: the most useful addition first. */
import { NOT_DECLARED, routeOfMissing } from '../spec/missing-operation.ts';
import { adviceFor } from '../spec/requirements/need-advice.ts';
import type { Report, RuleResult } from '../spec/verdicts.ts';

/** Reasons for not trying a rule that had everything it needs. */
export const SKIPPED = 'skipped by --only or --skip';
export const INTERRUPTED = 'the run was interrupted';

export interface UnmetNeed {
  /** An imperative without a full stop. It may contain text of the target. */
  readonly advice: string;
  /** Of the rules that lack it. */
  readonly ruleCount: number;
}

/** Whether the reason for not trying the rule is something the target or the run lacks. */
export const hasUnmetNeed = ({ reason }: Pick<RuleResult, 'reason'>): boolean =>
  reason !== SKIPPED && reason !== INTERRUPTED && reason !== NOT_DECLARED;

/** Must rules that wait for an operation, by its route, the most first. */
export const waitingRules = ({ requirements }: Pick<Report, 'requirements'>): [string, RuleResult[]][] =>
  [...Map.groupBy(requirements.filter(isWaiting), ({ missing }) => routeOfMissing(missing) ?? '')].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );

/** Whether the target does not have an operation that the rule needs: then it was not tried, even if that is a known failure. */
export const lacksOperation = ({ missing }: Pick<RuleResult, 'missing'>): boolean =>
  routeOfMissing(missing) !== undefined;

/** Whether a must rule could not be judged, because the target does not have an operation. */
export const isWaiting = (result: RuleResult): boolean =>
  result.level === 'must' && result.verdict === 'not-tried' && lacksOperation(result);

/**
 * By number of rules, descending. Omits rules that were skipped, those that an interrupted run did not reach, and those that
 * wait for an operation, which is a finding.
 */
export function unmetNeeds({ requirements }: Pick<Report, 'requirements'>): UnmetNeed[] {
  const lacking = requirements.filter(
    (result) => result.verdict === 'not-tried' && hasUnmetNeed(result) && !isWaiting(result),
  );
  return [...Map.groupBy(lacking, adviceOn)]
    .map(([advice, results]) => ({ advice, ruleCount: results.length }))
    .toSorted((one, other) => other.ruleCount - one.ruleCount);
}

/** What lets the rule be tried; if nothing is missing, why it was not tried. */
export const adviceOrReason = (result: RuleResult): string =>
  hasUnmetNeed(result) ? adviceOn(result) : (result.reason ?? 'no reason given');

/** Many needs only show while a case runs: their reason is a noun phrase. */
const adviceOn = ({ missing, reason = 'what its reason names' }: RuleResult): string =>
  adviceFor(missing ?? reason) ?? `provide ${reason}`;
