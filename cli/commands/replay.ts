/** `assay replay`: reruns a failed case of a report from the seed and path of its counterexample. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitCodeOf } from '../../reports/failure-causes.ts';
import { displayFolder, replayCommand, sweepCommand } from '../../reports/replay-command.ts';
import type { TargetOptions } from '../../reports/replay-command.ts';
import { buildReport, isSelected } from '../../reports/report.ts';
import { styleFor, resultText } from '../../reports/terminal.ts';
import { outputLine, withoutCommands } from '../../reports/workflow-command.ts';
import { routeOfMissing } from '../../spec/missing-operation.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Surface } from '../../spec/openapi-document.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Counterexample, Report, RuleResult } from '../../spec/verdicts.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import { readVariable, type Environment } from '../../suites/target/environment.ts';
import type { Target } from '../../suites/target/target.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { loadReport } from '../command-line/load-report.ts';
import { recentReports } from '../command-line/recent-reports.ts';
import type { FoundReport } from '../command-line/recent-reports.ts';
import { REPORTS_FOLDER } from '../command-line/reports-folder.ts';
import { exitIfInterrupted, INTERRUPTED, interruption } from '../command-line/interruption.ts';
import { assayVersion } from '../command-line/package-info.ts';
import { endsWithCommand, targetFileOf, targetReference } from '../command-line/target-reference.ts';
import { isSameInput } from '../run/is-same-input.ts';
import { sentBy } from '../../reports/sent-by.ts';
import { newRunId } from '../run/run-id.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import { defineOperationFlag, defineRunFlags } from '../command-line/test-flags.ts';
import {
  connectTarget,
  findTargetFile,
  NoTargetError,
  TargetUnreachableError,
  reportUnreachable,
} from '../command-line/find-target.ts';
import type { TargetFlags } from '../command-line/find-target.ts';

interface Flags extends TargetFlags {
  budget: number;
  patience?: number;
  /** Bytes. */
  maxBody?: number;
}

export const subcommand: CommandModule = {
  examples: [
    'assay replay metrics.group-by.at-most-three',
    'assay replay reports/out/RUN metrics.group-by.at-most-three --target assay.target.yaml',
  ],
  define(command) {
    defineOperationFlag(defineRunFlags(command))
      .usage('[options] [report] <id>')
      .argument(
        '[report]',
        'report.json or its folder (default: the latest report in reports/out in which the rule was tried)',
      )
      .argument('[id]', 'id of the failed rule');
  },
  async run(options, _, words) {
    const [given, id] = argumentsOf(words.filter((each) => each !== undefined).map(String));
    const { report, folder } =
      given === undefined ? latestReportWith(id) : { report: loadReport(given), folder: given };
    const failed = failedResult(report, folder, id);
    const flags = ofReport(options as unknown as Flags, report, process.env);
    const found = await findTargetFile(flags, process.env).catch((error: unknown) => {
      throw error instanceof NoTargetError ? suggestMock(error, report, folder, failed.id) : error;
    });
    const isAllowed = flags.allow === undefined && isTargetOfRun(flags, found, report, process.env);
    const file = isAllowed ? { ...found, allow: report.target.allow } : found;
    const interrupted = interruption('replay');
    try {
      const target = await connectTarget(file, process.env, { interrupted });
      const { budget, patience, maxBody } = flags;
      const limits = {
        ...(patience !== undefined && { patienceSeconds: patience }),
        ...(maxBody !== undefined && { maxBody }),
      };
      const again = { target, budget, ...limits, named: targetReference(flags, target, process.env) };
      return exitIfInterrupted(await replayCase(failed, report, again, interrupted), interrupted);
    } catch (error) {
      if (error instanceof TargetUnreachableError) return reportUnreachable('replay', error);
      throw error;
    }
  },
};

function argumentsOf(words: readonly string[]): [report: string | undefined, id: string] {
  const [first, second] = words;
  if (first === undefined)
    throw new UsageError('No rule. Expected the id of a failed rule, such as metrics.group-by.at-most-three.');
  return second === undefined ? [undefined, first] : [first, second];
}

/** If no report tried the rule, one that says why not. */
function latestReportWith(id: string): FoundReport {
  const latest = (has: (result: RuleResult) => boolean) =>
    recentReports().find(({ report }) => report.requirements.some((each) => each.id === id && has(each)));
  const found = latest(isTried) ?? latest(isSelected);
  if (found !== undefined) return { ...found, folder: displayFolder(found.folder) };
  throw new UsageError(
    `No report in ${REPORTS_FOLDER} has a verdict of a rule "${id}". Run assay test first, in this folder, or pass a report: assay replay REPORT ID.`,
  );
}

/** A rule that waits for an operation has a request to repeat. */
const isTried = ({ verdict, counterexample }: RuleResult): boolean =>
  verdict !== 'not-tried' || counterexample !== undefined;

/** If nothing names a target, that of the run. The limits and chosen operations of the run in any case. */
function ofReport(flags: Flags, { run }: Report, environment: Environment): Flags {
  const patience = flags.patience ?? run.patience;
  const maxBody = flags.maxBody ?? run.maxBody;
  const rate = flags.rate ?? run.rate;
  const operation = flags.operation ?? (run.chosenOperations === true ? run.operations : undefined);
  const own: Flags = {
    ...flags,
    ...(patience !== undefined && { patience }),
    ...(maxBody !== undefined && { maxBody }),
    ...(rate !== undefined && { rate }),
    ...(operation !== undefined && { operation: [...operation] }),
  };
  const { targetFile, baseUrl, mock } = run;
  const isNamed = [flags.target, flags.baseUrl, readVariable(environment, 'ASSAY_TARGET')].some(
    (each) => each !== undefined,
  );
  // Standard input cannot be read again.
  if (isNamed || mock !== undefined || targetFile === '-') return own;
  return { ...own, ...(targetFile !== undefined && { target: targetFile }), ...(baseUrl !== undefined && { baseUrl }) };
}

/** Whether the replay may do what the run was allowed to do: the target is named as that of the run, and has its addresses. */
function isTargetOfRun(
  flags: Flags,
  { addresses }: TargetFile,
  { run, target }: Report,
  environment: Environment,
): boolean {
  if (run.mock !== undefined || run.targetFile === '-') return false;
  const [own, named] = [run.targetFile, targetFileOf(flags, environment)].map((each) => each && path.resolve(each));
  const isBaseUrl = flags.baseUrl !== undefined;
  const isMoved = Object.entries(addresses).some(([surface, each]) => each !== target.addresses[surface as Surface]);
  return own === named && isBaseUrl === (run.baseUrl !== undefined) && !isMoved;
}

/** Without a target, names the mock that the report is about, or a new one. */
function suggestMock({ message }: NoTargetError, { run, target }: Report, report: string, id: string): UsageError {
  const command = replayCommand({ run: { ...run, mock: run.mock ?? [] }, target }, report, id);
  return new UsageError(`${message} For a report about a mock: ${command}`);
}

interface Replaying {
  readonly named: TargetOptions;
}

type Failed = RuleResult & { counterexample: Counterexample };

/** `file`: how messages name the report. */
function failedResult(from: Report, file: string, id: string): Failed {
  const result = from.requirements.find((each) => each.id === id);
  if (result === undefined) throw new UsageError(`The report "${file}" has no rule "${id}".`);
  const { verdict, counterexample } = result;
  if (counterexample === undefined)
    throw new UsageError(
      `${id} is ${verdict} in the report "${file}", so there is nothing to replay. ${failuresOf(from)}`,
    );
  if (counterexample.recorded !== undefined)
    throw new UsageError(
      `${id} failed in recorded traffic (${counterexample.recorded}), which cannot be replayed. Repeat it with the curl line of the report, or test the rule: npx --no assay test --only ${id}.`,
    );
  return { ...result, counterexample };
}

function failuresOf({ requirements }: Report): string {
  const ids = requirements
    .filter(({ verdict, counterexample }) => verdict !== 'not-tried' && counterexample !== undefined)
    .map(({ id }) => id);
  return ids.length === 0 ? 'None of its rules failed.' : `Failed: ${ids.join(', ')}.`;
}

async function replayCase(
  failed: Failed,
  { run, target: { name } }: Report,
  settings: Replaying & Pick<RunSettings, 'target' | 'budget' | 'patienceSeconds' | 'maxBody'>,
  interrupted: AbortSignal,
): Promise<number> {
  if (run.assay !== assayVersion)
    process.stderr.write(
      outputLine(`The report was written by assay ${run.assay}, this is ${assayVersion}: generated inputs may differ.`),
    );
  const { counterexample: found, id } = failed;
  const { property, path: place } = found;
  const replay = property === undefined || place === '' ? {} : { replay: { property, path: place } };
  const outcomes = await runRules(
    [id, ...[sentBy(failed)].filter((each) => each !== undefined)],
    { ...settings, seed: found.seed, runs: run.runs, runId: newRunId(), ...replay },
    interrupted,
  );
  if (interrupted.aborted) return INTERRUPTED;
  const report = replayReport(id, outcomes, settings.target, run);
  const result = report.requirements.find((each) => each.id === id) as RuleResult;
  const tested = result.counterexample?.input ?? outcomes.find((each) => each.result.id === id)?.replayed;
  if ('replay' in replay && tested !== undefined && !isSameInput(found.input, tested))
    process.stderr.write(
      outputLine(
        'This is not the input of the report: the target, the time or the generator of the inputs has changed since then.',
      ),
    );
  process.stdout.write(withoutCommands(resultText(result, styleFor(process.stdout))));
  if (result.verdict === 'passed')
    process.stdout.write(
      outputLine(`${id} no longer fails; in the report: ${failed.reason ?? found.actual}`, process.stdout),
    );
  process.stdout.write(
    outputLine(`Seed ${found.seed}, at ${settings.target.name}; the report is about ${name}.`, process.stdout),
  );
  if (result.verdict !== 'not-tried') return exitCodeOf(report);
  throw new UsageError(whyNotTried(result));
}

function whyNotTried({ id, missing, reason = '' }: RuleResult): string {
  const route = routeOfMissing(missing);
  if (route === undefined) return `The rule cannot be tried on this target: missing ${reason}.`;
  const step = reason.includes('does not know') ? 'Correct the target file, or implement' : 'Implement';
  return `${id} ${reason}. ${step} ${route} and replay it again.`;
}

async function runRules(
  rules: readonly RequirementId[],
  { named, ...settings }: Replaying & Omit<RunSettings, 'ledgerFile'>,
  interrupted: AbortSignal,
): Promise<CaseOutcome[]> {
  const [{ runCases }, { cleanUp, describeNextStep }] = await Promise.all([
    import('../run/run-cases.ts'),
    import('../run/clean-up.ts'),
  ]);
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-replay-'));
  const ledgerFile = path.join(folder, 'ledger.ndjson');
  try {
    return await runCases({ ...settings, selected: rules, ledgerFile }, { interrupted });
  } finally {
    const cleaned = await cleanUp(settings.target, ledgerFile, { interrupted });
    const left = endsWithCommand(named) ? [] : cleaned.left;
    for (const line of left) process.stdout.write(outputLine(line));
    if (left.length === 0) rmSync(folder, { recursive: true });
    else process.stdout.write(outputLine(describeNextStep(cleaned, sweepCommand(named, folder))));
  }
}

function replayReport(
  id: RequirementId,
  outcomes: readonly CaseOutcome[],
  { name, addresses, brand, allow }: Target,
  run: Report['run'],
): Report {
  const { strict: _, rulesAsOf: __, ...facts } = run;
  return buildReport({
    run: { ...facts, shard: null, complete: true },
    target: { name, addresses, brand, allow },
    outcomes,
    selected: [id],
    shardRules: [id],
  });
}
