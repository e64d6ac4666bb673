/** Judges the failures that a user listed as known: which verdicts they change, and which of them no longer hold. */
import type { JudgedKnownFailure, KnownFailure, RuleResult, RunFacts } from '../spec/verdicts.ts';

type Start = Pick<RunFacts, 'startedAt'>;

/** Inclusive: an entry is valid on its last day. Compared with the day (UTC) on which the run started. */
const isExpired = ({ expires }: KnownFailure, { startedAt }: Start): boolean =>
  expires !== undefined && startedAt.slice(0, 10) > expires;

/** The result; a known failure if it failed and is listed. */
export function applyKnownFailures(result: RuleResult, run: Start, known: readonly KnownFailure[] = []): RuleResult {
  const entry = known.find(({ id }) => id === result.id);
  const isKnown = result.verdict === 'failed' && entry !== undefined && !isExpired(entry, run);
  return isKnown ? { ...result, verdict: 'known-failure' } : result;
}

/** Of a shard only the entries whose rule is in it. */
export function judgeKnownFailures(
  known: readonly KnownFailure[],
  results: readonly RuleResult[],
  run: RunFacts,
): JudgedKnownFailure[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  return known
    .filter(({ id }) => byId.has(id))
    .map((entry) => ({ ...entry, state: stateOf(entry, byId.get(entry.id)?.verdict, run) }));
}

function stateOf(
  entry: KnownFailure,
  verdict: RuleResult['verdict'] | undefined,
  run: RunFacts,
): JudgedKnownFailure['state'] {
  if (verdict === 'passed') return 'passed';
  if (isExpired(entry, run)) return 'expired';
  return verdict === 'known-failure' ? 'failed' : 'not-judged';
}

export const isProblem = ({ state }: JudgedKnownFailure): boolean => state === 'passed' || state === 'expired';

/** Why a listed failure makes the run fail. */
export function problemOf({ id, state, expires = '', ticket }: JudgedKnownFailure): string {
  const listed = ticket === undefined ? id : `${id} (${ticket})`;
  return state === 'passed'
    ? `${listed} is listed as a known failure, but it passes: remove it from the list.`
    : `${listed} is listed as a known failure until ${expires}, and that day is over: fix it, or set a later date.`;
}
