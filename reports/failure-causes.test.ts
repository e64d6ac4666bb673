import { XmlDocument } from 'libxml2-wasm';
import { expect, test } from 'vitest';
import type { OracleReport } from '../spec/oracle.ts';
import type { JudgedKnownFailure, Report, RuleResult } from '../spec/verdicts.ts';
import { annotations } from './actions.ts';
import { pageData } from './html/page-data.ts';
import { headline } from './html/page/headline.ts';
import { sampleReport } from './html/sample-run.ts';
import { causesOf, exitCodeOf } from './failure-causes.ts';
import { painterFor, terminalReport } from './terminal.ts';
import { toBadge } from './badge.ts';
import { toJunit } from './junit.ts';
import { toSummary } from './summary.ts';

const RULE = 'errors.sandbox.body-shape';
const OTHER = 'metrics.group-by.at-most-three';
const sample = sampleReport();
const oracle = sample.oracle as OracleReport;

/** Nothing is amiss in it, but for what a test says of one rule or of all. */
function having(over: Partial<Report> & { results?: (result: RuleResult) => Partial<RuleResult> }): Report {
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
const leftOut: Partial<RuleResult> = { verdict: 'not-tried', reason: 'left out by --only or --skip' };
const entry = (state: JudgedKnownFailure['state']): JudgedKnownFailure => ({
  id: RULE,
  reason: 'old',
  expires: '2026-01-01',
  state,
});
const strict = { ...sample.run, strict: true } as const;
const seen = (requirement: typeof RULE) => ({
  ...oracle,
  violations: oracle.violations.map((violation) => ({ ...violation, requirement })),
});

/** All that a run tells of itself, the blanks of wrapped lines as one. */
function told(report: Report) {
  const page = pageData(report, 'r', 0);
  using junit = XmlDocument.fromString(toJunit(report, 'r'));
  const cases = junit.find('//testcase[failure or error]');
  return {
    code: exitCodeOf(report),
    headline: headline(page),
    badge: (JSON.parse(toBadge(report)) as { message: string }).message,
    junit: cases.map((each) => each.get('@name')?.content),
    junitSays: junit.find('//testcase/failure/@message | //testcase/error/@message').map(({ content }) => content),
    texts: [
      terminalReport(report, painterFor({ write: () => true })),
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
  /** The cases of junit.xml that are not green. */
  junit: string[];
  junitSays: RegExp;
  /** What every text says; left out: the rule's own result says it. */
  says?: string;
}

test.each<[string, Report, Ending]>([
  [
    'that was cut short',
    having({ run: { ...sample.run, complete: false } }),
    {
      code: 3,
      headline: 'The run was cut short',
      badge: 'cut short',
      junit: ['run'],
      junitSays: /cut short/,
      says: 'The run was cut short, so it is not green.',
    },
  ],
  [
    'with a rule that failed',
    having({ results: of(RULE, { verdict: 'failed', reason: 'status 200' }) }),
    { code: 1, headline: '1 rule failed', badge: '1 failed', junit: [RULE], junitSays: /^status 200$/ },
  ],
  [
    'with a known failure that passes',
    having({ knownFailures: [entry('passed')] }),
    {
      code: 1,
      headline: 'The list of known failures is out of date',
      badge: 'not as wanted',
      junit: [RULE],
      junitSays: /take it off the list/,
      says: `${RULE} is listed as a known failure, but it passes: take it off the list.`,
    },
  ],
  [
    'with a known failure that has expired, of a rule that was not tried',
    having({ knownFailures: [entry('expired')], results: of(RULE, untried) }),
    {
      code: 1,
      headline: 'The list of known failures is out of date',
      badge: 'not as wanted',
      junit: [RULE],
      junitSays: /that day is over/,
      says: 'that day is over',
    },
  ],
  [
    'with a rule that was not tried and that both readers saw broken',
    having({ oracle: seen(RULE), results: of(RULE, untried) }),
    {
      code: 1,
      headline: '1 rule not tried, but seen broken',
      badge: 'not as wanted',
      junit: [RULE],
      junitSays: /both readers saw it broken/,
      says: `${RULE} was not tried, but both readers saw it broken, so the run fails.`,
    },
  ],
  [
    'with an error',
    having({ results: of(RULE, { verdict: 'error', reason: 'the credential SVC is used no more' }) }),
    { code: 3, headline: '1 rule could not be judged', badge: '1 error', junit: [RULE], junitSays: /used no more/ },
  ],
  [
    'whose oracle proves nothing',
    having({ oracle: { ...oracle, canaries: { sent: 5, caught: 4, missed: ['getVpc 200'], nothingToSay: [] } } }),
    {
      code: 3,
      headline: 'The oracle finds the harness at fault',
      badge: 'harness at fault',
      junit: ['run'],
      junitSays: /1 of 5 known-bad answers/,
      says: 'Prism passed over 1 of 5 known-bad answers',
    },
  ],
  [
    'that is strict, with a must rule that was not tried',
    having({ run: strict, results: ({ id, level }) => (id === RULE ? untried : level === 'must' ? leftOut : {}) }),
    {
      code: 1,
      headline: '1 must rule not tried',
      badge: 'not as wanted',
      junit: [RULE],
      junitSays: /^not tried in a strict run: agent: an agent$/,
      says: 'Strict: 1 of 1 must rules were not tried, so the run fails.',
    },
  ],
])('a run %s: exit code, headline, badge and every form say why', (_, report, { junitSays, says = '', ...ending }) => {
  const { texts, junitSays: said, ...found } = told(report);
  expect(found).toEqual(ending);
  expect(said).toEqual([expect.stringMatching(junitSays)]);
  expect(texts.filter((text) => !text.includes(says))).toEqual([]);
});

test.each<[string, Report]>([
  ['in which all held', having({})],
  ['that is strict, in which all that was not tried was left out', having({ run: strict, results: of(RULE, leftOut) })],
  ['with a rule that was not tried', having({ results: of(RULE, untried) })],
  [
    'with a known failure',
    having({ knownFailures: [entry('failed')], results: of(RULE, { verdict: 'known-failure' }) }),
  ],
])('a run %s is green in every form', (_, report) => {
  const { code, headline: said, junit, texts } = told(report);
  expect({ code, said, junit }).toEqual({ code: 0, said: 'Every rule that was tried held', junit: [] });
  expect(texts[1]).toMatch(/^## Conformance held: /);
  expect(texts[2]).toBe('');
});

test('a run that tried no must rule says so in every form, and is no success', () => {
  const { code, headline: said, badge, texts } = told(having({ results: () => untried }));
  expect({ code, said, badge }).toEqual({ code: 0, said: 'No must rule was tried', badge: 'nothing tried' });
  expect(texts[0]).toContain('No must rule was tried, so the run says nothing of conformance.');
  expect(texts[1]).toMatch(/^## Conformance not judged, nothing tried: 0 of \d+ must rules tried/);
});

test('the first cause is what a run ends with: cut short, failed, known failures, oracle and errors, strict', () => {
  const everything = having({
    run: { ...strict, complete: false },
    oracle: { ...seen(RULE), canaries: { sent: 0, caught: 0, missed: [], nothingToSay: [] } },
    knownFailures: [{ ...entry('passed'), id: 'vpcs.create.answers-resource' }],
    results: ({ id }) =>
      id === RULE ? untried : id === OTHER ? { verdict: 'failed' } : id.startsWith('mcp.') ? { verdict: 'error' } : {},
  });
  expect(causesOf(everything).map(({ kind }) => kind)).toEqual([
    'cut-short',
    'failed',
    'out-of-date',
    'seen-broken',
    'error',
    'oracle',
    'untried',
  ]);
});

test('a rule with several things amiss is one case of junit.xml that says them all', () => {
  const report = having({ knownFailures: [entry('expired')], results: of(RULE, { verdict: 'failed', reason: 'odd' }) });
  expect(told(report)).toMatchObject({ junit: [RULE], junitSays: [expect.stringMatching(/^odd; .*that day is over/)] });
});
