/** Titles, signs and explanations of verdicts, failures first. */
import type { RuleResult, Verdict } from '../../../spec/verdicts.ts';

export interface VerdictWords {
  readonly verdict: Verdict;
  readonly title: string;
  /** Distinguishes verdicts without color. */
  readonly sign: string;
  readonly means: string;
}

/** In the order of the page. */
export const verdicts: readonly VerdictWords[] = [
  { verdict: 'failed', title: 'Failed', sign: '✕', means: 'A response violated the rule.' },
  {
    verdict: 'error',
    title: 'Errors',
    sign: '!',
    means: 'An error in assay or the network; not a verdict on the target.',
  },
  { verdict: 'known-failure', title: 'Known failures', sign: '≈', means: 'Failed, and listed as known.' },
  {
    verdict: 'not-tried',
    title: 'Not tried',
    sign: '–',
    means: 'The target lacks something the rule needs, or the run skipped the rule.',
  },
  {
    verdict: 'observed',
    title: 'Observed',
    sign: '○',
    means: 'Not specified by the interface; what the target does is recorded.',
  },
  { verdict: 'passed', title: 'Passed', sign: '✓', means: 'Tried, and every response conforms.' },
];

/** The groups above the table of areas. */
const failing: readonly Verdict[] = ['failed', 'error'];

export const failingVerdicts = verdicts.filter(({ verdict }) => failing.includes(verdict));
export const otherVerdicts = verdicts.filter(({ verdict }) => !failing.includes(verdict));

export const verdictWords = (verdict: Verdict): VerdictWords =>
  verdicts.find((each) => each.verdict === verdict) as VerdictWords;

export const areaOf = ({ id }: Pick<RuleResult, 'id'>): string => id.slice(0, id.indexOf('.'));
