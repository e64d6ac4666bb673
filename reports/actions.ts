/** Tells GitHub Actions of a run: an annotation for each failure, and the summary on the job's page. */
import { appendFileSync } from 'node:fs';
import type { Report, RuleResult } from '../spec/verdicts.ts';
import { sentencesOf } from './failure-causes.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';
import { leftBehind, toSummary } from './summary.ts';
import { isInActions, workflowCommand } from './workflow-command.ts';

/** Does nothing anywhere else. */
export function tellActions(report: Report, folder: string, environment: NodeJS.ProcessEnv, out: Terminal): void {
  if (!isInActions(environment)) return;
  for (const line of annotations(report)) out.write(line);
  appendToPage(toSummary(report, folder), environment, out);
}

/** What is known only when the run has been undone: `left`, a sentence each. */
export function tellActionsWhatIsLeft(left: readonly string[], environment: NodeJS.ProcessEnv, out: Terminal): void {
  if (!isInActions(environment) || left.length === 0) return;
  out.write(
    workflowCommand('warning', { title: 'left at the target' }, left.map((sentence) => printable(sentence)).join('\n')),
  );
  appendToPage(`\n${leftBehind({ left })}\n`, environment, out);
}

function appendToPage(text: string, environment: NodeJS.ProcessEnv, out: Terminal): void {
  const page = environment['GITHUB_STEP_SUMMARY'] ?? '';
  if (page === '') return;
  try {
    appendFileSync(page, text);
  } catch (error) {
    // The run has its verdict all the same.
    out.write(workflowCommand('warning', { title: 'assay' }, `no job summary: ${(error as Error).message}`));
  }
}

export function annotations(report: Report): string[] {
  const told = report.requirements.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  const besides = sentencesOf(report).map((sentence) =>
    workflowCommand('error', { title: 'assay' }, printable(sentence)),
  );
  return [...told.map(annotation), ...besides];
}

function annotation({ id, verdict, rule, reason = '', counterexample }: RuleResult): string {
  const found =
    counterexample === undefined
      ? [reason]
      : [`expected: ${counterexample.expected}`, `actual: ${counterexample.actual}`];
  const lines = [rule, ...found].map((line) => printable(line.slice(0, 600)));
  return workflowCommand('error', { title: printable(`${verdict} ${id}`) }, lines.join('\n'));
}
