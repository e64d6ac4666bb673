import { expect, test } from 'vitest';
import type { Report, RuleResult, Verdict } from '../../spec/verdicts.ts';
import { FAILED_RULE, HOSTILE, METRICS_RULE, OBSERVED_RULE, sampleReport } from '../html/sample-run.ts';
import { INTERRUPTED, SKIPPED } from '../unmet-needs.ts';
import { styleFor } from '../terminal.ts';
import { compareReports } from './compare-reports.ts';
import { toHtml } from './html.ts';
import { toText } from './text.ts';

const report = sampleReport();
const plain = styleFor({ write: () => true });

/** The same report with a changed result of one rule. */
const having = (over: Partial<RuleResult>, id: string = METRICS_RULE, from: Report = report): Report => ({
  ...from,
  requirements: from.requirements.map((result) => (result.id === id ? { ...result, ...over } : result)),
});
const seeing = (...saws: string[]): Report => ({
  ...report,
  observations: saws.map((saw) => ({ id: OBSERVED_RULE, what: 'which', saw, value: { status: Number(saw) } })),
});

test('a report compared with itself has no differences', () => {
  const diff = compareReports(report, report);
  expect(diff).toMatchObject({ worse: [], verdicts: [], observations: [], onlyInFirst: [] });
  const lines = toText(diff, plain).split('\n');
  expect(lines[0]).toBe('No differences.');
  expect(lines.length).toBeLessThan(10);
});

test.each<[Verdict, Verdict, boolean]>([
  ['passed', 'failed', true],
  ['passed', 'error', true],
  ['passed', 'not-tried', true],
  ['passed', 'known-failure', false],
  ['known-failure', 'failed', true],
  ['known-failure', 'error', true],
  ['known-failure', 'passed', false],
  ['known-failure', 'not-tried', false],
  ['not-tried', 'failed', false],
  ['not-tried', 'passed', false],
  ['observed', 'error', true],
  ['error', 'failed', true],
  ['error', 'passed', false],
  ['failed', 'error', false],
  ['failed', 'passed', false],
])('from %s to %s: worse is %s', (first, second, isWorse) => {
  const diff = compareReports(having({ verdict: first }), having({ verdict: second, reason: 'because' }));
  expect(diff.verdicts).toMatchObject([
    { id: METRICS_RULE, first: { verdict: first }, second: { verdict: second, reason: 'because' }, worse: isWorse },
  ]);
  expect(diff.worse).toEqual(isWorse ? [`${METRICS_RULE}: ${second}, was ${first}.`] : []);
});

test('a rule that waited for an operation was not tried, although that was a known failure', () => {
  const waiting = having({ verdict: 'known-failure', missing: 'operation:POST /vpcs' });
  expect(compareReports(waiting, having({ verdict: 'failed' })).worse).toEqual([]);
  expect(compareReports(having({ verdict: 'passed' }), waiting).worse).toEqual([]);
  expect(compareReports(waiting, waiting).verdicts).toEqual([]);
});

test('the verdict comes first, then what is worse, then the rest', () => {
  const [one, two, three, four, five] = report.requirements.filter(({ verdict }) => verdict === 'passed');
  const change = (from: Report, verdicts: readonly Verdict[]) =>
    [one, two, three, four, five].reduce(
      (changed, result, index) => having({ verdict: verdicts[index]! }, result?.id, changed),
      from,
    );
  const first = change(seeing('400'), ['not-tried', 'failed', 'passed', 'passed', 'passed']);
  const second = change(seeing('404'), ['passed', 'passed', 'not-tried', 'failed', 'known-failure']);
  const text = toText(compareReports(first, second), plain);
  const titles = text.split('\n').filter((line) => /\(\d+\)$|^\d/.test(line));
  expect(titles).toEqual([
    '2 regressions',
    'Newly failing (1)',
    'Fixed (1)',
    'No longer tried (1)',
    'Newly tried (1)',
    'Other changes of verdicts (1)',
    'Observations that differ (1)',
  ]);
  expect(text).toContain(`\n  ${four?.id}\n    passed → failed\n`);
});

test('timings are compared only on request', () => {
  const slower = having({ durationMs: 90_000 });
  expect(compareReports(report, slower).timings).toBeUndefined();
  expect(toText(compareReports(report, slower), plain)).toContain('No differences.');
  expect(toText(compareReports(report, slower, { timings: true }), plain)).toContain('Timings that changed (1)');
});

test('a failed rule that is not tried again is no regression, but is named', () => {
  const text = toText(compareReports(having({ verdict: 'failed' }), having({ verdict: 'not-tried' })), plain);
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    `No regressions, but 1 failed rule was not tried again: ${METRICS_RULE}.`,
  );
});

test('an interrupted second run is a regression', () => {
  const cut = { ...report, run: { ...report.run, complete: false } };
  expect(compareReports(report, cut).worse).toEqual(['The second run was interrupted.']);
  expect(toText(compareReports(report, cut), plain)).toMatch(/^the second run was interrupted\n/);
  const worse = having({ verdict: 'failed' }, METRICS_RULE, cut);
  expect(toText(compareReports(report, worse), plain)).toMatch(/^1 regression; the second run was interrupted\n/);
  expect(compareReports(cut, report).worse).toEqual([]);
});

test('rules in only one report are listed, and a failed new one is named, but no regression', () => {
  const fewer = { ...report, requirements: report.requirements.filter(({ id }) => id !== FAILED_RULE) };
  expect(compareReports(report, fewer)).toMatchObject({
    onlyInFirst: [{ id: FAILED_RULE }],
    onlyInSecond: [],
    worse: [],
  });
  expect(compareReports(fewer, report)).toMatchObject({
    onlyInFirst: [],
    onlyInSecond: [{ id: FAILED_RULE }],
    worse: [],
  });
  const text = toText(compareReports(fewer, report), plain);
  expect(text).toMatch(/^No regressions, but 1 newly tried rule fails\.\n/);
  expect(text).toContain(`Rules only in the second run (1)\n  ${FAILED_RULE}\n`);
});

test('observations are compared by id and description, in any order', () => {
  expect(compareReports(seeing('400', '404'), seeing('404', '400', '400')).observations).toEqual([]);
  expect(compareReports(seeing('400'), seeing('404')).observations).toEqual([
    { id: OBSERVED_RULE, what: 'which', first: ['400'], second: ['404'] },
  ]);
  expect(compareReports(seeing(), seeing('404')).observations).toMatchObject([{ first: [], second: ['404'] }]);
});

test.each([
  [100, 200, false],
  [150, 300, false],
  [150, 301, true],
  [301, 150, true],
  [1, 101, false],
  [0, 101, true],
])('from %s ms to %s ms: changed is %s', (first, second, isChanged) => {
  const { timings, worse } = compareReports(having({ durationMs: first }), having({ durationMs: second }), {
    timings: true,
  });
  expect(timings).toEqual(isChanged ? [{ id: METRICS_RULE, firstMs: first, secondMs: second }] : []);
  expect(worse).toEqual([]);
});

test('timings are sorted by change, and the text shows ten', () => {
  const slower: Report = {
    ...report,
    requirements: report.requirements.map((result, index) => ({ ...result, durationMs: 1000 * (index + 1) })),
  };
  const { timings = [], ...diff } = compareReports(report, slower, { timings: true });
  const changes = timings.map(({ firstMs, secondMs }) => secondMs - firstMs);
  expect(changes).toEqual(changes.toSorted((a, b) => b - a));
  const text = toText({ ...diff, timings }, plain);
  expect(text).toContain(`  and ${changes.length - 10} more (all with --format json)`);
  expect(text).toContain(timings[9]?.id);
  expect(text).not.toContain(timings[10]?.id);
});

test('a failure shows its counterexample, not every mismatch', () => {
  const counterexample = { input: {}, seed: 1, path: '', curl: '', expected: 'a list', actual: 'an object' };
  const failed = having({ verdict: 'failed', reason: 'an object, expected a list; '.repeat(9), counterexample });
  expect(compareReports(report, failed).verdicts[0]?.second.reason).toBe('an object, expected a list');
});

test.each([
  ['passed', 'not-tried'],
  ['not-tried', 'passed'],
] as const)('from %s to %s has no changed timing', (first, second) => {
  const tried = having({ verdict: first, durationMs: 0 });
  expect(compareReports(tried, having({ verdict: second, durationMs: 5000 }), { timings: true }).timings).toEqual([]);
});

const hostile = `${HOSTILE} ::error::x\n::error::y`;
const unsafe = ['\u001B', '\u202E'];
const changed = compareReports(
  seeing('400'),
  having({ verdict: 'failed', reason: hostile }, METRICS_RULE, {
    ...seeing(hostile),
    target: { ...report.target, name: hostile },
  }),
);

test('the text has lines of at most 80 columns and no control characters', () => {
  const text = toText(changed, plain);
  for (const part of ['Newly failing (1)', METRICS_RULE, 'Observations that differ (1)', '1 regression'])
    expect(text).toContain(part);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(unsafe.filter((mark) => text.includes(mark))).toEqual([]);
});

test('the page shows text from a target as text only, and contains no URL', () => {
  const page = toHtml(changed);
  expect(page).toContain('&lt;/script&gt;&lt;script&gt;hacked=1');
  expect(page).not.toMatch(/<script|<img|<!--|\s(?:src|href)="/);
  expect(unsafe.filter((mark) => page.includes(mark))).toEqual([]);
  expect(page).toContain(`content="default-src 'none'`);
  expect(page.match(/<span class="worse"/g)).toHaveLength(1);
  expect(page).toContain('<h1 class="worse">1 regression</h1>');
});

test('observations of a rule that one run did not select are only counted', () => {
  const skipped = having({ verdict: 'not-tried', reason: SKIPPED }, OBSERVED_RULE, seeing());
  const diff = compareReports(skipped, seeing('400'));
  expect(diff).toMatchObject({ observations: [], uncomparedObservationCount: 1 });
  const note = 'Not compared: 1 observation of rules that only one run tested.';
  expect(toText(diff, plain)).toContain(note);
  expect(toHtml(diff)).toContain(note);
  expect(toText(compareReports(report, report), plain)).not.toContain('Not compared');
});

test('rules that only the second run selected are counted, and are no regressions', () => {
  const first = having({ verdict: 'not-tried', reason: SKIPPED });
  const failed = compareReports(first, having({ verdict: 'failed' }));
  expect(failed).toMatchObject({ worse: [], newlyTested: { failed: 1 } });
  const text = toText(failed, plain);
  expect(text).toMatch(/^No regressions, but 1 newly tried rule fails\.\n/);
  expect(text).toContain('Newly tested: 1 rule (1 failed).');
  const passed = compareReports(first, having({ verdict: 'passed' }));
  expect(passed.newlyTested).toEqual({ passed: 1 });
  expect(toText(passed, plain)).toMatch(/^No differences in what both runs tested\.\n/);
});

test('rules that only the first run selected are counted', () => {
  const diff = compareReports(having({ verdict: 'passed' }), having({ verdict: 'not-tried', reason: SKIPPED }));
  expect(diff).toMatchObject({ worse: [], verdicts: [], notTestedAgain: { passed: 1 } });
  const text = toText(diff, plain);
  expect(text).toMatch(/^No differences in what both runs tested\.\n/);
  expect(text).toContain('Not tested again: 1 rule (1 passed).');
});

test.each([
  { missing: 'bail' },
  { missing: 'time' },
  // With --quick.
  { missing: 'inputs' },
  { reason: INTERRUPTED },
])('a rule that a run did not reach (%j) is not compared', (over) => {
  const [passed, cut] = [having({ verdict: 'passed' }), having({ verdict: 'not-tried', ...over })];
  expect(compareReports(passed, cut)).toMatchObject({ worse: [], verdicts: [] });
  expect(compareReports(cut, passed)).toMatchObject({ worse: [], verdicts: [] });
  const untried = compareReports(having({ verdict: 'failed' }), cut);
  expect(untried).toMatchObject({ worse: [], verdicts: [{ worse: false }] });
});
