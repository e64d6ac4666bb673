/** Why a rule has its verdict, each kind of mismatch once: a reason says every single one. */
import type { RuleResult } from '../spec/verdicts.ts';

export const whyOf = ({ reason = '', counterexample }: RuleResult): string =>
  counterexample === undefined ? reason : `${counterexample.actual}, expected ${counterexample.expected}`;
