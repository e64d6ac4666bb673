/** Findings as a person reads them in a terminal, and below them what the document lacks of the interface. */
import { escapeControls } from '../../../reports/printable.ts';
import type { LintFinding, LintReport } from '../finding.ts';
import { allCoverage, allFindings, counted } from '../finding.ts';

export function stylish(report: LintReport): string {
  const parts = [...blocks(allFindings(report)), ...coverage(report), ...stale(report), summary(report)];
  return `${parts.join('\n\n')}\n`;
}

/** One block a source. */
function blocks(findings: readonly LintFinding[]): string[] {
  return [...Map.groupBy(findings, ({ source }) => source)].map(([source, each]) =>
    [escapeControls(source), ...table(each)].join('\n'),
  );
}

function table(findings: readonly LintFinding[]): string[] {
  const rows = findings.map(({ start, severity, rule, message }) => [
    `${start.line}:${start.column}`,
    severity,
    rule,
    escapeControls(message),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`);
}

function coverage(report: LintReport): string[] {
  const counts = report.documents.flatMap(({ operations }) =>
    Object.entries(operations).map(
      ([surface, { shown: returned, covered }]) => `${covered} of ${returned} on ${surface}`,
    ),
  );
  const lacks = allCoverage(report);
  if (counts.length === 0) return lacks.map(({ message }) => escapeControls(message));
  const heading = `Coverage of the operations that the interface shows: ${counts.join(', ')}; ${counted(lacks.length, 'difference')}.`;
  return [
    [heading, ...lacks.map(({ message, requirements }) => `  ${escapeControls(message)}${ids(requirements)}`)].join(
      '\n',
    ),
  ];
}

const MAX_IDS = 2;

function ids(requirements: readonly string[]): string {
  if (requirements.length === 0) return '';
  const more = requirements.length > MAX_IDS ? `, … ${requirements.length} rules` : '';
  return ` [${requirements.slice(0, MAX_IDS).join(', ')}${more}]`;
}

function stale({ stale: entries }: LintReport): string[] {
  if (entries.length === 0) return [];
  const lines = entries.map(({ rule, at, message }) => `  ${rule}  ${escapeControls(message)}  ${escapeControls(at)}`);
  return [[`Gone, and still in the baseline: ${counted(entries.length, 'finding')}.`, ...lines].join('\n')];
}

function summary(report: LintReport): string {
  const findings = allFindings(report);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const known = report.known === 0 ? '' : ` ${report.known} more in the baseline.`;
  const documents = counted(report.documents.length, 'document');
  if (findings.length === 0) return `No findings in ${documents}.${known}`;
  const others = counted(findings.length - errors, 'warning');
  return `${counted(findings.length, 'finding')} in ${documents}: ${counted(errors, 'error')}, ${others}.${known}`;
}
