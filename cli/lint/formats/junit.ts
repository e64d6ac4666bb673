/** A test suite a document, a test case a rule: the form that CI systems read. */
import { rules } from '../../../spec/ruleset/rules/index.mjs';
import type { Linted, LintFinding, LintReport } from '../finding.ts';

export function junit({ documents }: LintReport): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="assay lint">\n${documents.map(suite).join('')}</testsuites>\n`;
}

function suite({ document, findings, coverage }: Linted): string {
  const found = Map.groupBy(findings, ({ rule }) => rule);
  const names = new Set([...rules.map(({ id }) => id), ...found.keys()]);
  const cases = [...names].map((name) => testcase(name, document, found.get(name) ?? []));
  const notes = coverage.map(({ message }) => message).join('\n');
  const out = notes === '' ? '' : `    <system-out>${escaped(notes)}</system-out>\n`;
  const head = `name="${escaped(document)}" tests="${names.size}" failures="${found.size}" errors="0" skipped="0"`;
  return `  <testsuite ${head}>\n${cases.join('')}${out}  </testsuite>\n`;
}

function testcase(rule: string, document: string, findings: readonly LintFinding[]): string {
  const head = `    <testcase classname="${escaped(document)}" name="${escaped(rule)}"`;
  const [first] = findings;
  if (first === undefined) return `${head}/>\n`;
  const lines = findings.map(({ source, start, message }) => `${source}:${start.line}:${start.column} ${message}`);
  const failure = `<failure type="${first.severity}" message="${escaped(first.message)}">${escaped(lines.join('\n'))}</failure>`;
  return `${head}>\n      ${failure}\n    </testcase>\n`;
}

/** Characters that XML 1.0 does not allow become question marks. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
