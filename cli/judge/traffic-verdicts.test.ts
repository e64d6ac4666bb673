import { expect, test } from 'vitest';
import type { MustId } from '../../spec/requirements/index.ts';
import type { Finding, JudgeBook } from '../../suites/judge/judge-book.ts';
import { outcomesOf } from './traffic-verdicts.ts';

const rule: MustId = 'metrics.resolution.explicit-echoed';

function bookOf(missing: readonly string[]): JudgeBook {
  const finding: Finding = { judged: 2, violations: 0, first: undefined, missing, unknown: new Map() };
  return { see: () => new Map(), judge: () => new Map(), findings: () => new Map([[rule, finding]]) };
}

const verdictOn = (...books: JudgeBook[]) =>
  outcomesOf(
    {
      books,
      failures: new Map(),
      operations: new Map(),
      exercised: [],
      shapes: { fitted: 0, misfitted: 0, misfits: [] },
    },
    (id) => id === rule,
  ).map(({ result: { verdict, reason } }) => ({ verdict, reason }));

test('a rule passes if the recordings together show it in each of its contexts', () => {
  expect(verdictOn(bookOf([]))).toEqual([{ verdict: 'passed', reason: undefined }]);
  expect(verdictOn(bookOf(['with resolution=daily']), bookOf(['with resolution=weekly']))).toMatchObject([
    { verdict: 'passed' },
  ]);
});

test('a rule that was not seen in one of its contexts is not tried, and names it', () => {
  expect(verdictOn(bookOf(['with resolution=weekly']))).toEqual([
    {
      verdict: 'not-tried',
      reason: 'the traffic shows it in 2 exchanges, but not with resolution=weekly',
    },
  ]);
});
