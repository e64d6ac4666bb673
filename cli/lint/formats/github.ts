/** GitHub Actions workflow commands, which annotate the changed lines. */
import { escapeControls } from '../../../reports/printable.ts';
import { workflowCommand } from '../../../reports/workflow-command.ts';
import type { LintFinding, LintReport } from '../finding.ts';
import { allCoverage, allFindings } from '../finding.ts';

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice', hint: 'notice' } as const;

export function github(report: LintReport): string {
  return [...allFindings(report), ...allCoverage(report)].map(command).join('');
}

function command({ severity, source, start, end, rule, message }: LintFinding): string {
  const where = {
    file: escapeControls(source),
    line: String(start.line),
    col: String(start.column),
    endLine: String(end.line),
    endColumn: String(end.column),
    title: rule,
  };
  return workflowCommand(COMMANDS[severity], where, escapeControls(message, { lineEnds: true }));
}
