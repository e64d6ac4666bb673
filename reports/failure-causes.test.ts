import { XmlDocument } from 'libxml2-wasm';
import { expect, test } from 'vitest';
import type { OracleReport } from '../spec/oracle.ts';
import type { JudgedKnownFailure, Report, RuleResult } from '../spec/verdicts.ts';
import { annotations } from './actions.ts';
import { pageData } from './html/page-data.ts';
import { headline } from './html/page/headline.ts';
import { sampleReport } from './html/sample-run.ts';
import { causesOf, exitCodeOf, sentenceOnStop } from './failure-causes.ts';
import { styleFor, terminalReport } from './terminal.ts';
import { toBadge } from './badge.ts';
import { toJunit } from './junit.ts';
import { toSummary } from './summary.ts';

const RULE = 'errors.sandbox.body-shape';
const OTHER = 'metrics.group-by.at-most-three';
const sample = sampleReport();
const oracle = sample.oracle as OracleReport;

/** A report in which everything passed, with overrides. */
function reportWith(over: Partial<Report> & { results?: (result: RuleResult) => Partial<RuleResult> }): Report {
  const { results = () => ({}), ...rest } = over;
  const held = sample.requirements.map(({ counterexample: _, reason: __, ...result }): RuleResult => ({
    ...result,
    verdict: result.level === 'must' ? 'passed' : 'observed',
  }));
  const requirements = held.map((result) => ({ ...result, ...results(result) }));
  return { ...sample, oracle: { ...oracle, violations: [] }, knownFailures: [], ...rest, requirements };
}

const of =
  (wanted: string, over: Partial<RuleResult>) =>
  ({ id }: RuleResult): Partial<RuleResult> =>
    id === wanted ? over : {};
const untried: Partial<RuleResult> = { verdict: 'not-tried', reason: 'agent: an agent' };
const skipped: Partial<RuleResult> = { verdict: 'not-tried', reason: 'skipped by --only or --skip' };
const entry = (state: JudgedKnownFailure['state']): JudgedKnownFailure => ({
  id: RULE,
  reason: 'old',
  expires: '2026-01-01',
  state,
});
const strict = { ...sample.run, strict: true } as const;
const violationOf = (requirement: typeof RULE) => ({
  ...oracle,
  violations: oracle.violations.map((violation) => ({ ...violation, requirement })),
});

/** The text of a report in every format, with whitespace collapsed. */
function render(report: Report) {
  const page = pageData(report, 'r', 0);
  using junit = XmlDocument.fromString(toJunit(report, 'r'));
  const cases = junit.find('//testcase[failure or error]');
  return {
    code: exitCodeOf(report),
    headline: headline(page),
    badge: (JSON.parse(toBadge(report)) as { message: string }).message,
    junit: cases.map((each) => `${each.get('@classname')?.content}.${each.get('@name')?.content}`),
    junitSays: junit.find('//testcase/failure/@message | //testcase/error/@message').map(({ content }) => content),
    texts: [
      terminalReport(report, styleFor({ write: () => true })),
      toSummary(report, 'r'),
      annotations(report).join(''),
      page.problems.join(''),
    ].map((text) => text.replaceAll(/\s+/g, ' ')),
  };
}

interface Ending {
  code: 1 | 3;
  headline: string;
  badge: string;
  /** Cases of junit.xml that failed or errored. */
  junit: string[];
  junitSays: RegExp;
  /** A sentence that every format contains; omitted if only the result of the rule has it. */
  says?: string;
}

test.each<[string, Report, Ending]>([
  [
    'that was interrupted',
    reportWith({ run: { ...sample.run, complete: false } }),
    {
      code: 3,
      headline: 'The run was interrupted',
      badge: 'interrupted',
      junit: ['assay.run'],
      junitSays: /interrupted/,
      says: 'The run was interrupted, so it does not count as passed.',
    },
  ],
  [
    'with a rule that failed',
    reportWith({ results: of(RULE, { verdict: 'failed', reason: 'status 200' }) }),
    { code: 1, headline: '1 rule failed', badge: '1 failed', junit: [RULE], junitSays: /^status 200$/ },
  ],
  [
    'with a known failure that passes',
    reportWith({ knownFailures: [entry('passed')] }),
    {
      code: 1,
      headline: 'The list of known failures is out of date',
      badge: 'known failures outdated',
      junit: [RULE],
      junitSays: /remove it from the list/,
      says: `${RULE} is listed as a known failure, but it passes: remove it from the list.`,
    },
  ],
  [
    'with a known failure that has expired, of a rule that was not tried',
    reportWith({ knownFailures: [entry('expired')], results: of(RULE, untried) }),
    {
      code: 1,
      headline: 'The list of known failures is out of date',
      badge: 'known failures outdated',
      junit: [RULE],
      junitSays: /that day is over/,
      says: 'that day is over',
    },
  ],
  [
    'with a rule that was not tried but violated according to both readers',
    reportWith({ oracle: violationOf(RULE), results: of(RULE, untried) }),
    {
      code: 1,
      headline: '1 rule not tried, but violated',
      badge: '1 violated',
      junit: [RULE],
      junitSays: /validator and Prism found violations/,
      says: `${RULE} was not tried, but assay's validator and Prism found violations of it, so the run fails.`,
    },
  ],
  [
    'with an error',
    reportWith({ results: of(RULE, { verdict: 'error', reason: 'the credential SVC is used no more' }) }),
    { code: 3, headline: '1 rule ended in an error', badge: '1 error', junit: [RULE], junitSays: /used no more/ },
  ],
  [
    'whose self-check failed',
    reportWith({ oracle: { ...oracle, canaries: { sent: 5, caught: 4, missed: ['getVpc 200'], nothingToSay: [] } } }),
    {
      code: 3,
      headline: 'The oracle found errors in assay',
      badge: 'oracle error',
      junit: ['assay.run'],
      junitSays: /1 of 5 invalid responses/,
      says: 'Prism accepted 1 of 5 invalid responses',
    },
  ],
  [
    'with --strict and a must rule that was not tried',
    reportWith({ run: strict, results: ({ id, level }) => (id === RULE ? untried : level === 'must' ? skipped : {}) }),
    {
      code: 1,
      headline: '1 must rule not tried',
      badge: '1 not tried',
      junit: [RULE],
      junitSays: /^not tried, which --strict counts as failed: agent: an agent$/,
      says: '--strict: 1 of 1 must rules were not tried, so the run fails.',
    },
  ],
])(
  'a run %s: exit code, headline, badge and every format say why',
  (_, report, { junitSays, says = '', ...ending }) => {
    const { texts, junitSays: messages, ...found } = render(report);
    expect(found).toEqual(ending);
    expect(messages).toEqual([expect.stringMatching(junitSays)]);
    expect(texts.filter((text) => !text.includes(says))).toEqual([]);
  },
);

test.each<[string, Report]>([
  ['that passed', reportWith({})],
  ['with --strict and a skipped rule', reportWith({ run: strict, results: of(RULE, skipped) })],
  ['with a rule that was not tried', reportWith({ results: of(RULE, untried) })],
  [
    'with a known failure',
    reportWith({ knownFailures: [entry('failed')], results: of(RULE, { verdict: 'known-failure' }) }),
  ],
])('a run %s is green in every format', (_, report) => {
  const { code, headline: title, junit, texts } = render(report);
  expect({ code, title, junit }).toEqual({ code: 0, title: 'Every rule that was tried passed', junit: [] });
  expect(texts[1]).toMatch(/^## Conformance passed: /);
  expect(texts[2]).toBe('');
});

test('every format reports that a run tried no must rule, and the run fails', () => {
  const { code, headline: title, badge, texts } = render(reportWith({ results: () => untried }));
  expect({ code, title, badge }).toEqual({ code: 1, title: 'No must rule was tried', badge: 'nothing tried' });
  expect(texts[0]).toContain('No must rule was tried, so this run does not show whether the target conforms.');
  expect(texts[1]).toMatch(/^## Conformance failed: 0 of \d+ must rules tried/);
});

test('a run that tried nothing names what to fix first: suspicious responses, then what most rules miss', () => {
  const warnings = [
    'GET /accounts returned 401 for SVC_ADMIN_TOKEN: if the credential is invalid, so are the results.',
  ];
  const lacking = ['a model', 'an agent', 'a job', 'a vpc'];
  let place = 0;
  // Two of three miss an agent, the others mostly a model.
  const reason = (): string => (place++ % 3 > 0 ? 'an agent' : (lacking[[0, 0, 2, 3][place % 4] ?? 0] as string));
  const report = reportWith({
    run: { ...sample.run, warnings },
    results: ({ level }) => (level === 'must' ? { verdict: 'not-tried', reason: reason() } : {}),
  });
  const [cause] = causesOf(report);
  expect(cause?.findings[0]?.message).toMatch(
    /^No must rule was tried, .* GET \/accounts returned 401 for SVC_ADMIN_TOKEN: .* To try rules: provide an agent \(\d+ rules\); provide a model \(\d+ rules\); .* \(\d+ rules\)\.$/,
  );
});

test('a run that tested only some inputs says so, and is green', () => {
  const [quick, timed, bailed] = (['quick', 'time', 'bail'] as const).map((stoppedBy) =>
    render(reportWith({ run: { ...sample.run, stoppedBy } })),
  );
  expect([quick?.code, timed?.code, bailed?.code]).toEqual([0, 0, 0]);
  expect(bailed?.texts[0]).toContain('(--bail): some rules were tested with fewer inputs');
  for (const text of quick?.texts.slice(0, 2) ?? [])
    expect(text).toContain('Only the first round of inputs was tested (--quick).');
  for (const text of timed?.texts.slice(0, 2) ?? []) expect(text).toContain('The time of the run was over (--time)');
});

test('rules that lacked time are counted by what they are missing, whatever their reason is', () => {
  const late = { verdict: 'not-tried', reason: 'any words', missing: 'time' } as const;
  const results = ({ id }: { id: string }) => (id === RULE ? late : id === OTHER ? untried : {});
  const report = reportWith({ run: { ...sample.run, stoppedBy: 'time' }, results });
  expect(sentenceOnStop(report)).toContain(' 1 rule was not tried;');
  expect(pageData(report, 'out', 0).stopped).toBe(sentenceOnStop(report));
  expect(pageData(sample, 'out', 0).stopped).toBeUndefined();
});

test('the first cause decides the exit code: interrupted, failed, known failures, oracle and errors, strict', () => {
  const everything = reportWith({
    run: { ...strict, complete: false },
    oracle: { ...violationOf(RULE), canaries: { sent: 0, caught: 0, missed: [], nothingToSay: [] } },
    knownFailures: [{ ...entry('passed'), id: 'vpcs.create.answers-resource' }],
    results: ({ id }) =>
      id === RULE ? untried : id === OTHER ? { verdict: 'failed' } : id.startsWith('mcp.') ? { verdict: 'error' } : {},
  });
  expect(causesOf(everything).map(({ kind }) => kind)).toEqual([
    'interrupted',
    'failed',
    'known-failures',
    'oracle-violation',
    'error',
    'oracle-error',
    'not-tried',
  ]);
});

test('a rule with several problems is one case of junit.xml with all of them', () => {
  const report = reportWith({
    knownFailures: [entry('expired')],
    results: of(RULE, { verdict: 'failed', reason: 'odd' }),
  });
  expect(render(report)).toMatchObject({
    junit: [RULE],
    junitSays: [expect.stringMatching(/^odd; .*that day is over/)],
  });
});
