/** The findings for people in a terminal, followed by the coverage of the interface. */
import { isAbsolute, join, relative } from 'node:path';
import { escapeControls } from '../../../reports/printable.ts';
import { counted } from '../../../spec/counted.ts';
import { packageFolder } from '../../command-line/package-info.ts';
import type { LintFinding, LintReport } from '../finding.ts';
import { allCoverage, allFindings, isFailing, placesOf, severities } from '../finding.ts';

/** `listsRecognized`: whether to list the recognized resources and collections. */
export function stylish(report: LintReport, { listsRecognized }: { listsRecognized: boolean }): string {
  const parts = [
    ...blocks(allFindings(report)),
    ...notLinted(report),
    ...(listsRecognized ? recognized(report) : []),
    ...coverage(report),
    ...stale(report),
    summary(report),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** One block a source. */
function blocks(findings: readonly LintFinding[]): string[] {
  return [...Map.groupBy(findings, ({ source }) => source)].map(([source, each]) =>
    [escapeControls(source), ...table(each)].join('\n'),
  );
}

function notLinted({ documents }: LintReport): string[] {
  const names = documents.filter(({ isLinted }) => !isLinted).map(({ document }) => escapeControls(document));
  return names.map((name) => `${name} cannot be read completely, so no rule was applied to it. Correct it first.`);
}

const table = (findings: readonly LintFinding[]): string[] =>
  aligned(
    findings.map(({ start, severity, rule, message }) => [`${start.line}:${start.column}`, severity, rule, message]),
  );

/** Indented lines whose columns are aligned. The last column is as long as it is. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => escapeControls(cell)));
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) => {
    const padded = row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)));
    return `  ${padded.join('  ')}`;
  });
}

function recognized({ documents }: LintReport): string[] {
  const resources = documents.flatMap((each) => each.recognized.resources);
  const collections = documents.flatMap((each) => each.recognized.collections);
  return [
    [
      `Recognized ${counted(resources.length, 'resource')}${resources.length === 0 ? '.' : ':'}`,
      ...aligned(resources.map(({ name, reason }) => [name, reason])),
    ].join('\n'),
    [
      `Recognized ${counted(collections.length, 'collection')}${collections.length === 0 ? '.' : ':'}`,
      ...aligned(
        collections.map(({ path, operations, noResourceReason: reason }) => [
          path,
          operations.join(', '),
          ...(reason === undefined ? [] : [`no resource: ${reason}`]),
        ]),
      ),
    ].join('\n'),
  ];
}

/** The differences themselves are findings with --coverage; without it they could be hundreds of lines. */
function coverage(report: LintReport): string[] {
  const counts = report.documents.flatMap(({ operations }) =>
    Object.entries(operations).map(
      ([surface, { shown: returned, covered }]) => `${covered} of ${returned} on ${surface}`,
    ),
  );
  if (report.documents.every(({ isLinted }) => !isLinted)) return [];
  const lacks = allCoverage(report);
  const listed = allFindings(report).filter(({ rule }) => rule === 'coverage');
  if (counts.length === 0) return lacks.length === 0 ? [] : [OTHER_API];
  const hint = lacks.length === 0 ? '' : ' (listed with --coverage)';
  const differences = `${counted(lacks.length + listed.flatMap(placesOf).length, 'difference')}${hint}`;
  return [`Coverage of the operations that the interface shows: ${counts.join(', ')}; ${differences}.`];
}

/** Without --coverage this is no finding. */
const OTHER_API = 'Coverage: none of the operations belong to the interface, which is normal for another API.';

function stale({ stale: entries }: LintReport): string[] {
  if (entries.length === 0) return [];
  const lines = entries.map(({ rule, at, message }) => `  ${rule}  ${escapeControls(message)}  ${escapeControls(at)}`);
  return [[`Gone, and still in the baseline: ${counted(entries.length, 'finding')}.`, ...lines].join('\n')];
}

function summary(report: LintReport): string {
  const findings = allFindings(report);
  const known = report.known === 0 ? '' : ` ${report.known} more in the baseline.`;
  const documents = counted(report.documents.length, 'document');
  if (findings.length === 0) return `No findings in ${documents}.${known}`;
  const counts = severities
    .map((severity) => ({ severity, amount: findings.filter((each) => each.severity === severity).length }))
    .filter(({ severity, amount }) => amount > 0 || severity === 'error' || severity === 'warning')
    .map(({ severity, amount }) => counted(amount, severity));
  return [
    `${counted(findings.length, 'finding')} in ${documents}: ${counts.join(', ')}.${failing(findings, report)}${known}`,
    ...(findings.length > MAX_UNCOUNTED ? [byRule(findings)] : []),
    ...(findings.length > MANY_FINDINGS && report.documents.length === 1 ? [BASELINE_ADVICE] : []),
    ...(hasOwnRule(report) ? [`What the rules mean, with examples: ${referencePath()}`] : []),
  ].join('\n');
}

/** The page of the installed package; relative to the working directory if it is in it. */
function referencePath(): string {
  const page = join(packageFolder, 'spec/ruleset/README.md');
  const fromHere = relative(process.cwd(), page);
  return fromHere.startsWith('..') || isAbsolute(fromHere) ? page : fromHere;
}

/** Whether a finding is of a rule that the reference describes. */
const hasOwnRule = ({ documents }: LintReport): boolean =>
  documents.some(({ findings, rules }) => {
    const own = new Set(rules.filter(({ help }) => help !== undefined).map(({ id }) => id));
    return findings.some(({ rule }) => own.has(rule));
  });

/** Empty if all findings fail the run. */
function failing(findings: readonly LintFinding[], report: LintReport): string {
  const { length } = findings.filter((each) => isFailing(each, report));
  if (length === findings.length) return '';
  const severity = `(${report.failSeverity} or worse)`;
  if (length === 0) return ` None is severe enough to fail the run ${severity}.`;
  return ` ${length} of them ${length === 1 ? 'fails' : 'fail'} the run ${severity}.`;
}

/** Fewer findings are counted at a glance. */
const MAX_UNCOUNTED = 20;
/** More do not fit on a screen. */
const MANY_FINDINGS = 50;

function byRule(findings: readonly LintFinding[]): string {
  const counts = [...Map.groupBy(findings, ({ rule }) => rule)].map(([rule, { length }]) => ({ rule, length }));
  const sorted = counts.toSorted((one, other) => other.length - one.length);
  return `By rule: ${sorted.map(({ rule, length }) => `${escapeControls(rule)} (${length})`).join(', ')}.`;
}

/** A baseline is of one document. */
const BASELINE_ADVICE = 'To report only new findings from now on: --write-baseline FILE, then --baseline FILE.';
