/** How the page speaks of verdicts: failures first. */
import type { RuleResult, Verdict } from '../../../spec/verdicts.ts';

export interface VerdictWords {
  readonly verdict: Verdict;
  readonly title: string;
  /** Told apart without colour, too. */
  readonly sign: string;
  readonly means: string;
}

/** In the order in which a reader wants them. */
export const verdicts: readonly VerdictWords[] = [
  { verdict: 'failed', title: 'Failed', sign: '✕', means: 'An answer broke the rule.' },
  {
    verdict: 'error',
    title: 'Errors',
    sign: '!',
    means: 'Trouble of the harness or the network; says nothing of the target.',
  },
  { verdict: 'known-failure', title: 'Known failures', sign: '≈', means: 'Failed, and listed as known.' },
  {
    verdict: 'not-tried',
    title: 'Not tried',
    sign: '–',
    means: 'A need is missing, nothing came up to judge, or the run left it out.',
  },
  {
    verdict: 'observed',
    title: 'Observed',
    sign: '○',
    means: 'The document is silent; what the target does is recorded.',
  },
  { verdict: 'passed', title: 'Passed', sign: '✓', means: 'Tried, and every answer held.' },
];

export const verdictWords = (verdict: Verdict): VerdictWords =>
  verdicts.find((each) => each.verdict === verdict) as VerdictWords;

export const areaOf = ({ id }: Pick<RuleResult, 'id'>): string => id.slice(0, id.indexOf('.'));
