import { expect, test } from 'vitest';
import { sampleReport } from '../../reports/html/sample-run.ts';
import { missingOperation } from '../../spec/missing-operation.ts';
import { SKIPPED } from '../../reports/unmet-needs.ts';
import { REMOVABLE_AGENT_NEEDED } from '../../spec/requirements/need-advice.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import { selectFailed } from './select-failed.ts';

const [first, second, third] = sampleReport().requirements.map(({ id }) => id);

/** The latest report, in which all other rules passed. */
function latest(over: Partial<RuleResult>, others: Partial<RuleResult> = { verdict: 'passed' }) {
  const results = sampleReport().requirements.map((result) => ({
    ...result,
    ...(result.id === first ? { verdict: 'failed' as const } : result.id === second ? over : others),
  }));
  return { folder: `${process.cwd()}/reports/out/last`, report: { ...sampleReport(), requirements: results } };
}

/** The rules that --failed selects among these, or the message that there are none. */
function idsOrNone(report: ReturnType<typeof latest>, selected: RequirementId[]) {
  try {
    return selectFailed(report, 'mine', selected);
  } catch (error) {
    return /none of the selected rules failed/.exec(String(error))?.[0];
  }
}

test.each<[string, boolean, Partial<RuleResult>]>([
  ['failed', true, { verdict: 'failed' }],
  ['had an error', true, { verdict: 'error' }],
  ['was not started because of --bail', true, { verdict: 'not-tried', missing: 'bail' }],
  ['was not reached in time', true, { verdict: 'not-tried', missing: 'time' }],
  ['waited for an operation', true, { verdict: 'not-tried', missing: missingOperation('POST /vpcs') }],
  ['lacked what the target did not do', true, { verdict: 'not-tried', reason: 'an agent that accepts updates' }],
  ['lacked an agent that the target removes', true, { verdict: 'not-tried', reason: REMOVABLE_AGENT_NEEDED }],
  ['lacks what the target file does not have', false, { verdict: 'not-tried', missing: 'agent', reason: 'agent' }],
  ['was not selected', false, { verdict: 'not-tried', reason: SKIPPED }],
  ['passed', false, { verdict: 'passed' }],
])('a rule that %s: selected is %s', (_, isSelected, over) => {
  expect(selectFailed(latest(over), 'mine')).toEqual(isSelected ? [first, second] : [first]);
  const others = requirements.map(({ id }) => id).filter((id) => id !== first);
  expect(idsOrNone(latest(over), others)).toEqual(isSelected ? [second] : 'none of the selected rules failed');
});

test('a rule whose case sent what broke another one is tried again', () => {
  const { counterexample } = sampleReport().requirements.find((each) => each.counterexample !== undefined)!;
  const sent = { ...counterexample!, input: { requirement: third } };
  expect(selectFailed(latest({ verdict: 'failed', counterexample: sent }), 'mine')).toEqual([first, second, third]);
});

test('--only and --skip count as well', () => {
  expect(selectFailed(latest({ verdict: 'failed' }), 'mine', [second!])).toEqual([second]);
});

test('without a report, and if nothing failed, the message says so', () => {
  expect(() => selectFailed(undefined, 'mine')).toThrow('no report of mine was found');
  expect(() => selectFailed(latest({ verdict: 'passed' }), 'mine', [third!])).toThrow(
    'none of the selected rules failed in the latest report of mine, reports/out/last',
  );
});
