import { expect, test } from 'vitest';
import { markdown } from './teeth-matrix.ts';
import { biteOf, isKilled, soundProblems, survivalOf, toothless } from './teeth-verdict.ts';
import type { Verdicts } from './teeth-verdict.ts';

const rule = 'vpcs.create.answers-resource';
const deviation = `${rule}/labels`;
const verdicts = (own: Verdicts[string]['verdict'], others: Verdicts = {}): Verdicts => ({
  [rule]: { verdict: own, reason: 'so', milliseconds: 7 },
  ...others,
});
const red: Verdicts = { 'naming.name.immutable': { verdict: 'failed', reason: '', milliseconds: 1 } };

test('only what the case of its own rule fails for is killed', () => {
  expect(isKilled(biteOf(deviation, verdicts('failed')))).toBe(true);
  for (const verdict of ['passed', 'not-tried', 'error'] as const)
    expect(isKilled(biteOf(deviation, verdicts(verdict, red)))).toBe(false);
  expect(isKilled(biteOf(deviation, red))).toBe(false);
});

test('what survives is told with what its own case came to, and what else it turned red', () => {
  expect(survivalOf(biteOf(deviation, verdicts('passed', red)))).toBe(
    `${deviation} survived: passed so; also red: naming.name.immutable`,
  );
  expect(survivalOf(biteOf(deviation, {}))).toBe(`${deviation} survived: its rule has no case`);
});

test('whatever is not passed on a sound mock is a problem, and so is a rule that no deviation breaks', () => {
  expect(soundProblems({ ...verdicts('passed'), ...red })).toEqual([
    'naming.name.immutable is failed on a sound mock: ',
  ]);
  expect(toothless([rule, 'naming.name.immutable'], [deviation])).toEqual(['naming.name.immutable']);
});

test('the matrix tells what was not tried from what stayed green', () => {
  expect(markdown([biteOf(deviation, verdicts('failed'))], [], '')).toMatch(
    /only that case was tried[^]*\| 7 \| not tried \|/,
  );
  const passed: Verdicts = { 'naming.name.immutable': { verdict: 'passed', reason: '', milliseconds: 1 } };
  expect(markdown([biteOf(deviation, verdicts('failed', passed))], [], '')).toMatch(/\| 7 \|  \|/);
  expect(markdown([biteOf(deviation, verdicts('passed', red))], ['a problem'], '')).toMatch(
    /- a problem[^]*\*\*survived\*\*: passed \| 7 \| naming.name.immutable/,
  );
});

test('a row of the matrix names the deviation, and its score what it was chosen by', () => {
  const bite = biteOf(deviation, verdicts('failed'));
  expect(markdown([bite], [], '')).toContain(
    `\n| ${deviation} | Returns 201 for a VPC without labels | killed | 7 | not tried |\n`,
  );
  expect(markdown([bite], [], "; of 1000, chosen by --only 'vpcs.*' --each 1")).toContain(
    "\n1 of 1 deviations killed by the case of the rule they break; of 1000, chosen by --only 'vpcs.\\*' --each 1. Against",
  );
});
