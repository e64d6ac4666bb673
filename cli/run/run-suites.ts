/** Runs the cases of the selected rules in this process, then builds and prints the report. */
import { setFlagsFromString } from 'node:v8';
import { showProgress } from '../../reports/progress.ts';
import { buildReport, judgeVerdict } from '../../reports/report.ts';
import type { RunRecord } from '../../reports/report.ts';
import { recordOf } from '../../reports/run-record.ts';
import type { JudgingSettings } from '../../reports/run-record.ts';
import { styleFor, terminalReport } from '../../reports/terminal.ts';
import { outputLine, withoutCommands } from '../../reports/workflow-command.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Report } from '../../spec/verdicts.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import { startRun } from '../../suites/engine/start-run.ts';
import { delayAfter, MAX_MS_AFTER_INTERRUPTION } from '../command-line/interruption.ts';
import { assayVersion } from '../command-line/package-info.ts';
import { countProgress } from './count-progress.ts';

export interface Judging extends JudgingSettings {
  /** The rules of the shard. Omitted: a whole run. */
  readonly shardRules?: readonly RequirementId[];
  /** The folder of the report. */
  readonly folder: string;
  /** Print the verdicts of each area as a table. */
  readonly areas?: boolean;
  /** The report of the previous run of the target. Omitted: none is known. */
  readonly previous?: Report;
  /** Aborted when what the target is built from has changed: the run stops, and has no report. */
  readonly changed?: AbortSignal;
  /** Called with the report and the record it was built from before the summary is printed. */
  readonly onReport: (report: Report, record: RunRecord) => Promise<void>;
}

/** The cases wait most of the time, so the process may collect garbage often. */
const MEMORY_SAVING_FLAGS = ['--max-semi-space-size=2', '--heap-growing-percent=10', '--optimize-for-size'];

/** The report of an interrupted run has what the cases found until then. Undefined if a change stopped the run. */
export async function runSuites(
  settings: RunSettings,
  judging: Judging,
  interrupted: AbortSignal,
): Promise<Report | undefined> {
  for (const flag of MEMORY_SAVING_FLAGS) setFlagsFromString(flag);
  const { shardRules, changed } = judging;
  const ended = changed === undefined ? interrupted : AbortSignal.any([interrupted, changed]);
  const startedAt = new Date().toISOString();
  const { selected = requirements.map(({ id }) => id) } = settings;
  const ids = selected.filter((id) => shardRules?.includes(id) ?? true);
  const counter = countProgress();
  const progressLine = showProgress(process.stdout, ids.length, () => {
    const { failing, ...progress } = counter.progress();
    const verdictOf = ({ id, verdict }: (typeof failing)[number]) =>
      judgeVerdict(id, verdict, { ...judging, startedAt });
    return { ...progress, failing: failing.map((each) => ({ ...each, verdict: verdictOf(each) })) };
  });
  const mistakes = listenForMistakes();
  const notStarted = { outcomes: [], repeatCount: 0 };
  const running = ended.aborted ? notStarted : runTogether(settings, ids, counter.watch, ended);
  const { outcomes, repeatCount } = await Promise.resolve(running).finally(progressLine.end);
  if (changed?.aborted === true && !interrupted.aborted) {
    process.stdout.write(outputLine('The run is stopped, because a file has changed.', process.stdout));
    return undefined;
  }
  // A mistake may have lost a verdict, so the run counts as interrupted.
  const isComplete = !interrupted.aborted && !mistakes.haveOccurred();
  const warnings = [...(judging.warnings ?? []), ...repeatWarning(repeatCount)];
  const record = recordOf(
    assayVersion,
    settings,
    { ...judging, warnings },
    {
      startedAt,
      outcomes,
      isComplete,
      ...(shardRules && { shardRules }),
    },
  );
  const report = buildReport(record);
  await judging.onReport(report, record);
  process.stdout.write(`\n${withoutCommands(terminalReport(report, styleFor(process.stdout), judging))}`);
  return report;
}

/** Such responses are not judged if another one follows, so only this sentence shows them. */
const repeatWarning = (count: number): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? 'request was' : 'requests were'} sent again after 502, 503 or 504.`];

/** All cases at the same time, as far as the schedule allows. After an interruption, those that have ended. */
async function runTogether(
  settings: RunSettings,
  ids: readonly RequirementId[],
  watch: ReturnType<typeof countProgress>['watch'],
  interrupted: AbortSignal,
): Promise<{ outcomes: CaseOutcome[]; repeatCount: number }> {
  const cases = await collectCases(ids);
  const run = await startRun(settings, cases.values(), watch);
  const limit = delayAfter(interrupted, MAX_MS_AFTER_INTERRUPTION);
  if (interrupted.aborted) run.stop();
  else interrupted.addEventListener('abort', run.stop);
  try {
    const ended = await Promise.all(run.outcomes.values().map((outcome) => Promise.race([outcome, limit.ended])));
    const outcomes = ended.filter((outcome) => outcome !== undefined);
    return { outcomes, repeatCount: run.context.transport.repeatCount() };
  } finally {
    interrupted.removeEventListener('abort', run.stop);
    await Promise.race([run.close(), limit.ended]);
    limit.cancel();
  }
}

let mistakeCount = 0;
const noteMistake = (error: unknown): void => {
  mistakeCount += 1;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(outputLine(`A mistake in assay: ${text}`, process.stderr));
};

/** Prints errors that nobody handles, until the process ends: a case that was cut may still go on. */
function listenForMistakes(): { haveOccurred: () => boolean } {
  process.off('uncaughtException', noteMistake).on('uncaughtException', noteMistake);
  process.off('unhandledRejection', noteMistake).on('unhandledRejection', noteMistake);
  const before = mistakeCount;
  return { haveOccurred: () => mistakeCount > before };
}
