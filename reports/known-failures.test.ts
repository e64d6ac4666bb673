import { expect, test } from 'vitest';
import { missingOperation } from '../spec/missing-operation.ts';
import { requirement, requirements } from '../spec/requirements/index.ts';
import type { KnownFailure, Report, RuleResult, Verdict } from '../spec/verdicts.ts';
import { exitCodeOf } from './failure-causes.ts';
import { applyKnownFailures } from './known-failures.ts';
import { buildReport } from './report.ts';
import type { RunRecord } from './report.ts';
import { styleFor, terminalReport } from './terminal.ts';

const ID = 'metrics.group-by.at-most-three';
const run = {
  id: 'r1',
  seed: 1,
  runs: 10,
  startedAt: '2026-10-01T12:00:00Z',
  endedAt: '2026-10-01T12:00:02Z',
  assay: '0.1.0',
  shard: null,
  complete: true,
};
const target = { name: 'staging', addresses: {}, brand: 'Svc', allow: 'read' as const };
const entry: KnownFailure = { id: ID, reason: 'old gateway', ticket: 'GW-7', expires: '2026-10-01' };

function reportOf(
  verdict: Verdict,
  known: readonly KnownFailure[],
  strict = false,
  over: Partial<RunRecord> = {},
): Report {
  const { level, rule } = requirement(ID);
  return buildReport({
    run: { ...run, ...(strict ? { strict } : {}) },
    target,
    outcomes: requirements
      .filter(({ id }) => over.selected?.includes(id) !== false)
      .map((each) => ({
        result:
          each.id === ID
            ? { id: ID, level, rule, verdict, durationMs: 1, exchanges: 1 }
            : { id: each.id, level: each.level, rule: each.rule, verdict: 'not-tried', durationMs: 0, exchanges: 0 },
        observations: [],
        shapes: { fitted: 0, misfitted: 0, misfits: [] },
        exercised: [],
      })),
    knownFailures: known,
    ...over,
  });
}

const ending = (report: Report) => ({
  code: exitCodeOf(report),
  verdict: report.requirements.find(({ id }) => id === ID)?.verdict,
  state: report.knownFailures?.[0]?.state,
});
const text = (report: Report): string => terminalReport(report, styleFor({ write: () => true }));

test('a known failure does not fail the run, including on its last day', () => {
  const report = reportOf('failed', [entry]);
  expect(ending(report)).toEqual({ code: 0, verdict: 'known-failure', state: 'failed' });
  expect(report.summary).toMatchObject({ failed: 0, knownFailure: 1 });
  expect(text(report)).toContain(`${ID}: old gateway, GW-7, until 2026-10-01`);
});

test('an entry without `expires` never expires', () => {
  expect(ending(reportOf('failed', [{ id: ID, reason: 'r' }]))).toMatchObject({ code: 0, state: 'failed' });
});

test('an unlisted failure fails the run', () => {
  expect(ending(reportOf('failed', []))).toMatchObject({ code: 1, verdict: 'failed' });
});

test('a listed rule that passes is outdated and fails the run', () => {
  const report = reportOf('passed', [entry]);
  expect(ending(report)).toEqual({ code: 1, verdict: 'passed', state: 'passed' });
  expect(text(report)).toContain('remove it from the list');
});

test('an expired entry whose rule passes should be removed, not extended', () => {
  const report = reportOf('passed', [{ ...entry, expires: '2026-09-30' }]);
  expect(ending(report)).toEqual({ code: 1, verdict: 'passed', state: 'passed' });
  expect(text(report)).not.toContain('later day');
});

test.each<Verdict>(['failed', 'not-tried'])('an expired entry fails the run if its rule is %s', (verdict) => {
  const report = reportOf(verdict, [{ ...entry, expires: '2026-09-30' }]);
  expect(ending(report)).toEqual({ code: 1, verdict, state: 'expired' });
  expect(text(report)).toContain('that day is over');
});

test('an entry whose rule was not tried is not judged', () => {
  expect(ending(reportOf('not-tried', [entry]))).toEqual({ code: 1, verdict: 'not-tried', state: 'not-judged' });
});

test('a strict run fails if a must rule is not tried', () => {
  const report = reportOf('passed', [], true);
  expect(exitCodeOf(report)).toBe(1);
  expect(exitCodeOf(reportOf('passed', []))).toBe(0);
  const must = requirements.filter(({ level }) => level === 'must').length;
  expect(text(report)).toContain(`--strict: ${must - 1} of ${must} must rules were not tried`);
});

test('skipped rules do not count as not tried', () => {
  expect(exitCodeOf(reportOf('passed', [], true, { selected: [ID] }))).toBe(0);
  expect(exitCodeOf(reportOf('not-tried', [], true, { selected: [ID] }))).toBe(1);
});

test.each([
  ['metrics.group-by.*', 'a glob'],
  ['GET /accounts/{accountId}/metrics', 'a route'],
  ['getAccountMetrics', 'an operationId'],
])('%s lists every rule that it covers', (id) => {
  const listed = reportOf('failed', [{ ...entry, id }]);
  expect(ending(listed).code).toBe(0);
  expect(listed.knownFailures?.[0]).toMatchObject({ id, state: 'failed' });
  expect(listed.knownFailures?.[0]?.rules).toContain(ID);
  expect(reportOf('passed', [{ ...entry, id }]).knownFailures?.[0]?.state).toBe('not-judged');
  expect(exitCodeOf(reportOf('failed', [{ ...entry, id: 'vpcs.*' }]))).toBe(1);
  const expired = { startedAt: '2026-10-02T12:00:00Z' };
  expect(exitCodeOf(reportOf('failed', [{ ...entry, id }], false, { run: { ...run, ...expired } }))).toBe(1);
});

test('a rule that waits for a listed operation is a known failure', () => {
  const { level, rule } = requirement(ID);
  const result: RuleResult = {
    id: ID,
    level,
    rule,
    durationMs: 1,
    exchanges: 1,
    verdict: 'not-tried',
    missing: missingOperation('POST /vpcs'),
  };
  const verdictFor = (id: string) => applyKnownFailures(result, { ...run, ...target }, [{ ...entry, id }]).verdict;
  expect(verdictFor('createVpc')).toBe('known-failure');
  expect(verdictFor('vpcs.*')).toBe('not-tried');
  // The rule names it, and does not wait for it.
  expect(verdictFor('getAccountMetrics')).toBe('not-tried');
});

test.each([
  // It names 23 operations, and may have failed because of another one.
  ['auth.management.credential-required', 'failed', 'not-judged', 1],
  ['vpcs.create.envelope-required', 'known-failure', 'failed', 0],
] as const)('with POST /vpcs listed, a failure of %s is %s', (id, verdict, state, code) => {
  expect(requirement(id).operations).toContain('createVpc');
  const report = buildReport({
    run,
    target,
    outcomes: requirements.map(({ id: each, level, rule }) => ({
      result: {
        id: each,
        level,
        rule,
        durationMs: 1,
        exchanges: 1,
        verdict: each === id ? ('failed' as const) : ('passed' as const),
      },
      observations: [],
      shapes: { fitted: 0, misfitted: 0, misfits: [] },
      exercised: [],
    })),
    knownFailures: [{ id: 'POST /vpcs', reason: 'later' }],
  });
  expect(report.requirements.find((each) => each.id === id)?.verdict).toBe(verdict);
  expect(exitCodeOf(report)).toBe(code);
  const [listed] = report.knownFailures ?? [];
  expect([listed?.state, listed?.rules?.includes(id)]).toEqual([state, code === 0]);
});
