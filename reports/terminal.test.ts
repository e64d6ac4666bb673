import { expect, test } from 'vitest';
import type { Report, RuleResult } from '../spec/verdicts.ts';
import { FAILED_RULE, METRICS_RULE, sampleReport } from './html/sample-run.ts';
import { summarize } from '../spec/verdicts.ts';
import { styleFor, terminalReport } from './terminal.ts';
import { INTERRUPTED, SKIPPED } from './unmet-needs.ts';

const having = (...changes: [id: string, over: Partial<RuleResult>][]): Report => {
  const report = sampleReport();
  const requirements = report.requirements.map((result) => ({
    ...result,
    ...changes.find(([id]) => id === result.id)?.[1],
  }));
  return { ...report, requirements, summary: summarize(requirements, report.summary.exchanges) };
};
const lastLine = (report: Report, previous?: Report): string =>
  terminalReport(report, styleFor({ write: () => true }), { previous })
    .trimEnd()
    .split('\n')
    .at(-1)!;

const now = having([FAILED_RULE, { verdict: 'passed' }]);
const { passed, failed } = now.summary;

test('the last line says what has changed since the previous run', () => {
  expect(lastLine(now, sampleReport())).toContain(`${passed} passed (+1), ${failed} failed (−1)`);
  expect(lastLine(sampleReport(), now)).toContain(`${passed - 1} passed (−1), ${failed + 1} failed (+1)`);
});

test('without a previous run, and without a change, the last line has only the counts', () => {
  for (const previous of [undefined, now])
    expect(lastLine(now, previous)).toContain(`${passed} passed, ${failed} failed`);
});

test('an interrupted run before is not compared with', () => {
  const before = sampleReport();
  const interrupted = { ...before, run: { ...before.run, complete: false } };
  expect(lastLine(now, interrupted)).toContain(`${passed} passed, ${failed} failed`);
});

test.each<[string, Partial<RuleResult>]>([
  ['was not selected', { verdict: 'not-tried', reason: SKIPPED }],
  ['was not started because of --bail', { verdict: 'not-tried', missing: 'bail' }],
  ['was not reached because of --time', { verdict: 'not-tried', missing: 'time' }],
  ['is not tried with --quick', { verdict: 'not-tried', missing: 'inputs' }],
  ['was not reached because of an interruption', { verdict: 'not-tried', reason: INTERRUPTED }],
])('a rule that %s in one of the runs is no change', (_, cut) => {
  expect(lastLine(now, having([FAILED_RULE, cut]))).toContain(`${passed} passed, ${failed} failed`);
  const withCut = having([FAILED_RULE, cut]);
  expect(lastLine(withCut, sampleReport())).toContain(`${withCut.summary.passed} passed, ${failed} failed`);
});

test('a rule that could not be tried before is a change', () => {
  const before = having(
    [METRICS_RULE, { verdict: 'not-tried', missing: 'agent', reason: 'agent' }],
    [FAILED_RULE, { verdict: 'passed' }],
  );
  expect(lastLine(now, before)).toContain(`${passed} passed (+1), ${failed} failed`);
});

test('the run says how many rules it did not try because of --bail', () => {
  const report = having([METRICS_RULE, { verdict: 'not-tried', missing: 'bail', reason: 'a run without --bail' }]);
  const text = terminalReport(report, styleFor({ write: () => true })).replaceAll(/\s+/g, ' ');
  expect(text).toContain(`The run stopped after ${report.summary.failed} failed rule`);
  expect(text).toContain('(--bail): 1 rule was not tried.');
});

test('a rule that passed in part says what the target refuses', () => {
  const reason = '2 of 8 inputs show nothing; missing: an agent that accepts spec.policies (status 400)';
  const text = terminalReport(having([METRICS_RULE, { verdict: 'passed', reason }]), styleFor({ write: () => true }));
  expect(text.replaceAll(/\s+/g, ' ')).toContain(`passed in part ${METRICS_RULE}: ${reason}`);
});

test('a failure says how long the run has waited', () => {
  const { requirements } = sampleReport();
  const counterexample = requirements.find(({ id }) => id === FAILED_RULE)!.counterexample!;
  const report = having([FAILED_RULE, { counterexample: { ...counterexample, waitedSeconds: 55 } }]);
  expect(terminalReport(report, styleFor({ write: () => true }))).toMatch(/^ {2}waited +55 s for delayed effects$/m);
});
