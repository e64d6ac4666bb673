import { expect, test } from 'vitest';
import type { RuleResult } from '../../spec/verdicts.ts';
import { unexpectedVerdicts } from './unexpected-verdicts.ts';

const result = (verdict: RuleResult['verdict'], reason?: string): RuleResult =>
  ({ id: 'oauth.code.good-once', verdict, ...(reason !== undefined && { reason }) }) as RuleResult;
const known = { 'oauth.code.good-once': 'failed: status 200' };

test('a rule that is not listed must pass', () => {
  expect(unexpectedVerdicts([result('passed')], {})).toEqual([]);
  expect(unexpectedVerdicts([result('failed', 'status 200')], {})).toEqual([
    'oauth.code.good-once: failed: status 200; expected: passed',
  ]);
});

test('a rule that is listed must have the verdict and the reason', () => {
  expect(unexpectedVerdicts([result('failed', 'status 200, expected status 400')], known)).toEqual([]);
  for (const other of [result('failed', 'no token'), result('passed'), result('not-tried', 'status 200')])
    expect(unexpectedVerdicts([other], known)).toHaveLength(1);
});

test('a rule that is listed must have a result', () => {
  expect(unexpectedVerdicts([], known)).toEqual(['oauth.code.good-once: no result; expected: failed: status 200']);
});
