import { expect, test } from 'vitest';
import { headline } from './headline.ts';

const mustRules = { tried: 5, all: 6 };

test.each<[string, Parameters<typeof headline>[0]]>([
  ['Every rule that was tried held', { mustRules }],
  ['No must rule was tried', { mustRules: { tried: 0, all: 6 } }],
  ['The run was cut short', { mustRules, cause: { kind: 'cut-short', count: 1 } }],
  ['1 rule failed', { mustRules, cause: { kind: 'failed', count: 1 } }],
  ['2 rules failed', { mustRules, cause: { kind: 'failed', count: 2 } }],
  ['The list of known failures is out of date', { mustRules, cause: { kind: 'out-of-date', count: 2 } }],
  ['1 rule not tried, but seen broken', { mustRules, cause: { kind: 'seen-broken', count: 1 } }],
  ['2 rules could not be judged', { mustRules, cause: { kind: 'error', count: 2 } }],
  ['The oracle finds the harness at fault', { mustRules, cause: { kind: 'oracle', count: 3 } }],
  ['1 must rule not tried', { mustRules, cause: { kind: 'untried', count: 1 } }],
])('%s', (said, data) => {
  expect(headline(data)).toBe(said);
});
