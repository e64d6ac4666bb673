/** What `assay proxy` does with the rules: judges what passes, and reports it at the end. */
import path from 'node:path';
import type { Terminal } from '../../reports/fit-terminal.ts';
import { countOf, mustRulesTried } from '../../reports/report.ts';
import { sentencesOf } from '../../reports/failure-causes.ts';
import { judgedSentence } from '../../reports/judged-sentence.ts';
import { styleFor } from '../../reports/terminal.ts';
import { outputLine } from '../../reports/workflow-command.ts';
import { counted } from '../../spec/counted.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Report } from '../../spec/verdicts.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { prepareReportFolder } from '../run/prepare-report-folder.ts';
import { newRunId } from '../run/run-id.ts';
import { createTrafficJudge, type JudgeOptions } from './traffic-judge.ts';
import { openEvidence, openRecordFile, trafficReport, writeTrafficReport } from './traffic-report.ts';
import type { RecordFile, TrafficReport } from './traffic-report.ts';
import { trafficTargetOf, type TrafficTarget } from './traffic-target.ts';
import { recordingTo, watchTraffic, type TrafficWatcher } from './watch-traffic.ts';

export interface Judging {
  readonly target: TrafficTarget;
  readonly watcher: TrafficWatcher;
  /** Prints the verdicts and writes the report. */
  readonly end: () => Promise<TrafficReport>;
}

/** `onExchange`: called with each judged exchange, if they are not recorded. Throws UsageError if a file cannot be written. */
export async function openJudging(
  file: TargetFile,
  { report: given, record }: { readonly report?: string; readonly record?: string },
  out: Terminal,
  onExchange?: JudgeOptions['onExchange'],
): Promise<Judging> {
  const [runId, startedAt] = [newRunId(), new Date().toISOString()];
  const folder = given === undefined ? undefined : prepareReportFolder(given);
  const evidence = folder === undefined ? undefined : openEvidence(folder);
  const recordFile = record === undefined ? undefined : openGiven(record);
  const target = trafficTargetOf(file, process.env);
  await collectCases(); // Registers the judgements.
  const judge = createTrafficJudge({
    ...(evidence && { onEvidence: evidence.write }),
    ...(recordFile ? { onExchange: recordingTo(recordFile) } : onExchange && { onExchange }),
  });
  const watcher = watchTraffic({ judge, target, print: (text) => void out.write(text), style: styleFor(out) });
  async function end(): Promise<TrafficReport> {
    watcher.flush();
    evidence?.close();
    recordFile?.close();
    const found = trafficReport(judge, { runId, startedAt, target: target.about, recordings: [] });
    for (const line of verdictLines(found.report)) out.write(outputLine(line, out));
    if (folder !== undefined) out.write(outputLine(await writeTrafficReport(found, folder), out));
    return found;
  }
  return { target, watcher, end };
}

function verdictLines(report: Report): string[] {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'failed');
  const { judged, warnings = [] } = report.run;
  const sentences = sentencesOf(report); // They include warnings.
  const passedCount = countOf(report.requirements, 'passed');
  return [
    ...(sentences.length > 0 ? sentences : warnings),
    ...failed.map(({ id, inputs = 0 }) => `failed ${id} (judged by ${counted(inputs, 'exchange')})`),
    `${mustRulesTried(report).sentence}: ${passedCount} passed, ${failed.length} failed; ${judgedSentence(judged!)}.`,
  ];
}

function openGiven(file: string): RecordFile {
  try {
    return openRecordFile(path.resolve(file));
  } catch (error) {
    throw new UsageError(`"${file}" cannot be written: ${(error as Error).message}. Choose another --record FILE.`);
  }
}
