import type { RequirementId } from '../spec/requirements/index.ts';
import type { RuleResult } from '../spec/verdicts.ts';

/** The other rule whose case sent what broke a rule: the counterexample names it. Undefined if its own case did. */
export function sentBy({ id, counterexample }: Pick<RuleResult, 'id' | 'counterexample'>): RequirementId | undefined {
  const sender = (counterexample?.input as { requirement?: RequirementId } | null | undefined)?.requirement;
  return sender === id ? undefined : sender;
}
