/** Reports a run to GitHub Actions: an annotation per cause of failures, and the job summary. */
import { appendFileSync } from 'node:fs';
import { counted } from '../spec/counted.ts';
import type { Report } from '../spec/verdicts.ts';
import { limitedAnnotations } from './annotation-limit.ts';
import type { Annotation } from './annotation-limit.ts';
import { commonResponse, groupByCause } from './common-response.ts';
import type { FailureGroup } from './common-response.ts';
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

/** What the run as a whole lacks first, then one for each cause, of which that of most rules is first. */
export function annotations(report: Report): string[] {
  const failedRules = report.requirements.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  const causes = groupByCause(failedRules, report);
  const common = commonResponse(report);
  return limitedAnnotations([
    ...[...sentencesOf(report), ...(common === undefined ? [] : [common])].map(sentenceAnnotation),
    ...causes.toSorted((one, other) => other.others.length - one.others.length).map(causeAnnotation),
  ]);
}

function sentenceAnnotation(sentence: string): Annotation {
  const message = escapeControls(sentence);
  return { level: 'error', properties: { title: 'assay' }, message, line: message };
}

function causeAnnotation({ first, others }: FailureGroup): Annotation {
  const { id, verdict, rule, reason = '', counterexample } = first;
  const found =
    counterexample === undefined
      ? [reason]
      : [`expected: ${counterexample.expected}`, `actual: ${counterexample.actual}`];
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'more rule')}`;
  const same = others.length === 0 ? [] : [`also: ${others.map((each) => each.id).join(', ')}`];
  const lines = [rule, ...found, ...same].map((line) => escapeControls(line.slice(0, MAX_LINE_LENGTH)));
  const title = escapeControls(`${verdict} ${id}${more}`);
  return { level: 'error', properties: { title }, message: lines.join('\n'), line: `${title}: ${lines.join(' ')}` };
}

const MAX_LINE_LENGTH = 600;
