/** Checks the coverage section of a report. */
import { expect, test } from 'vitest';
import type { CaseOutcome } from '../spec/case-outcome.ts';
import { elements } from '../spec/elements/elements.ts';
import type { RuleResult } from '../spec/verdicts.ts';
import { coverageLine } from './coverage-line.ts';
import { coverageOf, isUnexplained } from './coverage.ts';

const result: RuleResult = {
  id: 'images.cleanup.answer-shape',
  level: 'must',
  rule: '',
  verdict: 'passed',
  durationMs: 1,
  exchanges: 1,
};
const outcomeWith = (exercised: CaseOutcome['exercised']): CaseOutcome => ({
  result,
  observations: [],
  shapes: { fitted: 0, misfitted: 0, misfits: [] },
  exercised,
});
const deletion = { operation: 'deleteUnusedImages', element: 'response 200 deleted' } as const;

test('elements that any case exercised are not missing', () => {
  expect(coverageOf([], []).exercised).toBe(0);
  const found = coverageOf([outcomeWith([deletion]), outcomeWith([])], [result]);
  expect(found).toMatchObject({ elements: elements.length, exercised: 1 });
  expect(found.missing).toHaveLength(elements.length - 1);
  expect(coverageOf([outcomeWith(elements)], [result]).missing).toEqual([]);
});

test.each([
  ['deleteUnusedImages', 'response 200 deleted', 'no response contained it', true],
  ['getAccountMetrics', 'without query startTime', 'no request had only this error', true],
  ['getAccountMetrics', 'query resolution = daily', 'no accepted request contained it', true],
  ['updateAgent', 'response 500', 'no documented request causes a server error', false],
])('%s %s: %s', (operation, element, why, unexplained) => {
  const missing = coverageOf([], []).missing.find((each) => each.operation === operation && each.element === element);
  expect(missing?.why).toBe(why);
  expect(missing && isUnexplained(missing)).toBe(unexplained);
});

test('a rule that was not tried is a reason', () => {
  const untried: RuleResult = { ...result, verdict: 'not-tried', reason: 'destroy' };
  const reasonOf = (name: string) =>
    coverageOf([], [untried]).missing.find(
      ({ operation, element }) => operation === deletion.operation && element === name,
    )?.why;
  expect(reasonOf(deletion.element)).toBe('images.cleanup.answer-shape was not tried: destroy');
  expect(reasonOf('header Svc-Version')).toBe('images.cleanup.answer-shape was not tried: destroy');
});

test('100 % means all', () => {
  expect(coverageLine({ elements: 2000, exercised: 1999, missing: [] })).toBe(
    '1999 of 2000 documented elements exercised (99.9 %).',
  );
});
