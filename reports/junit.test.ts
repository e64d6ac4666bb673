import type { XmlDocument, XmlElement } from 'libxml2-wasm';
import { expect, test } from 'vitest';
import { readJunit } from './testing/read-junit.ts';
import type { RuleResult } from '../spec/verdicts.ts';
import {
  FAILED_RULE,
  HOSTILE,
  HOSTILE_RULE,
  KNOWN_FAILURE_RULE,
  OBSERVED_RULE,
  sampleReport,
} from './html/sample-run.ts';
import { toJunit } from './junit.ts';

const report = sampleReport();
const find = (document: XmlDocument, query: string): XmlElement => document.get(query) as XmlElement;
/** Consumers join the class and the name: together they are the id of the rule. */
const caseOf = (id: string): string => `//testcase[concat(@classname, '.', @name)="${id}"]`;
const text = (document: XmlDocument, query: string): string => find(document, query).content;

test('the output is valid against the JUnit schema', () => {
  using document = readJunit(toJunit(report, 'out/r'));
  expect(document.find('//testcase')).toHaveLength(report.requirements.length);
  expect(document.find('//@hostname')).toEqual([]);
});

test('the schema rejects other documents', () => {
  expect(() => readJunit('<testsuites><testsuite name="a"/></testsuites>')).toThrow(/tests/);
  expect(() => readJunit('<testsuites><suite/></testsuites>')).toThrow(/suite/);
});

test('each area is a suite with counts of its rules', () => {
  using document = readJunit(toJunit(report, 'out/r'));
  const suite = find(document, '//testsuite[@name="metrics"]');
  const count = (query: string): string => String(suite.find(query).length);
  expect(suite.attr('tests')?.value).toBe(count('testcase'));
  expect(suite.attr('failures')?.value).toBe(count('testcase[failure]'));
  expect(suite.attr('skipped')?.value).toBe(count('testcase[skipped]'));
  expect(count('testcase[failure]')).not.toBe('0');
});

test('each verdict has its own element', () => {
  using document = readJunit(toJunit(report, 'out/r'));
  const failure = text(document, `${caseOf(FAILED_RULE)}/failure`);
  for (const part of [
    'expected: resolution daily',
    'actual: hourly',
    'curl -sS',
    `npx --no assay replay out/r ${FAILED_RULE}`,
  ])
    expect(failure).toContain(part);
  expect(text(document, `${caseOf(KNOWN_FAILURE_RULE)}/skipped/@message`)).toContain('known failure: ');
  expect(text(document, `${caseOf('images.cleanup.answer-shape')}/skipped/@message`)).toContain(
    'not tried, missing: destroy: --allow destroy',
  );
  expect(text(document, `${caseOf('auth.metrics.bearer-required')}/error/@message`)).toContain('no answer');
  expect(text(document, `${caseOf(OBSERVED_RULE)}/system-out`)).toContain('listAccounts with an unlisted version');
});

test('problems of the whole run are a separate case, and untried rules of a strict run are failures', () => {
  const [first] = report.requirements;
  const untried = { ...first, verdict: 'not-tried', reason: 'agent: an agent' } as RuleResult;
  const run = { ...report.run, complete: false, strict: true } as const;
  using document = readJunit(toJunit({ ...report, run, requirements: [untried] }, 'out/r'));
  expect(text(document, '//testsuite[@name="assay"]/testcase[@name="run"]/error/@message')).toContain('interrupted');
  expect(text(document, `${caseOf(untried.id)}/failure/@message`)).toContain('agent: an agent');
  const [tests, failures, errors] = ['tests', 'failures', 'errors'].map((name) =>
    text(document, `/testsuites/@${name}`),
  );
  expect({ tests, failures, errors }).toEqual({ tests: '2', failures: '1', errors: '1' });
  expect(document.find('//skipped')).toEqual([]);
});

test('characters not allowed in XML are replaced, and markup from a target stays text', () => {
  const hostile = `${HOSTILE}\uD800\uFFFE\u0000]]><!--&amp;`;
  const requirements = report.requirements.map((result) =>
    result.counterexample !== undefined && result.id === HOSTILE_RULE
      ? { ...result, counterexample: { ...result.counterexample, actual: hostile } }
      : result,
  );
  using document = readJunit(
    toJunit({ ...report, requirements, target: { ...report.target, name: hostile } }, 'out/r'),
  );
  const message = text(document, `${caseOf(HOSTILE_RULE)}/failure/@message`);
  expect(message).toContain('‹/script›‹script›hacked=1‹/script›‹img src=x onerror=“hacked=1”›');
  expect(message).toContain(
    `${String.raw`\u202e`}gnp.exe ’ ＆ ]]›\uFFFD\uFFFD${String.raw`\u0000`}]]›‹!--＆amp;, expected error: a string`,
  );
  expect(text(document, `${caseOf(HOSTILE_RULE)}/failure`)).toContain(`gnp.exe ' & ]]>\uFFFD\uFFFD`);
  expect(document.find('//script')).toEqual([]);
});

test('there are no entities, because some consumers show them as they are written', () => {
  const actual = `"a" & 'b' <c> ]]> d`;
  const requirements = report.requirements.map((result) =>
    result.counterexample !== undefined && result.id === HOSTILE_RULE
      ? { ...result, counterexample: { ...result.counterexample, actual } }
      : result,
  );
  const xml = toJunit({ ...report, requirements }, 'out/r');
  using document = readJunit(xml);
  expect(text(document, `${caseOf(HOSTILE_RULE)}/failure`)).toContain(`\nactual: ${actual}`);
  expect(xml).toContain('message="“a” ＆ ’b’ ‹c› ]]› d, expected error: a string"');
  expect(xml.replaceAll(/<!\[CDATA\[.*?\]\]>/gs, '')).not.toContain('&');
  expect(xml).toContain('type="failed"><![CDATA[');
});

const millisecondsOf = (element: XmlElement): number => Math.round(1000 * Number(element.attr('time')?.value));

test.each([
  ['shorter than its rules', 1001, 1],
  ['longer than its rules', 100_000_001, 1],
  ['of judged traffic, whose rules have no times', 1001, 0],
  ['without a time', 0, 1],
])('the times of cases and suites add up to those of a run %s', (_what, runMs, factor) => {
  const startedAt = '2026-11-28T00:00:00.000Z';
  const run = { ...report.run, startedAt, endedAt: new Date(Date.parse(startedAt) + runMs).toISOString() };
  const requirements = report.requirements.map((each) => ({ ...each, durationMs: each.durationMs * factor }));
  using document = readJunit(toJunit({ ...report, run, requirements }, 'out/r'));
  const root = find(document, '/testsuites');
  const sum = (parent: XmlElement, query: string): number =>
    parent.find(query).reduce((all, each) => all + millisecondsOf(each as XmlElement), 0);
  expect(millisecondsOf(root)).toBe(runMs);
  expect(sum(root, 'testsuite')).toBe(runMs);
  for (const suite of root.find('testsuite') as XmlElement[])
    expect(sum(suite, 'testcase')).toBe(millisecondsOf(suite));
});

test('a rule that took longer has a larger share of the time', () => {
  using document = readJunit(toJunit(report, 'out/r'));
  const [first, last] = [report.requirements[1], report.requirements.at(-1)].map((result) =>
    millisecondsOf(find(document, caseOf(result?.id ?? ''))),
  );
  expect(first).toBeLessThan(last ?? 0);
});
