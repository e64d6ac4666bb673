import { expect, test } from 'vitest';
import { headline } from './headline.ts';
import type { Judged } from './headline.ts';

type Over = Partial<Judged> & { failed?: number; error?: number; complete?: boolean; strict?: true };

function judged({ failed = 0, error = 0, complete = true, strict, ...over }: Over): Judged {
  const run = { complete, ...(strict === undefined ? {} : { strict }) };
  return { exitCode: 0, mustRules: { tried: 5, all: 6 }, report: { run, summary: { failed, error } }, ...over };
}

test.each<[string, Over]>([
  ['Every rule that was tried held', {}],
  ['1 rule failed', { failed: 1, error: 2, exitCode: 1 }],
  ['2 rules failed', { failed: 2, exitCode: 1 }],
  ['2 rules could not be judged', { error: 2, exitCode: 3 }],
  ['The oracle finds the harness at fault', { exitCode: 3 }],
  ['The run was cut short', { failed: 2, complete: false, exitCode: 3 }],
  ['No must rule was tried', { mustRules: { tried: 0, all: 6 } }],
  ['1 must rule not tried', { strict: true, exitCode: 1 }],
  ['The list of known failures is out of date', { exitCode: 1 }],
])('%s', (said, over) => {
  expect(headline(judged(over))).toBe(said);
});
