/** JUnit XML for CI systems: one test suite per document, one test case per rule. */
import { junitXml } from '../../../reports/junit-xml.ts';
import type { Element } from '../../../reports/junit-xml.ts';
import { escapeControls } from '../../../reports/printable.ts';
import type { LintedDocument, LintFinding, LintReport } from '../finding.ts';
import { isFailing, placesOf } from '../finding.ts';

export const junit = (report: LintReport): string =>
  junitXml({ '@name': 'assay lint', testsuite: report.documents.map((each) => suite(each, report)) });

function suite({ document, rules, findings, coverage }: LintedDocument, report: LintReport): Element {
  const all = Map.groupBy(findings, ({ rule }) => rule);
  const found = Map.groupBy(
    findings.filter((each) => isFailing(each, report)),
    ({ rule }) => rule,
  );
  const names = [...new Set([...rules.map(({ id }) => id), ...all.keys()])];
  const notes = coverage.map((each) => escapeControls(each.message)).join('\n');
  return {
    '@name': document,
    '@tests': String(names.length),
    '@failures': String(found.size),
    '@errors': '0',
    '@skipped': '0',
    testcase: names.map((name) => testCase(name, document, all.get(name) ?? [], found.get(name) ?? [])),
    ...(notes !== '' && { 'system-out': { '#text': notes } }),
  };
}

/** Findings that do not fail the run are its output. A line of a document must not begin one of it: it could be a workflow command. */
function testCase(
  rule: string,
  document: string,
  findings: readonly LintFinding[],
  failing: readonly LintFinding[],
): Element {
  const head = { '@classname': document, '@name': rule };
  if (findings.length === 0) return head;
  const lines = findings
    .flatMap(placesOf)
    .map((each) => escapeControls(`${each.source}:${each.start.line}:${each.start.column} ${each.message}`));
  const output = { '#text': lines.join('\n') };
  const [first] = failing;
  if (first === undefined) return { ...head, 'system-out': output };
  return {
    ...head,
    failure: { '@type': first.severity, '@message': first.message, ...output },
  };
}
