/** Formats why a rule has its verdict: the counterexample if there is one, because a reason lists every mismatch. */
import type { RuleResult } from '../spec/verdicts.ts';

export const formatReason = ({ reason = '', counterexample }: RuleResult): string =>
  counterexample === undefined ? reason : `${counterexample.actual}, expected ${counterexample.expected}`;
