/** The fixed words of a report. Apart from its schema, so that a run writes reports without loading zod. */

/**
 * What a run says of a requirement.
 * `passed`: something was tried and held. `failed`: an answer broke the rule. `known-failure`: failed, and listed as known.
 * `not-tried`: a need is missing, or nothing came up to judge. `observed`: an observe rule whose behaviour was recorded.
 * `error`: trouble of the harness or of the network; says nothing of the target.
 */
export const verdicts = ['passed', 'failed', 'known-failure', 'not-tried', 'observed', 'error'] as const;
export type Verdict = (typeof verdicts)[number];

/** The version of the report form that this package writes. */
export const REPORT_FORM = 1;

/**
 * `failed`: it fails, as listed. `passed`: it no longer does, so the entry is stale. `expired`: its last day was before the
 * run began, whatever the verdict. `not-judged`: the run says nothing of it. Stale and expired entries make the run fail.
 */
export const knownFailureStates = ['failed', 'passed', 'expired', 'not-judged'] as const;
