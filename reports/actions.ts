/** Reports a run to GitHub Actions: an annotation per failure, and the job summary. */
import { appendFileSync } from 'node:fs';
import type { Report, RuleResult } from '../spec/verdicts.ts';
import { sentencesOf } from './failure-causes.ts';
import { escapeControls } from './printable.ts';
import type { Terminal } from './fit-terminal.ts';
import { leftoversSection, toSummary } from './summary.ts';
import { isInActions, workflowCommand } from './workflow-command.ts';

/** Does nothing outside GitHub Actions. */
export function writeActionsOutput(
  report: Report,
  folder: string,
  environment: NodeJS.ProcessEnv,
  out: Terminal,
): void {
  if (!isInActions(environment)) return;
  for (const line of annotations(report)) out.write(line);
  appendToJobSummary(toSummary(report, folder), environment, out);
}

/** Adds what the clean-up could not remove, one sentence each. */
export function writeActionsLeftovers(left: readonly string[], environment: NodeJS.ProcessEnv, out: Terminal): void {
  if (!isInActions(environment) || left.length === 0) return;
  out.write(
    workflowCommand(
      'warning',
      { title: 'not removed from the target' },
      left.map((sentence) => escapeControls(sentence)).join('\n'),
    ),
  );
  appendToJobSummary(`\n${leftoversSection({ left })}\n`, environment, out);
}

function appendToJobSummary(text: string, environment: NodeJS.ProcessEnv, out: Terminal): void {
  const page = environment['GITHUB_STEP_SUMMARY'] ?? '';
  if (page === '') return;
  try {
    appendFileSync(page, text);
  } catch (error) {
    // The summary is optional: the verdict does not depend on it.
    out.write(
      workflowCommand('warning', { title: 'assay' }, `Could not write the job summary: ${(error as Error).message}`),
    );
  }
}

export function annotations(report: Report): string[] {
  const failedRules = report.requirements.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  const runProblems = sentencesOf(report).map((sentence) =>
    workflowCommand('error', { title: 'assay' }, escapeControls(sentence)),
  );
  return [...failedRules.map(annotation), ...runProblems];
}

function annotation({ id, verdict, rule, reason = '', counterexample }: RuleResult): string {
  const found =
    counterexample === undefined
      ? [reason]
      : [`expected: ${counterexample.expected}`, `actual: ${counterexample.actual}`];
  const lines = [rule, ...found].map((line) => escapeControls(line.slice(0, 600)));
  return workflowCommand('error', { title: escapeControls(`${verdict} ${id}`) }, lines.join('\n'));
}
