import path from 'node:path';
import { expect, test } from 'vitest';
import type { CaseOutcome, ShapeTally } from '../spec/case-outcome.ts';
import { requirement, requirements } from '../spec/requirements/index.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import type { Counterexample, RuleResult } from '../spec/verdicts.ts';
import { escapeControls, wrap } from './printable.ts';
import { createProgress } from './progress.ts';
import { exitCodeOf } from './failure-causes.ts';
import { buildReport, mustRulesTried, SCHEMA_RULE } from './report.ts';
import type { RunRecord } from './report.ts';
import { painterFor, terminalReport } from './terminal.ts';

const MUST = 'metrics.group-by.at-most-three';
const run = {
  id: 'r1',
  seed: 1,
  runs: 10,
  startedAt: '2026-10-01T00:00:00Z',
  endedAt: '2026-10-01T00:00:02Z',
  assay: '0.1.0',
  shard: null,
  complete: true,
};
const target = { name: 'staging', addresses: { management: 'http://a/v0' }, brand: 'Svc', allow: 'read' as const };
const noShapes: ShapeTally = { fitted: 0, misfitted: 0, misfits: [] };
const example: Counterexample = {
  input: { groupBy: 'a' },
  seed: 1,
  path: '3:1',
  curl: 'curl x',
  expected: 'status 400',
  actual: 'status 200',
};

function outcome(id: RequirementId, over: Partial<RuleResult> = {}, shapes = noShapes): CaseOutcome {
  const { level, rule } = requirement(id);
  return {
    result: { id, level, rule, verdict: 'passed', durationMs: 1, exchanges: 2, ...over },
    observations: [],
    shapes,
    exercised: [],
  };
}

/** Rules that are not among them were not tried. */
function withTheRest(outcomes: readonly CaseOutcome[]): CaseOutcome[] {
  const rest = requirements.map(({ id }) => id).filter((id) => outcomes.every(({ result }) => result.id !== id));
  const untried = { verdict: 'not-tried', reason: 'agent: an agent', exchanges: 0 } as const;
  return [...outcomes, ...rest.map((id) => outcome(id, untried))];
}

const reportOf = ({ outcomes = [outcome(MUST), outcome(SCHEMA_RULE)], ...over }: Partial<RunRecord> = {}) =>
  buildReport({ run, target, outcomes: withTheRest(outcomes), ...over });
const resultOf = (id: RequirementId, over?: Partial<RunRecord>) =>
  reportOf(over).requirements.find((result) => result.id === id);

test('every rule of the catalogue is in the report once, in its order', () => {
  expect(reportOf().requirements.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id));
});

const ofOneCase = (over: Partial<RunRecord>) =>
  buildReport({ run, target, outcomes: [outcome(MUST)], ...over }).requirements.find(
    ({ id }) => id === 'vpcs.create.envelope-required',
  );

test('a rule whose case did not run is an error', () => {
  expect(ofOneCase({})).toMatchObject({ verdict: 'error', reason: 'its case did not run' });
});

test('a skipped rule has the reason that it was skipped', () => {
  expect(ofOneCase({ selected: [MUST] })?.reason).toBe('skipped by --only or --skip');
});

test('if all responses match, the schema rule keeps the verdict of its case', () => {
  const fitting = outcome(MUST, {}, { ...noShapes, fitted: 3 });
  for (const verdict of ['passed', 'not-tried'] as const) {
    expect(resultOf(SCHEMA_RULE, { outcomes: [fitting, outcome(SCHEMA_RULE, { verdict })] })?.verdict).toBe(verdict);
  }
});

test('one mismatch in any case fails it, with the exchange as counterexample', () => {
  const shapes = { fitted: 3, misfitted: 2, misfits: [example] };
  expect(resultOf(SCHEMA_RULE, { outcomes: [outcome(MUST, {}, shapes), outcome(SCHEMA_RULE)] })).toMatchObject({
    verdict: 'failed',
    reason: '2 of 5 successful responses do not match their schema; first: status 200',
    counterexample: example,
  });
});

test('the summary counts verdicts and exchanges', () => {
  expect(reportOf().summary).toMatchObject({
    passed: 2,
    failed: 0,
    error: 0,
    notTried: requirements.length - 2,
    exchanges: 4,
  });
  expect(mustRulesTried(reportOf())).toEqual({
    tried: 2,
    all: requirements.filter(({ level }) => level === 'must').length,
  });
});

test('exit codes: 0 if all passed, 1 if one failed, 3 on an error or interruption', () => {
  expect(exitCodeOf(reportOf())).toBe(0);
  expect(exitCodeOf(reportOf({ outcomes: [outcome(MUST, { verdict: 'failed' })] }))).toBe(1);
  expect(exitCodeOf(reportOf({ outcomes: [outcome(MUST, { verdict: 'error' })] }))).toBe(3);
  expect(exitCodeOf(reportOf({ run: { ...run, complete: false } }))).toBe(3);
});

const plain = painterFor({ write: () => true });

test('a failure is printed with rule, input, expected, actual and curl', () => {
  const text = terminalReport(
    reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample: example })] }),
    plain,
  );
  for (const part of [
    `failed ${MUST}`,
    'More than 3',
    'source    Limits: “max 3 dimensions; no duplicates”',
    '{"groupBy":"a"}',
    'seed 1, path 3:1',
    'status 400',
    'status 200',
    '  curl x',
  ])
    expect(text).toContain(part);
  expect(text).toContain('must rules tried: 0 passed, 1 failed');
});

test('a report in a folder prints replay commands', () => {
  const failing = reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample: example })] });
  expect(terminalReport(failing, plain, '/tmp/my runs/1')).toContain(
    `\n  replay: npx assay replay '/tmp/my runs/1' ${MUST} --target FILE\n`,
  );
  expect(terminalReport(failing, plain, path.resolve('out/1'))).toContain(`replay: npx assay replay out/1 ${MUST}`);
  expect(terminalReport(failing, plain)).not.toContain('replay');
  const named = {
    run: { ...failing.run, targetFile: "it's.yaml" },
    target: { ...failing.target, allow: 'write' },
  } as const;
  expect(terminalReport({ ...failing, ...named }, plain, path.resolve('out/1'))).toContain(
    String.raw`npx assay replay out/1 ${MUST} --target 'it'\''s.yaml' --allow write` + '\n',
  );
});

test('the replay command uses --base-url if the run did', () => {
  const failing = reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample: example })] });
  const named = { ...failing, run: { ...failing.run, baseUrl: 'http://127.0.0.1:4010/v0' } };
  expect(terminalReport(named, plain, 'out')).toContain(`replay out ${MUST} --base-url http://127.0.0.1:4010/v0\n`);
  const both = { ...named, run: { ...named.run, targetFile: 'staging.yaml' } };
  expect(terminalReport(both, plain, 'out')).toContain(
    `replay out ${MUST} --target staging.yaml --base-url http://127.0.0.1:4010/v0\n`,
  );
});

test.each(['a\u200bb', 'a\u202eb', 'a\nb'])('an unprintable path is replaced by a placeholder: %j', (file) => {
  const failing = reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample: example })] });
  const named = { ...failing, run: { ...failing.run, targetFile: file } };
  expect(terminalReport(named, plain, 'out')).toContain(`replay out ${MUST} --target FILE\n`);
  expect(terminalReport(failing, plain, file)).toContain(`replay FOLDER ${MUST} --target FILE\n`);
});

test('a failure without input has no input line, and a long one is indented', () => {
  const textOf = (input: unknown): string =>
    terminalReport(
      reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample: { ...example, input } })] }),
      plain,
    );
  expect(textOf({})).not.toContain('  input');
  const long = 'x'.repeat(90);
  expect(textOf([long])).toContain(`\n  input     ["${long}"]\n            (seed 1, path 3:1)\n`);
});

test('errors with the same reason are grouped', () => {
  const erred = (id: RequirementId, reason: string) => outcome(id, { verdict: 'error', reason });
  const text = terminalReport(
    reportOf({
      outcomes: [
        erred(MUST, 'used no more'),
        erred('metrics.group-by.no-duplicates', 'used no more'),
        erred('vpcs.create.answers-resource', 'no answer'),
      ],
    }),
    plain,
  );
  expect(text).toContain(`\n  2 × used no more\n      ${MUST}, metrics.group-by.no-duplicates\n`);
  expect(text).toContain('\n  vpcs.create.answers-resource: no answer\n');
});

test('areas without selected rules are omitted', () => {
  const text = terminalReport(buildReport({ run, target, outcomes: [outcome(MUST)], selected: [MUST] }), plain);
  expect(text).toContain('\nmetrics ');
  expect(text).not.toContain('\nversions ');
  expect(text).not.toContain('versions.');
  expect(text).toContain(`\nnot tried: ${requirements.length - 1} × skipped by --only or --skip\n`);
  expect(text).not.toContain('for want of');
});

test('the column of known failures is present only if there are any', () => {
  const [head] = terminalReport(reportOf(), plain).split('\n');
  expect(head?.trim().split(/\s+/)).toEqual(['area', 'passed', 'failed', 'not-tried', 'observed', 'error']);
  const known = reportOf({ outcomes: [outcome(MUST, { verdict: 'known-failure' })] });
  expect(terminalReport(known, plain).split('\n')[0]).toMatch(/failed +known +not-tried/);
});

test('no line except curl lines is wider than 80 columns', () => {
  const long = { ...example, actual: 'words and words '.repeat(60) };
  const text = terminalReport(
    reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample: long })] }),
    plain,
  );
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('text from a server cannot move the cursor or reverse text', () => {
  const hostile = { ...example, actual: '\u001b[2J\u0007\u202e\r\n<b>' };
  const text = terminalReport(
    reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample: hostile })] }),
    plain,
  );
  expect(text).toContain(String.raw`\u001b[2J\u0007\u202e\r\n<b>`);
});

test('color is used on terminals only, and not with NO_COLOR', () => {
  const out = { write: () => true, isTTY: true };
  expect(painterFor(out, {})('red', 'x')).toContain('\u001b[');
  expect(painterFor(out, { NO_COLOR: '1' })('red', 'x')).toBe('x');
  expect(painterFor({ write: () => true }, {})('red', 'x')).toBe('x');
});

test('progress is one line per file, or on a terminal one updated line with the current rule', () => {
  const lines = (isTTY: boolean, columns = 80): string => {
    let written = '';
    const progress = createProgress({ isTTY, columns, write: (text) => (written += text) }, () => 2);
    progress.began(MUST);
    progress.done(outcome(MUST).result);
    progress.began('vpcs.create.answers-resource');
    progress.fileDone('suites/metrics/group-by.suite.ts');
    progress.end();
    return written;
  };
  expect(lines(false).replace(/\d+\/s/, 'N/s')).toBe(
    'suites/metrics/group-by.suite.ts: 1 passed (1/2 rules · 2 exchanges · N/s)\n',
  );
  expect(
    lines(true)
      .replaceAll(/\d+\/s/g, 'N/s')
      .split('\r\u001b[2K'),
  ).toEqual([
    '',
    '0/2 rules · 0 exchanges · N/s · metrics.group-by.at-most-three',
    '1/2 rules · 2 exchanges · N/s · vpcs.create.answers-resource',
    '',
  ]);
  expect(
    lines(true, 20)
      .split('\r\u001b[2K')
      .map(({ length }) => length),
  ).toEqual([0, 19, 19, 0]);
});

test('escapeControls keeps line ends only with keep.lineEnds', () => {
  expect(escapeControls('a\nb')).toBe(String.raw`a\nb`);
  expect(escapeControls('a\nb', { lineEnds: true })).toBe('a\nb');
});

test('wrap does not break a long word', () => {
  expect(wrap('aa bb cccccccc', 6, ' ')).toBe(' aa bb\n cccccccc');
});
