/** Formats why a rule has its verdict: the counterexample if there is one, because a reason lists every mismatch. */
import type { RuleResult } from '../spec/verdicts.ts';

export const formatReason = ({ reason = '', counterexample, newer }: RuleResult): string =>
  counterexample === undefined || newer !== undefined
    ? reason
    : `${counterexample.actual}, expected ${counterexample.expected}`;
