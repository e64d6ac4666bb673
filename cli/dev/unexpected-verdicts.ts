/** Compares the verdicts about a server with what is known of it. */
import type { CaseOutcome } from '../../spec/case-outcome.ts';
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

/** Writes how many verdicts are right, and which are not: then this program exits with 1. */
export function writeVerdicts(server: string, outcomes: readonly CaseOutcome[], known: KnownVerdicts): void {
  const results = outcomes.map(({ result }) => result);
  const wrong = unexpectedVerdicts(results, known);
  process.stdout.write(`${server}: ${results.length - wrong.length} of ${results.length} verdicts are right.\n`);
  for (const line of wrong) process.stdout.write(`  ${line}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}
