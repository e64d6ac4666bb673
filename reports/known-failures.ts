/** Judges the failures that a user listed as known: which verdicts they change, and which of them no longer hold. */
import { coversRule, namesRule } from '../spec/formats/known-failures.ts';
import { isRequirementId, requirement } from '../spec/requirements/index.ts';
import type { Requirement } from '../spec/requirements/requirement.ts';
import { isWaiting } from './unmet-needs.ts';
import type { JudgedKnownFailure, KnownFailure, RuleResult, RunFacts } from '../spec/verdicts.ts';

type Start = Pick<RunFacts, 'startedAt'>;

/** Inclusive: an entry is valid on its last day. Compared with the day (UTC) on which the run started. */
const isExpired = ({ expires }: KnownFailure, { startedAt }: Start): boolean =>
  expires !== undefined && startedAt.slice(0, 10) > expires;

/** The result; a known failure if it failed, or waits for an operation that does not exist, and is listed. */
export function applyKnownFailures(result: RuleResult, run: Start, known: readonly KnownFailure[] = []): RuleResult {
  if (result.verdict !== 'failed' && !isWaiting(result)) return result;
  const isKnown = known.some((entry) => covers(entry, result) && !isExpired(entry, run));
  return isKnown ? { ...result, verdict: 'known-failure' } : result;
}

const covers = ({ id }: KnownFailure, result: RuleResult): boolean =>
  id === result.id || mustRuleOf(result, (rule) => coversRule(id, rule, result.missing));

const names = ({ id }: KnownFailure, result: RuleResult): boolean =>
  id === result.id || mustRuleOf(result, (rule) => namesRule(id, rule));

/** A report of another version may have other rules. */
const mustRuleOf = ({ id, level }: RuleResult, is: (rule: Requirement) => boolean): boolean =>
  level === 'must' && isRequirementId(id) && is(requirement(id));

/** Of a shard only the entries whose rule is in it. */
export function judgeKnownFailures(
  known: readonly KnownFailure[],
  results: readonly RuleResult[],
  run: Start,
): JudgedKnownFailure[] {
  return known.flatMap((entry) => {
    const covered = results.filter((result) => covers(entry, result));
    const named = results.filter((result) => covered.includes(result) || names(entry, result));
    const rules = covered.map(({ id }) => id);
    const isOneRule = rules.length === 1 && rules[0] === entry.id;
    const state = named.every(({ verdict }) => verdict === 'passed') ? 'passed' : stateOf(entry, covered, run);
    return named.length === 0 ? [] : [{ ...entry, ...(!isOneRule && { rules }), state }];
  });
}

/** Unless every rule passed that the entry names. */
function stateOf(entry: KnownFailure, covered: readonly RuleResult[], run: Start): JudgedKnownFailure['state'] {
  if (isExpired(entry, run)) return 'expired';
  return covered.some(({ verdict }) => verdict === 'known-failure') ? 'failed' : 'not-judged';
}

export const isProblem = ({ state }: JudgedKnownFailure): boolean => state === 'passed' || state === 'expired';

/** Why a listed failure makes the run fail. */
export function problemOf({ id, state, expires = '', ticket }: JudgedKnownFailure): string {
  const listed = ticket === undefined ? id : `${id} (${ticket})`;
  return state === 'passed'
    ? `${listed} is listed as a known failure, but it passes: remove it from the list.`
    : `${listed} is listed as a known failure until ${expires}, and that day is over: fix it, or set a later date.`;
}
