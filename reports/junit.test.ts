import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import type { XmlElement } from 'libxml2-wasm';
import { expect, test } from 'vitest';
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

const schemaFile = new URL('../fixtures/junit/junit.xsd', import.meta.url);

/** Throws if the text is not XML or not in the format that CI systems read. */
function valid(xml: string): XmlDocument {
  using schema = XmlDocument.fromBuffer(readFileSync(schemaFile));
  using validator = XsdValidator.fromDoc(schema);
  const document = XmlDocument.fromString(xml);
  validator.validate(document);
  return document;
}

const report = sampleReport();
const find = (document: XmlDocument, query: string): XmlElement => document.get(query) as XmlElement;
const text = (document: XmlDocument, query: string): string => find(document, query).content;

test('the output is valid against the JUnit schema', () => {
  using document = valid(toJunit(report, 'out/r'));
  expect(document.find('//testcase')).toHaveLength(report.requirements.length);
  expect(document.find('//@hostname')).toEqual([]);
});

test('the schema rejects other documents', () => {
  expect(() => valid('<testsuites><testsuite name="a"/></testsuites>')).toThrow(/tests/);
  expect(() => valid('<testsuites><suite/></testsuites>')).toThrow(/suite/);
});

test('each area is a suite with counts of its rules', () => {
  using document = valid(toJunit(report, 'out/r'));
  const suite = find(document, '//testsuite[@name="metrics"]');
  const count = (query: string): string => String(suite.find(query).length);
  expect(suite.attr('tests')?.value).toBe(count('testcase'));
  expect(suite.attr('failures')?.value).toBe(count('testcase[failure]'));
  expect(suite.attr('skipped')?.value).toBe(count('testcase[skipped]'));
  expect(count('testcase[failure]')).not.toBe('0');
});

test('each verdict has its own element', () => {
  using document = valid(toJunit(report, 'out/r'));
  const failure = text(document, `//testcase[@name="${FAILED_RULE}"]/failure`);
  for (const part of [
    'expected: resolution daily',
    'actual: hourly',
    'curl -sS',
    `npx assay replay out/r ${FAILED_RULE}`,
  ])
    expect(failure).toContain(part);
  expect(text(document, `//testcase[@name="${KNOWN_FAILURE_RULE}"]/skipped/@message`)).toContain('known failure: ');
  expect(text(document, '//testcase[@name="images.cleanup.answer-shape"]/skipped/@message')).toContain(
    'not tried, missing: destroy: --allow destroy',
  );
  expect(text(document, '//testcase[@name="auth.metrics.bearer-required"]/error/@message')).toContain('no answer');
  expect(text(document, `//testcase[@name="${OBSERVED_RULE}"]/system-out`)).toContain(
    'listAccounts with an unlisted version',
  );
});

test('problems of the whole run are a separate case, and untried rules of a strict run are failures', () => {
  const [first] = report.requirements;
  const untried = { ...first, verdict: 'not-tried', reason: 'agent: an agent' } as RuleResult;
  const run = { ...report.run, complete: false, strict: true } as const;
  using document = valid(toJunit({ ...report, run, requirements: [untried] }, 'out/r'));
  expect(text(document, '//testsuite[@name="run"]/testcase[@name="run"]/error/@message')).toContain('interrupted');
  expect(text(document, `//testcase[@name="${untried.id}"]/failure/@message`)).toContain('agent: an agent');
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
  using document = valid(toJunit({ ...report, requirements, target: { ...report.target, name: hostile } }, 'out/r'));
  expect(text(document, `//testcase[@name="${HOSTILE_RULE}"]/failure/@message`)).toBe(
    `${HOSTILE.replace('\u001B', String.raw`\u001b`).replace('\u202E', String.raw`\u202e`)}\uFFFD\uFFFD${String.raw`\u0000`}]]><!--&amp;, expected error: a string`,
  );
  expect(document.find('//script')).toEqual([]);
});
