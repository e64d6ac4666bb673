import path from 'node:path';
import { expect, test } from 'vitest';
import type { CaseOutcome, ShapeTally } from '../spec/case-outcome.ts';
import { requirement, requirements } from '../spec/requirements/index.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import type { Counterexample, RuleResult } from '../spec/verdicts.ts';
import { toBadge } from './badge.ts';
import { pageData } from './html/page-data.ts';
import { toJunit } from './junit.ts';
import { toSummary } from './summary.ts';
import { escapeControls, wrap } from './printable.ts';
import { exitCodeOf } from './failure-causes.ts';
import { buildReport, mustRulesTried, SCHEMA_RULE } from './report.ts';
import type { RunRecord } from './report.ts';
import { styleFor, resultText, terminalReport } from './terminal.ts';

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
  expect(ofOneCase({})).toMatchObject({ verdict: 'error', reason: 'no case with its id ran' });
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
  const { length: all } = requirements.filter(({ level }) => level === 'must');
  expect(mustRulesTried(reportOf())).toEqual({ tried: 2, all, sentence: `2 of ${all} must rules tried` });
});

test('a rule that waits for an operation was not tried, even if that is a known failure', () => {
  const of = (verdict: 'known-failure' | 'not-tried') => {
    const report = reportOf();
    const missing = 'operation:POST /vpcs';
    const results = report.requirements.map((each) => (each.id === MUST ? { ...each, verdict, missing } : each));
    return mustRulesTried({ ...report, requirements: results }).tried;
  };
  expect([of('known-failure'), of('not-tried')]).toEqual([1, 1]);
});

test('with --only, every format counts the selected rules only', () => {
  const report = buildReport({ run, target, outcomes: [outcome(MUST)], selected: [MUST] });
  const { sentence } = mustRulesTried(report);
  expect(sentence).toBe('1 of 1 selected must rules tried');
  expect(terminalReport(report, plain)).toMatch(/^1 of 1 selected must rules tried: 1 passed/);
  expect(toSummary(report, 'out')).toContain(`${sentence}, 1 passed`);
  expect(toBadge(report)).toContain('"1 of 1 selected rules tried"');
  expect(toJunit(report, 'out').match(/<testcase /g)).toHaveLength(1);
  const page = pageData(report, 'out', 0);
  expect(page.report.requirements.map(({ id }) => id)).toEqual([MUST]);
  expect([page.mustRules.sentence, page.excludedCount]).toEqual([sentence, requirements.length - 1]);
});

test('exit codes: 0 if all passed, 1 if one failed, 3 on an error or interruption', () => {
  expect(exitCodeOf(reportOf())).toBe(0);
  expect(exitCodeOf(reportOf({ outcomes: [outcome(MUST, { verdict: 'failed' })] }))).toBe(1);
  expect(exitCodeOf(reportOf({ outcomes: [outcome(MUST, { verdict: 'error' })] }))).toBe(3);
  expect(exitCodeOf(reportOf({ run: { ...run, complete: false } }))).toBe(3);
});

const plain = styleFor({ write: () => true });

const failedWith = (counterexample: Counterexample) =>
  reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample })] });

test('a failure has rule, source, request, input, expected, actual, replay and curl, in this order', () => {
  const request = {
    method: 'POST',
    url: 'http://a/v0/things?a=1&b=2',
    headers: { Accept: 'application/json', Authorization: 'Bearer $SVC_ADMIN_TOKEN', 'X-Repeated': ['1', '2'] },
    body: `{"a":1,"long":"${'x'.repeat(100)}"}`,
  };
  const text = terminalReport(failedWith({ ...example, request, shrinking: 'finished' }), plain, { folder: 'out' });
  expect(text.slice(0, text.indexOf('\n\n'))).toBe(
    [
      `failed ${MUST}`,
      '  More than 3 groupBy dimensions return 400.',
      '  source     Limits: “max 3 dimensions; no duplicates”',
      '  request    POST /v0/things',
      '             ?a=1',
      '             &b=2',
      '             Authorization: Bearer $SVC_ADMIN_TOKEN',
      '             X-Repeated: 1',
      '             X-Repeated: 2',
      `             {"a":1,"long":"${'x'.repeat(40)}…"}`,
      '  input      groupBy "a", the smallest that fails',
      '  expected   status 400',
      '  actual     status 200',
      `  replay     npx --no assay replay out ${MUST} --target FILE`,
      '  curl x',
    ].join('\n'),
  );
  expect(text).toContain('must rules tried: 0 passed, 1 failed');
});

test('a failure of a run on a mock that has ended has no curl script, which could not reach it', () => {
  const failing = failedWith(example);
  const report = { ...failing, run: { ...failing.run, mock: ['--seed', '7'] } };
  const text = terminalReport(report, plain, { folder: 'out' });
  expect(text).toContain('npx --no assay mock --seed 7 -- npx --no assay replay out ');
  expect(text).not.toContain('curl');
});

test('a report in a folder prints replay commands', () => {
  const failing = reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample: example })] });
  expect(terminalReport(failing, plain, { folder: '/tmp/my runs/1' })).toContain(
    `\n  replay     npx --no assay replay '/tmp/my runs/1' ${MUST} --target FILE\n`,
  );
  expect(terminalReport(failing, plain, { folder: path.resolve('out/1') })).toContain(
    `replay     npx --no assay replay out/1 ${MUST}`,
  );
  expect(terminalReport(failing, plain)).not.toContain('replay');
  const named = {
    run: { ...failing.run, targetFile: "it's.yaml" },
    target: { ...failing.target, allow: 'write' },
  } as const;
  expect(terminalReport({ ...failing, ...named }, plain, { folder: path.resolve('out/1') })).toContain(
    String.raw`npx --no assay replay out/1 ${MUST} --target 'it'\''s.yaml' --allow write` + '\n',
  );
});

test('the replay command uses --base-url if the run did', () => {
  const failing = reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample: example })] });
  const named = { ...failing, run: { ...failing.run, baseUrl: 'http://127.0.0.1:4010/v0' } };
  const terminal = (report: typeof named) => terminalReport(report, plain, { folder: 'out' });
  expect(terminal(named)).toContain(`replay out ${MUST} --base-url http://127.0.0.1:4010/v0\n`);
  const both = { ...named, run: { ...named.run, targetFile: 'staging.yaml' } };
  expect(terminal(both)).toContain(`replay out ${MUST} --target staging.yaml --base-url http://127.0.0.1:4010/v0\n`);
});

test('the replay command starts a mock again that ended with the run', () => {
  const failing = reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample: example })] });
  const beside = (mock: string[]) =>
    terminalReport({ ...failing, run: { ...failing.run, mock } }, plain, { folder: 'out' });
  expect(beside([])).toContain(`npx --no assay mock -- npx --no assay replay out ${MUST}\n`);
  const flags = ['--world', 'my world.yaml', '--deviate', MUST];
  expect(beside(flags)).toContain(
    `npx --no assay mock --world 'my world.yaml' --deviate ${MUST} -- npx --no assay replay out ${MUST}\n`,
  );
});

test.each(['a\u200bb', 'a\u202eb', 'a\nb'])('an unprintable path is replaced by a placeholder: %j', (file) => {
  const failing = reportOf({ outcomes: [outcome(MUST, { verdict: 'failed', counterexample: example })] });
  const named = { ...failing, run: { ...failing.run, targetFile: file } };
  expect(terminalReport(named, plain, { folder: 'out' })).toContain(`replay out ${MUST} --target FILE\n`);
  expect(terminalReport(failing, plain, { folder: file })).toContain(`replay FOLDER ${MUST} --target FILE\n`);
});

test('an input with a structure of its own is not printed, only where it is', () => {
  const lineOf = (over: Partial<Counterexample>): string | undefined =>
    /^  input +(.*)$/m.exec(terminalReport(failedWith({ ...example, ...over }), plain))?.[1];
  expect(lineOf({ path: '' })).toBeUndefined();
  expect(lineOf({ input: { request: { asked: 1 } } })).toBeUndefined();
  expect(lineOf({ input: { request: { asked: 1 } }, shrinking: 'stopped' })).toBe('smaller than the first that failed');
  expect(lineOf({ input: { count: 101, mode: 'fast' } })).toBe('count 101, mode "fast"');
  expect(lineOf({ input: { text: 'x'.repeat(200) } })).toBeUndefined();
});

test('the rule is named whose request broke another', () => {
  const input = { requirement: 'errors.robustness.never-5xx' };
  const failing = failedWith({ ...example, path: '', input });
  expect(terminalReport(failing, plain)).toContain('\n  sent for   errors.robustness.never-5xx\n');
  expect(terminalReport(failedWith({ ...example, path: '', input: { requirement: MUST } }), plain)).not.toContain(
    'sent for',
  );
});

test('several differences are printed in pairs, and of long texts the words that differ', () => {
  const differences = [1, 2, 3, 4, 5].map((at) => ({ expected: `field${at}: 1`, actual: `field${at}: 2` }));
  expect(terminalReport(failedWith({ ...example, differences }), plain)).toContain(
    '  expected   field3: 1\n  actual     field3: 2\n             2 more differences, in the report\n',
  );
  const words = 'The same words before the one that differs, and after it: ';
  const long = { ...example, expected: `${words}daily ${words}`, actual: `${words}hourly ${words}` };
  expect(terminalReport(failedWith(long), plain)).toContain('\n  difference hourly instead of daily\n');
  const fewer = { ...example, expected: `"${words}", "daily", "hourly"`, actual: `"${words}", "hourly"` };
  expect(terminalReport(failedWith(fewer), plain)).toContain('\n  difference without daily\n');
});

test('a long curl script is left to the report, if there is one', () => {
  const curl = 'curl x\n'.repeat(200);
  expect(terminalReport(failedWith({ ...example, curl }), plain, { folder: 'out' })).toContain(
    '\n  curl       long: see the report\n',
  );
  expect(
    resultText(
      failedWith({ ...example, curl }).requirements.find(({ id }) => id === MUST)!,
      plain,
    ),
  ).toContain('  curl x\n  curl x\n');
});

test('what to add is sorted by the number of rules', () => {
  const untried = (id: RequirementId, over: Partial<RuleResult>) => outcome(id, { verdict: 'not-tried', ...over });
  const text = terminalReport(
    buildReport({
      run,
      target,
      outcomes: [
        untried(MUST, { reason: 'member: a credential', missing: 'member' }),
        untried('metrics.group-by.no-duplicates', { reason: 'a second page' }),
        untried('vpcs.create.answers-resource', { reason: 'write: --allow write', missing: 'write' }),
        untried('vpcs.create.envelope-required', { reason: '--allow write, to create', missing: 'write' }),
      ],
      selected: [
        MUST,
        'metrics.group-by.no-duplicates',
        'vpcs.create.answers-resource',
        'vpcs.create.envelope-required',
      ],
    }),
    plain,
  );
  expect(text).toContain(
    [
      'to try 4 more rules',
      '    2 rules  pass --allow write, so that the run may create and change resources',
      '    1 rule   add credentials.member to the target file: a token that may read',
      '             metrics, without the account-admin role',
      '    1 rule   provide a second page',
      '',
    ].join('\n'),
  );
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

test('requests that got no response from one server are one error', () => {
  const erred = (id: RequirementId, request: string) =>
    outcome(id, { verdict: 'error', reason: `${request}: no response (ECONNREFUSED)` });
  const outcomes = [
    erred(MUST, 'GET http://127.0.0.1:4000/v0/agents/a'),
    erred('metrics.group-by.no-duplicates', 'PUT http://127.0.0.1:4000/v0/agents/b?c=d'),
    erred('vpcs.create.answers-resource', 'GET http://127.0.0.1:5000/v0/agents/a'),
  ];
  const text = terminalReport(reportOf({ outcomes }), plain);
  expect(text).toContain(
    `\n  2 × http://127.0.0.1:4000: no response (ECONNREFUSED)\n      ${MUST}, metrics.group-by.no-duplicates\n`,
  );
  expect(text).toContain('vpcs.create.answers-resource: GET http://127.0.0.1:5000/v0/agents/a:');
});

test('the table of areas is printed on request, without areas that have no selected rule', () => {
  const report = buildReport({ run, target, outcomes: [outcome(MUST)], selected: [MUST] });
  const text = terminalReport(report, plain, { areas: true });
  expect(text).toMatch(/^metrics +1 /m);
  expect(text).not.toContain('versions');
  expect(text).not.toContain('skipped');
  expect(terminalReport(report, plain)).not.toMatch(/^metrics +1 /m);
});

test('the column of known failures is present only if there are any', () => {
  const [head] = terminalReport(reportOf(), plain, { areas: true }).split('\n');
  expect(head?.trim().split(/\s+/)).toEqual(['area', 'passed', 'failed', 'not-tried', 'observed', 'error']);
  const known = reportOf({ outcomes: [outcome(MUST, { verdict: 'known-failure' })] });
  expect(terminalReport(known, plain, { areas: true })).toMatch(/failed +known +not-tried/);
});

test('the last line has the counts', () => {
  const known = reportOf({
    outcomes: [outcome(MUST, { verdict: 'failed' }), outcome(SCHEMA_RULE, { verdict: 'error', reason: 'no answer' })],
    knownFailures: [{ id: MUST, reason: 'known' }],
  });
  expect(terminalReport(known, plain).trimEnd().split('\n').at(-1)).toBe(
    `1 of ${mustRulesTried(known).all} must rules tried: 0 passed, 0 failed, 1 known failure, 1 error; 0 observed; 2.0 s, seed 1.`,
  );
});

test('no line except those to paste is wider than 80 columns', () => {
  const request = { method: 'GET', url: `http://a/${'x'.repeat(200)}`, headers: { 'X-Long': 'y'.repeat(200) } };
  const long = { ...example, request, expected: 'z'.repeat(300), actual: 'words and words '.repeat(60) };
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
  expect(styleFor(out, {}).paint('red', 'x')).toContain('\u001b[');
  expect(styleFor(out, { NO_COLOR: '1' }).paint('red', 'x')).toBe('x');
  expect(styleFor({ write: () => true }, {}).paint('red', 'x')).toBe('x');
});

test('what is neither passed nor failed is bold, which can be read on any background', () => {
  const colored = styleFor({ write: () => true, isTTY: true }, {});
  const untried = reportOf({ outcomes: [outcome(MUST, { verdict: 'not-tried', reason: 'needs nothing' })] });
  const text =
    terminalReport(untried, colored) + untried.requirements.map((each) => resultText(each, colored)).join('');
  expect(text).toContain(`\u001b[1mnot-tried ${MUST}`);
  expect(text).not.toContain('\u001b[33m');
});

test('on a narrow terminal, only the lines to paste are wider than it', () => {
  const narrow = styleFor({ write: () => true, isTTY: true, columns: 45 }, { NO_COLOR: '1' });
  const lines = terminalReport(failedWith({ ...example, expected: 'a word '.repeat(20) }), narrow, { folder: 'out' })
    .split('\n')
    .filter((line) => line.length > 45);
  expect(lines.filter((line) => !/^ {2}(?:replay|curl) |must rules tried: /.test(line))).toEqual([]);
});

test('escapeControls keeps line ends only with keep.lineEnds', () => {
  expect(escapeControls('a\nb')).toBe(String.raw`a\nb`);
  expect(escapeControls('a\nb', { lineEnds: true })).toBe('a\nb');
});

test('wrap breaks a long word only on request', () => {
  expect(wrap('aa bb cccccccc', 6, ' ')).toBe(' aa bb\n cccccccc');
  expect(wrap('aa bb cccccccc dd', 6, ' ', { breaksWords: true })).toBe(' aa bb\n ccccc\n ccc\n dd');
  expect(wrap('aa bb cccccccc d', 6, ' ', { breaksWords: true })).toBe(' aa bb\n ccccc\n ccc d');
});
