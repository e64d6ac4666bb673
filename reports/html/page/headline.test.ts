import { expect, test } from 'vitest';
import { headline } from './headline.ts';

const mustRules = { tried: 5 };

test.each<[string, Parameters<typeof headline>[0]]>([
  ['Every rule that was tried passed', { mustRules }],
  ['No must rule was tried', { mustRules: { tried: 0 } }],
  ['The run was interrupted', { mustRules, cause: { kind: 'interrupted', count: 1 } }],
  ['1 rule failed', { mustRules, cause: { kind: 'failed', count: 1 } }],
  ['2 rules failed', { mustRules, cause: { kind: 'failed', count: 2 } }],
  ['The list of known failures is out of date', { mustRules, cause: { kind: 'known-failures', count: 2 } }],
  ['1 rule not tried, but violated', { mustRules, cause: { kind: 'oracle-violation', count: 1 } }],
  ['2 rules ended in an error', { mustRules, cause: { kind: 'error', count: 2 } }],
  ['The oracle found errors in assay', { mustRules, cause: { kind: 'oracle-error', count: 3 } }],
  ['1 must rule not tried', { mustRules, cause: { kind: 'not-tried', count: 1 } }],
])('%s', (expected, data) => {
  expect(headline(data)).toBe(expected);
});
