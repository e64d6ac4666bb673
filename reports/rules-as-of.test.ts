import { expect, test } from 'vitest';
import type { AssayVersion } from '../spec/assay-versions.ts';
import type { CaseOutcome } from '../spec/case-outcome.ts';
import { requirement, requirements } from '../spec/requirements/index.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import type { Report, RuleResult, RunFacts } from '../spec/verdicts.ts';
import { compareReports } from './diff/compare-reports.ts';
import { exitCodeOf } from './failure-causes.ts';
import { toJunit } from './junit.ts';
import { MergeError, mergeShards } from './merge.ts';
import { buildReport } from './report.ts';
import { toSummary } from './summary.ts';
import { styleFor, terminalReport } from './terminal.ts';

const OLD = 'metrics.group-by.at-most-three';
/** A made-up must rule of a later version. */
const NEWER = 'metrics.group-by.made-up' as RequirementId;
const catalogue = [...requirements, { ...requirement(OLD), id: NEWER, since: '0.2.0' as AssayVersion }];

const run: RunFacts = {
  id: 'r1',
  seed: 1,
  runs: 10,
  startedAt: '2026-10-01T00:00:00Z',
  endedAt: '2026-10-01T00:00:02Z',
  assay: '0.2.0',
  shard: null,
  complete: true,
};
const target = { name: 'staging', addresses: { management: 'http://a/v0' }, brand: 'Svc', allow: 'read' as const };
const failed = {
  verdict: 'failed',
  reason: 'status 200, expected 400',
  counterexample: { input: {}, seed: 1, path: '', curl: '', expected: 'status 400', actual: 'status 200' },
} as const;

function outcome({ id, level, rule }: (typeof catalogue)[number], over: Partial<RuleResult> = {}): CaseOutcome {
  const verdict = level === 'must' ? 'passed' : 'observed';
  return {
    result: { id, level, rule, verdict, durationMs: 1, exchanges: 2, ...over },
    observations: [],
    shapes: { fitted: 0, misfitted: 0, misfits: [] },
    exercised: [],
  };
}

/** Everything else passes. */
const outcomesWith = (id: RequirementId, over: Partial<RuleResult>): CaseOutcome[] =>
  catalogue.map((rule) => outcome(rule, rule.id === id ? over : {}));
const reportOf = (id: RequirementId, over: Partial<RuleResult>, facts: Partial<RunFacts> = {}): Report =>
  buildReport({ run: { ...run, ...facts }, target, outcomes: outcomesWith(id, over) }, catalogue);
const resultOf = (report: Report, id: string) => report.requirements.find((result) => result.id === id);
const asOf = { rulesAsOf: '0.1.0' };

test('a newer rule that fails is listed as observed and does not fail the run', () => {
  const report = reportOf(NEWER, failed, asOf);
  expect(resultOf(report, NEWER)).toMatchObject({
    level: 'observe',
    verdict: 'observed',
    newer: { since: '0.2.0', verdict: 'failed' },
    reason: 'failed (status 200, expected 400); newer than --rules-as-of 0.1.0 (since 0.2.0), so it does not count',
  });
  expect(exitCodeOf(report)).toBe(0);
  expect(report.run.rulesAsOf).toBe('0.1.0');
  const terminal = terminalReport(report, styleFor({ write: () => true })).replaceAll(/\s+/g, ' ');
  for (const text of [terminal, toSummary(report, 'r')]) {
    expect(text).toContain('ewer rules that failed');
    expect(text).toContain(`${NEWER}: failed (status 200`);
  }
  expect(toJunit(report, 'r')).toMatch(/made-up"[^>]*>\s*<system-out>\s*<!\[CDATA\[failed \(status 200/);
});

test.each([
  ['an old rule that fails', reportOf(OLD, failed, asOf)],
  ['a newer rule without --rules-as-of', reportOf(NEWER, failed)],
  ['a rule of that version', reportOf(NEWER, failed, { rulesAsOf: '0.2.0' })],
])('%s fails the run', (_, report) => {
  expect(exitCodeOf(report)).toBe(1);
});

test('a newer rule that passes, or is not tried in a strict run, does not count either', () => {
  const passed = reportOf(NEWER, {}, asOf);
  expect(resultOf(passed, NEWER)).toMatchObject({ verdict: 'observed', newer: { verdict: 'passed' } });
  const untried = reportOf(NEWER, { verdict: 'not-tried', reason: 'a model' }, { ...asOf, strict: true });
  expect(resultOf(untried, NEWER)).toMatchObject({ verdict: 'not-tried', newer: { verdict: 'not-tried' } });
  expect([passed, untried].map(exitCodeOf)).toEqual([0, 0]);
});

test('a newer rule that a user lists as a known failure is not judged', () => {
  const knownFailures = [{ id: NEWER, reason: 'old gateway' }];
  const record = { run: { ...run, ...asOf }, target, outcomes: outcomesWith(NEWER, {}), knownFailures };
  const report = buildReport(record, catalogue);
  expect(report.knownFailures).toMatchObject([{ state: 'not-judged' }]);
  expect(exitCodeOf(report)).toBe(0);
});

test('shards merge only if all have the same version of the rules', () => {
  const shards = [1, 2].map((index) => ({
    run: { ...run, id: `r${index}`, shard: `${index}/2`, ...asOf },
    target,
    outcomes: outcomesWith(NEWER, failed).filter((_, place) => place % 2 === index - 1),
  }));
  expect(exitCodeOf(buildReport(mergeShards(shards), catalogue))).toBe(0);
  const [first, second] = shards as [(typeof shards)[0], (typeof shards)[0]];
  const { rulesAsOf: _, ...facts } = second.run;
  expect(() => mergeShards([first, { ...second, run: facts }])).toThrow(MergeError);
});

test('a comparison ignores whether only one of the runs had --rules-as-of, and no newer rule is a regression', () => {
  const [plainFailed, observedFailed] = [reportOf(NEWER, failed), reportOf(NEWER, failed, asOf)];
  expect(compareReports(observedFailed, plainFailed)).toMatchObject({ verdicts: [], worse: [] });
  const failing = compareReports(reportOf(NEWER, {}, asOf), observedFailed);
  expect(failing.verdicts).toMatchObject([
    { first: { verdict: 'passed' }, second: { verdict: 'failed' }, worse: false },
  ]);
  expect(failing.worse).toEqual([]);
  expect(compareReports(reportOf(NEWER, {}), plainFailed).worse).toEqual([`${NEWER}: failed, was passed.`]);
});
