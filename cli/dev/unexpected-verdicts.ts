/** Compares the verdicts about a server with what is known of it. */
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { RuleResult } from '../../spec/verdicts.ts';

/** How the verdict and the reason of a rule begin, such as `failed: status 200`; rules that are not listed pass. */
export type KnownVerdicts = Partial<Readonly<Record<RequirementId, string>>>;

/** Returns a line per rule with another verdict or reason, or without a result. */
export function unexpectedVerdicts(results: readonly RuleResult[], known: KnownVerdicts): string[] {
  const ids = new Set(results.map(({ id }) => id));
  const missing = Object.keys(known).filter((id) => !ids.has(id as RequirementId));
  return [
    ...results.flatMap(({ id, verdict, reason }) => {
      const got = reason === undefined ? verdict : `${verdict}: ${reason}`;
      const { [id]: expected = 'passed' } = known;
      return got.startsWith(expected) ? [] : [`${id}: ${got}; expected: ${expected}`];
    }),
    ...missing.map((id) => `${id}: no result; expected: ${known[id as RequirementId]}`),
  ];
}
