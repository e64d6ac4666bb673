import { expect, test } from 'vitest';
import { requirements } from '../../spec/requirements/index.ts';
import { markdown } from './teeth-matrix.ts';
import { teethResultOf, isKilled, baselineProblems, describeSurvivor, rulesWithoutDeviation } from './teeth-verdict.ts';
import type { Verdicts } from './teeth-verdict.ts';

const rule = 'vpcs.create.answers-resource';
const deviation = `${rule}/returns-201-for-a-vpc-without-labels`;
const verdicts = (own: Verdicts[string]['verdict'], others: Verdicts = {}): Verdicts => ({
  [rule]: { verdict: own, reason: 'so', milliseconds: 7, exchanges: 1 },
  ...others,
});
const red: Verdicts = { 'naming.name.immutable': { verdict: 'failed', reason: '', milliseconds: 1, exchanges: 1 } };

test('a deviation is killed only if the case of its own rule fails', () => {
  expect(isKilled(teethResultOf(deviation, verdicts('failed')))).toBe(true);
  for (const verdict of ['passed', 'not-tried', 'error'] as const)
    expect(isKilled(teethResultOf(deviation, verdicts(verdict, red)))).toBe(false);
  expect(isKilled(teethResultOf(deviation, red))).toBe(false);
});

test('a survivor is described with the verdict of its own case and the other rules that failed', () => {
  expect(describeSurvivor(teethResultOf(deviation, verdicts('passed', red)))).toBe(
    `${deviation} survived: passed so; also red: naming.name.immutable`,
  );
  expect(describeSurvivor(teethResultOf(deviation, {}))).toBe(`${deviation} survived: its rule has no case`);
});

test('a rule that does not pass without deviations is a problem, and so is a rule without a deviation', () => {
  expect(baselineProblems({ ...verdicts('passed'), ...red })).toEqual([
    'naming.name.immutable is failed on a mock without deviations: ',
  ]);
  expect(rulesWithoutDeviation([rule, 'naming.name.immutable'], [deviation])).toEqual(['naming.name.immutable']);
});

test('the matrix distinguishes rules that did not run from rules that passed', () => {
  expect(markdown([teethResultOf(deviation, verdicts('failed'))], [], '')).toMatch(
    /Only that case ran[^]*\| 7 \| not tried \|/,
  );
  const passed: Verdicts = {
    'naming.name.immutable': { verdict: 'passed', reason: '', milliseconds: 1, exchanges: 1 },
  };
  expect(markdown([teethResultOf(deviation, verdicts('failed', passed))], [], '')).toMatch(/\| 7 \|  \|/);
  expect(markdown([teethResultOf(deviation, verdicts('passed', red))], ['a problem'], '')).toMatch(
    /- a problem[^]*\*\*survived\*\*: passed \| 7 \| naming.name.immutable/,
  );
});

test('a row contains the deviation, and the score contains the selection', () => {
  const result = teethResultOf(deviation, verdicts('failed'));
  expect(markdown([result], [], '')).toContain(
    `\n| ${deviation} | Returns 201 for a VPC without labels | killed | 7 | not tried |\n`,
  );
  expect(markdown([result], [], "; of 1000, selected by --only 'vpcs.*' --each 1")).toContain(
    "\n1 of 1 deviations killed by the case of the rule they break; of 1000, selected by --only 'vpcs.\\*' --each 1. Only",
  );
});

test('every must rule has a deviation', () => {
  const mustRules = requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
  expect(rulesWithoutDeviation(mustRules)).toEqual([]);
});
