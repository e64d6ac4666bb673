import { expect, test } from 'vitest';
import type { CaseOutcome } from '../spec/case-outcome.ts';
import { requirement } from '../spec/requirements/index.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import type { RuleResult } from '../spec/verdicts.ts';
import { recordOf } from './run-record.ts';

function notTried(id: RequirementId, over: Partial<RuleResult>): CaseOutcome {
  const { level, rule } = requirement(id);
  return {
    result: { id, level, rule, verdict: 'not-tried', durationMs: 1, exchanges: 1, ...over },
    observations: [],
    shapes: { fitted: 0, misfitted: 0, misfits: [] },
    exercised: [],
  };
}

function warningsOf(outcomes: readonly CaseOutcome[], warnings: readonly string[] = []) {
  const target = { name: 'staging', addresses: { management: 'http://a/v0' }, brand: 'Svc', allow: 'read' as const };
  const end = { startedAt: '2026-10-01T00:00:00Z', outcomes, isComplete: true };
  return recordOf('0.1.0', { target, seed: 1, runs: 10, runId: 'r1' }, { warnings }, end).run.warnings;
}

const ended = (end: string, when = 'during') => ({
  missing: 'lifetime' as const,
  reason: `credentials.admin ended at ${end}, ${when} the run`,
});

test('a credential that ended before or during the run is the first warning, once for all its rules', () => {
  const outcomes = [
    notTried('metrics.group-by.at-most-three', ended('2026-10-01T00:01:00Z')),
    notTried('metrics.enums.group-by-values', ended('2026-10-01T00:01:00Z')),
    notTried('naming.name.at-most-49', ended('2026-10-01T00:02:00Z', 'before')),
    notTried('naming.name.valid-accepted', { missing: 'destroy', reason: 'allow: destroy' }),
  ];
  expect(warningsOf(outcomes, ['GET /accounts returned HTML.'])).toEqual([
    'credentials.admin ended at 2026-10-01T00:01:00Z, during the run: 2 rules that need it could not be tried.',
    'credentials.admin ended at 2026-10-01T00:02:00Z, before the run: a rule that needs it could not be tried.',
    'GET /accounts returned HTML.',
  ]);
});

test('without one, a run has no such warning', () => {
  const outcomes = [notTried('naming.name.valid-accepted', { missing: 'destroy', reason: 'allow: destroy' })];
  expect(warningsOf(outcomes)).toBeUndefined();
});
