/** Tests which side is blamed when our validator, Prism and the catalogue disagree, and the exit code of the run. */
import { describe, expect, test } from 'vitest';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import type { OracleMisfit, OracleTally } from '../../spec/oracle.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { RuleResult, Verdict } from '../../spec/verdicts.ts';
import { exitCodeOf } from '../failure-causes.ts';
import { buildReport } from '../report.ts';
import type { RunRecord } from '../report.ts';
import { toBadge } from '../badge.ts';
import { annotations } from '../actions.ts';
import { styleFor, terminalReport } from '../terminal.ts';
import { toSummary } from '../summary.ts';
import { oracleLine } from './oracle-line.ts';

const SHAPES = 'resources.shapes.fit-the-schema' satisfies RequirementId;
const SANDBOX = 'errors.sandbox.body-shape' satisfies RequirementId;
const CASE = 'vpcs.create.answers-resource' satisfies RequirementId;

const proof = { sent: 5, caught: 5, missed: [], nothingToSay: ['readTree 200'] };
const finding = { at: '/metadata', says: 'must be an object' };

type MisfitOverrides = Partial<Omit<OracleMisfit, 'example'>> & { curl?: string };
/** By default, of a response that the rule about shapes specifies. */
const misfit = ({ curl = 'curl -sS http://a/vpcs', ...overrides }: MisfitOverrides): OracleMisfit => ({
  of: 'answer',
  readers: 'both',
  operation: 'createVpc',
  status: 200,
  promised: SHAPES,
  rules: [],
  count: 2,
  ...overrides,
  example: { requirement: CASE, curl, ours: [finding], prism: [finding] },
});

/** An error response of a sandbox, which the rule about shapes does not cover. */
const sandboxError = misfit({ operation: 'writeTree', status: 409, promised: SANDBOX });

const resultOf = (id: RequirementId, verdict: Verdict): RuleResult => {
  const { level, rule } = requirements.find((each) => each.id === id) as (typeof requirements)[number];
  return { id, level, rule, verdict, durationMs: 1, exchanges: 2 };
};

interface Run {
  misfits?: OracleMisfit[];
  /** The rules whose cases received them. */
  receivedBy?: RequirementId[];
  /** Of the rules that did not pass. */
  verdicts?: Partial<Record<RequirementId, Verdict>>;
  /** null: no self-check in the report. */
  canaries?: OracleTally['canaries'] | null;
  record?: Partial<RunRecord>;
}

/** A run of all rules. */
function report({ misfits = [], receivedBy = [CASE], verdicts = {}, canaries = proof, record = {} }: Run) {
  const outcomes = requirements.map(({ id, level }, index): CaseOutcome => {
    const tally = {
      checked: 3,
      requests: 2,
      nothingToSay: 1,
      leftOut: { 'a stream': 1 },
      misfits: receivedBy.includes(id) ? misfits : [],
    };
    return {
      result: resultOf(id, verdicts[id] ?? (level === 'must' ? 'passed' : 'observed')),
      observations: [],
      shapes: { fitted: 1, misfitted: 0, misfits: [] },
      exercised: [],
      oracle: index === 0 && canaries ? { canaries, ...tally } : tally,
    };
  });
  return buildReport({
    run: { id: 'r', seed: 1, runs: 1, startedAt: '', endedAt: '', assay: '0', shard: null, complete: true },
    target: { name: 't', addresses: {}, brand: 'Svc', allow: 'write' },
    outcomes: outcomes.filter(({ result }) => record.selected?.includes(result.id) !== false),
    oracle: 'prism',
    ...record,
  });
}

/** The violations, blamed sides and exit code of a run. */
function judged(run: Run) {
  const built = report(run);
  return {
    violations: built.oracle?.violations.map(({ requirement, count }) => `${requirement} ${count}`),
    blamed: built.oracle?.disagreements.map(({ blame }) => blame),
    code: exitCodeOf(built),
  };
}

describe('a response', () => {
  test.each<[string, Run, ReturnType<typeof judged>]>([
    ['valid for both validators: no blame', {}, { violations: [], blamed: [], code: 0 }],
    [
      'invalid for both validators, and the rule that specifies it failed: a violation, no disagreement',
      { misfits: [misfit({})], verdicts: { [SHAPES]: 'failed' } },
      { violations: [`${SHAPES} 2`], blamed: [], code: 1 },
    ],
    [
      'invalid for both validators, and the rule whose case received it failed: a violation, no disagreement',
      { misfits: [misfit({})], verdicts: { [CASE]: 'failed' } },
      { violations: [`${SHAPES} 2`], blamed: [], code: 1 },
    ],
    [
      'invalid for both validators, and its rule is a known failure: a violation, no disagreement',
      { misfits: [misfit({})], verdicts: { [SHAPES]: 'known-failure' } },
      { violations: [`${SHAPES} 2`], blamed: [], code: 0 },
    ],
    [
      'invalid for both validators, and no rule failed: the suites are to blame',
      { misfits: [misfit({})] },
      { violations: [`${SHAPES} 2`], blamed: ['suites'], code: 3 },
    ],
    [
      'invalid for both validators, and its rule was not tried: no blame, but the run fails',
      { misfits: [sandboxError], verdicts: { [SANDBOX]: 'not-tried' } },
      { violations: [`${SANDBOX} 2`], blamed: [], code: 1 },
    ],
    [
      'invalid for both validators, and its rule is an error: no blame, but the error is reported',
      { misfits: [sandboxError], verdicts: { [SANDBOX]: 'error' } },
      { violations: [`${SANDBOX} 2`], blamed: [], code: 3 },
    ],
    [
      'invalid only for Prism: the documents are to blame',
      { misfits: [misfit({ readers: 'prism' })] },
      { violations: [], blamed: ['documents'], code: 3 },
    ],
    [
      'invalid only for our validator: the documents are to blame, and the rule stays failed',
      { misfits: [misfit({ readers: 'ours' })], verdicts: { [SHAPES]: 'failed' } },
      { violations: [], blamed: ['documents'], code: 1 },
    ],
    [
      'valid, to a request invalid only for Prism: the documents are to blame',
      { misfits: [misfit({ of: 'request', readers: 'prism' })] },
      { violations: [], blamed: ['documents'], code: 3 },
    ],
    [
      'violates only a rule: the target is to blame',
      { verdicts: { [CASE]: 'failed' } },
      { violations: [], blamed: ['target'], code: 1 },
    ],
  ])('%s', (_, run, expected) => {
    expect(judged(run)).toEqual(expected);
  });

  test('with no documented shape violates nothing', () => {
    const { promised: _, ...free } = misfit({});
    expect(judged({ misfits: [free] })).toEqual({ violations: [], blamed: [], code: 0 });
  });

  test('belongs to the rule that specifies it, and to those of its fields', () => {
    const rules: RequirementId[] = ['resources.status.known-value', 'resources.events.record-shape'];
    const run = {
      misfits: [misfit({ rules: rules.slice(0, 1) }), misfit({ rules })],
      verdicts: { [SHAPES]: 'failed' },
    };
    const built = report(run as Run);
    expect(built.oracle?.violations).toMatchObject([{ requirement: SHAPES, rules, count: 4 }]);
    expect(toSummary(built, 'r')).toContain('resources.events.record-shape');
  });

  test('is not an error of the suites if the rule was skipped or is in another shard', () => {
    const selected = requirements.map(({ id }) => id).filter((id) => id !== SHAPES);
    const records: Partial<RunRecord>[] = [{ selected }, { shardRules: [CASE] }];
    for (const record of records)
      expect(judged({ misfits: [misfit({})], record })).toMatchObject({ blamed: [], code: 0 });
  });
});

test('a failed rule explains all violations of its operation and status', () => {
  const both = report({
    misfits: [misfit({})],
    receivedBy: [CASE, 'vpcs.create.envelope-required'],
    verdicts: { [CASE]: 'failed' },
  });
  expect(both.oracle?.violations).toMatchObject([{ requirement: SHAPES, count: 4 }]);
  expect(both.oracle?.disagreements).toEqual([]);
});

test('responses of one operation and status are grouped, with the shortest request', () => {
  const misfits = [
    misfit({ readers: 'prism', curl: 'curl -sS http://a/vpcs -d long' }),
    misfit({ readers: 'prism', curl: 'curl -sS http://a', count: 5 }),
  ];
  expect(report({ misfits }).oracle?.disagreements).toMatchObject([
    {
      blame: 'documents',
      count: 7,
      example: { curl: 'curl -sS http://a' },
      says: 'createVpc 200: violates the schema according to Prism, not according to assay',
    },
  ]);
});

test('counts of all cases are summed', () => {
  const { checked, nothingToSay, leftOut } = report({}).oracle ?? {};
  const all = requirements.length;
  expect({ checked, nothingToSay, leftOut }).toEqual({
    checked: 3 * all,
    nothingToSay: all,
    leftOut: { 'a stream': all },
  });
});

describe('a rule that was not tried, but violated according to both readers', () => {
  const run: Run = { misfits: [sandboxError], verdicts: { [SANDBOX]: 'not-tried' } };

  test('makes the run fail', () => {
    const built = report(run);
    const message = `${SANDBOX} was not tried, but assay's validator and Prism found violations of it, so the run fails.`;
    for (const text of [
      terminalReport(built, styleFor({ write: () => true })),
      toSummary(built, 'r'),
      ...annotations(built),
    ])
      expect(text.replaceAll(/\s+/g, ' ')).toContain(message);
    expect(toBadge(built)).toContain('1 violated');
  });

  test('does not fail the run if it was skipped or is a known failure', () => {
    const selected = requirements.map(({ id }) => id).filter((id) => id !== SANDBOX);
    const without = report({ ...run, record: { selected } });
    expect(without.requirements.find(({ id }) => id === SANDBOX)?.verdict).toBe('not-tried');
    const knownFailures = [{ id: SANDBOX, reason: 'an old gateway' } as const];
    expect([without, report({ ...run, record: { knownFailures } })].map(exitCodeOf)).toEqual([0, 0]);
  });
});

describe('a run whose validator self-check proves nothing is an error', () => {
  test.each<[string, NonNullable<OracleTally['canaries']>, string]>([
    ['one missed', { ...proof, caught: 4, missed: ['getVpc 200: wrong type'] }, '1 of 5 invalid responses'],
    ['none sent', { ...proof, sent: 0, caught: 0 }, 'sent no invalid response'],
  ])('%s', (_, canaries, message) => {
    const built = report({ canaries });
    expect(exitCodeOf(built)).toBe(3);
    for (const text of [
      terminalReport(built, styleFor({ write: () => true })),
      toSummary(built, 'r'),
      ...annotations(built),
    ])
      expect(text.replaceAll(/\s+/g, ' ')).toContain(message);
    expect(toSummary(built, 'r')).toContain('incomplete');
    expect(toBadge(built)).toContain('oracle error');
  });

  test('a run without a self-check is an error', () => {
    expect(exitCodeOf(report({ canaries: null }))).toBe(3);
  });
});

test('the oracle line has the figures of the run', () => {
  const { oracle } = report({
    misfits: [misfit({})],
    verdicts: { [SHAPES]: 'failed', 'naming.labels.string-values': 'failed' },
  });
  expect(oracle && oracleLine(oracle)).toBe(
    `Oracle prism: validator self-check 5 of 5, ${3 * requirements.length} responses and ${2 * requirements.length} requests checked, 2 violations of 1 rule, 1 disagreement (1 target).`,
  );
});

test('the summary shows findings and how to reproduce them, and text from a target is inert', () => {
  const summary = toSummary(report({ misfits: [misfit({ curl: 'curl `<b>`' })] }), 'r');
  expect(summary).toContain('### Oracle');
  expect(summary).toContain('` /metadata: must be an object `');
  expect(summary).toContain('`` curl `<b>` ``');
  expect(summary).toContain('Not checked: ');
});
