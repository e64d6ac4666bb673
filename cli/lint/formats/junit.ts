/** JUnit XML for CI systems: one test suite per document, one test case per rule. */
import { escapeControls } from '../../../reports/printable.ts';
import type { LintedDocument, LintFinding, LintReport } from '../finding.ts';
import { isFailing, placesOf } from '../finding.ts';

export function junit(report: LintReport): string {
  const suites = report.documents.map((each) => suite(each, report)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="assay lint">\n${suites}</testsuites>\n`;
}

function suite({ document, rules, findings, coverage }: LintedDocument, report: LintReport): string {
  const all = Map.groupBy(findings, ({ rule }) => rule);
  const found = Map.groupBy(
    findings.filter((each) => isFailing(each, report)),
    ({ rule }) => rule,
  );
  const names = new Set([...rules.map(({ id }) => id), ...all.keys()]);
  const cases = [...names].map((name) => testcase(name, document, all.get(name) ?? [], found.get(name) ?? []));
  const notes = coverage.map(({ message }) => message).join('\n');
  const out = notes === '' ? '' : `    <system-out>${escaped(notes)}</system-out>\n`;
  const head = `name="${escaped(document)}" tests="${names.size}" failures="${found.size}" errors="0" skipped="0"`;
  return `  <testsuite ${head}>\n${cases.join('')}${out}  </testsuite>\n`;
}

/** Findings that do not fail the run are its output. A line of a document must not begin one of it: it could be a workflow command. */
function testcase(
  rule: string,
  document: string,
  findings: readonly LintFinding[],
  failing: readonly LintFinding[],
): string {
  const head = `    <testcase classname="${escaped(document)}" name="${escaped(rule)}"`;
  if (findings.length === 0) return `${head}/>\n`;
  const lines = findings
    .flatMap(placesOf)
    .map(({ source, start, message }) => escapeControls(`${source}:${start.line}:${start.column} ${message}`));
  const text = escaped(lines.join('\n'));
  const [first] = failing;
  const content =
    first === undefined
      ? `<system-out>${text}</system-out>`
      : `<failure type="${first.severity}" message="${escaped(escapeControls(first.message))}">${text}</failure>`;
  return `${head}>\n      ${content}\n    </testcase>\n`;
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
