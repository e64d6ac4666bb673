/** Tests the verdicts of the report: there are six, each counted under its own name. */
import { expect, test } from 'vitest';
import { summarize, verdicts } from './verdicts.ts';
import type { RuleResult, Verdict } from './verdicts.ts';

const result = (verdict: Verdict): RuleResult => ({
  id: 'metrics.group-by.at-most-three',
  level: 'must',
  rule: 'a rule',
  verdict,
  durationMs: 1,
  exchanges: 1,
});

test('a summary counts every verdict under its own name', () => {
  const results = verdicts.flatMap((verdict, index) => Array.from({ length: index + 1 }, () => result(verdict)));
  expect(summarize(results, 99)).toEqual({
    passed: 1,
    failed: 2,
    knownFailure: 3,
    notTried: 4,
    observed: 5,
    error: 6,
    exchanges: 99,
  });
});

test('an empty summary contains only zeros', () => {
  expect(Object.values(summarize([], 0))).toEqual([0, 0, 0, 0, 0, 0, 0]);
});
