/** GitHub Actions workflow commands, which annotate the changed lines: one for each cause, the causes of others first. */
import { limitedAnnotations } from '../../../reports/annotation-limit.ts';
import type { Annotation } from '../../../reports/annotation-limit.ts';
import { escapeControls } from '../../../reports/printable.ts';
import type { LintFinding, LintReport } from '../finding.ts';
import { allCoverage, allFindings } from '../finding.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'notice', hint: 'notice' } as const;

/** While one of these has a finding, others may be its consequences. */
const FIRST_RULES = ['parser', 'invalid-ref', 'openapi-version', 'openapi-form', 'known-methods'];

export const github = (report: LintReport): string =>
  limitedAnnotations([...causesFirst(allFindings(report)), ...allCoverage(report)].map(annotation)).join('');

/** Then one of each rule, so that a frequent one does not hide the others. */
function causesFirst(findings: readonly LintFinding[]): LintFinding[] {
  const isFirst = ({ rule }: LintFinding): boolean => FIRST_RULES.includes(rule);
  const others = findings.filter((each) => !isFirst(each));
  const byRule = [...Map.groupBy(others, ({ rule }) => rule).values()];
  return [
    ...findings.filter(isFirst),
    ...byRule.flatMap((each) => each.slice(0, 1)),
    ...byRule.flatMap((each) => each.slice(1)),
  ];
}

function annotation({ severity, source, start, end, rule, message }: LintFinding): Annotation {
  const properties = {
    file: escapeControls(source),
    line: String(start.line),
    col: String(start.column),
    endLine: String(end.line),
    endColumn: String(end.column),
    title: rule,
  };
  const line = `${source}:${start.line}:${start.column} ${severity} ${rule} ${message}`;
  return {
    level: LEVELS[severity],
    properties,
    message: escapeControls(message, { lineEnds: true }),
    line: escapeControls(line),
  };
}
