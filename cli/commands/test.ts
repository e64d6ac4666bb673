/** `assay test`: runs the suites against a target, or with --plan prints what that would send. */
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { judgeVerdict } from '../../reports/report.ts';
import type { JudgingOptions } from '../../reports/report.ts';
import { outputLines } from '../../reports/workflow-command.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { declaredOperations } from '../../spec/operation-names.ts';
import { isLoopback } from '../../spec/network/loopback.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { KnownFailure } from '../../spec/verdicts.ts';
import { DEFAULT_CONCURRENCY } from '../../suites/engine/open-run.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import { describeTarget } from '../../suites/target/open-target.ts';
import type { OpenOptions } from '../../suites/target/open-target.ts';
import type { Target } from '../../suites/target/target.ts';
import { endingCredentials } from '../../suites/target/token-end.ts';
import { REPORTS_FOLDER } from '../command-line/reports-folder.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { exitIfInterrupted, interruption } from '../command-line/interruption.ts';
import { readKnownFailures } from '../run/read-known-failures.ts';
import { canBeReopened, targetFileOf, targetReference } from '../command-line/target-reference.ts';
import { latestReportOf } from '../command-line/recent-reports.ts';
import type { FoundReport } from '../command-line/recent-reports.ts';
import { prepareReportFolder } from '../run/prepare-report-folder.ts';
import { newRunId } from '../run/run-id.ts';
import { runOnChanges } from '../run/run-on-changes.ts';
import { selectFailed } from '../run/select-failed.ts';
import { rulesAbout, selectRules } from '../run/select-rules.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import { defineTestFlags } from '../command-line/test-flags.ts';
import type { TestFlags } from '../command-line/test-flags.ts';
import {
  connectTarget,
  findTargetFile,
  printWarning,
  TargetUnreachableError,
  reportUnreachable,
} from '../command-line/find-target.ts';

export const subcommand: CommandModule = {
  examples: [
    'assay test --target assay.target.yaml',
    "assay test --target assay.target.yaml --only 'metrics.*' --runs 20",
    'assay test --target assay.target.yaml --failed --watch src',
    'assay test --target assay.target.yaml --allow write --plan',
    'assay test --base-url https://api.example.com/v0',
  ],
  define: defineTestFlags,
  async run(options) {
    const flags = options as unknown as TestFlags;
    if (flags.har === true && flags.exchanges === 'none')
      throw new UsageError('--har writes the exchanges of the report; omit --exchanges none.');
    const knownFailures = knownFailuresOf(flags);
    const selected = selectRules(flags.only, flags.skip);
    if (flags.plan === true) return printPlan(flags, selected);
    const file = await findTargetFile(flags, process.env);
    const settings = runSettings(flags, file, selected);
    const how: HowToRun = { flags, knownFailures, chooseRules: failedSelection(flags) };
    if (flags.watch !== undefined) return watchTests(how, { file, seed: settings.seed, selected }, flags.watch);
    const interrupted = interruption('test');
    try {
      return exitIfInterrupted(await runTests(how, settings, file, { interrupted }), interrupted);
    } catch (error) {
      if (error instanceof TargetUnreachableError) return reportUnreachable('test', error);
      throw error;
    }
  },
};

type Settings = Omit<RunSettings, 'target'>;

/** Undefined: all rules. */
type Selection = readonly RequirementId[] | undefined;

/** What all runs of a watch have in common. */
interface HowToRun {
  readonly flags: TestFlags;
  readonly knownFailures: readonly KnownFailure[] | undefined;
  /** Of the selected rules. `latest`: the report of the previous run of the target. */
  readonly chooseRules: (selected: Selection, latest: FoundReport | undefined, target: string) => Selection;
}

/** With --failed, all runs of a watch test the rules that failed before the first one. */
function failedSelection({ failed = false }: TestFlags): HowToRun['chooseRules'] {
  if (!failed) return (selected) => selected;
  let chosen: Selection;
  return (selected, latest, target) => (chosen ??= selectFailed(latest, target, selected));
}

/** Returns the exit code; `changed` stops the run. Throws TargetUnreachableError, and UsageError for a flag that does not fit the target. */
async function runTests(
  { flags, knownFailures, chooseRules }: HowToRun,
  settings: Settings,
  file: TargetFile,
  { interrupted, changed }: { readonly interrupted: AbortSignal; readonly changed?: AbortSignal },
): Promise<number> {
  const warnings: string[] = [];
  const target = await openUnlessInterrupted(file, {
    interrupted,
    warn: (sentence) => void warnings.push(sentence),
    // Some rules may be tried although the server has few operations yet.
    checksAddress: settings.selected === undefined,
  });
  if (!interrupted.aborted) warnings.push(...(await warnOfShortCredentials(target, settings)));
  const named = targetReference(flags, target, process.env);
  const previous = latestReportOf({ ...target, ...named }, flags.report);
  const selected = chooseRules(settings.selected, previous, target.name);
  const { strict, shard, rulesAsOf, areas } = flags;
  // Loaded here, so that a mistyped flag is reported at once.
  const [{ judge }, { rulesOfShard }] = await Promise.all([import('../run/judge.ts'), import('../plan/shards.ts')]);
  const judging = {
    ...(strict && { strict }),
    ...(areas && { areas }),
    ...(flags.operation !== undefined && { chosenOperations: true }),
    ...(flags.rate !== undefined && { rate: flags.rate }),
    ...(rulesAsOf && { rulesAsOf }),
    ...(shard && { shard: `${shard.index}/${shard.count}`, shardRules: rulesOfShard(shard) }),
    ...(knownFailures && { knownFailures }),
    ...(warnings.length > 0 && { warnings }),
    ...(previous && { previous: previous.report }),
    ...(changed && { changed }),
    ...named,
  };
  const run = {
    ...settings,
    target,
    isShard: shard !== undefined && shard.count > 1,
    ...(selected && { selected }),
    ...(flags.bail !== undefined && { bail: { failures: flags.bail, except: rulesThatMayFail(judging) } }),
  };
  const folder = prepareReportFolder(flags.report ?? path.join(REPORTS_FOLDER, settings.runId));
  return judge(run, judging, { folder, exchanges: flags.exchanges, har: flags.har === true }, interrupted);
}

/** Rules whose failures may be known ones, and rules that are newer than --rules-as-of. */
function rulesThatMayFail(judging: Omit<JudgingOptions, 'startedAt'>): RequirementId[] {
  const options = { ...judging, startedAt: new Date().toISOString() };
  return requirements.map(({ id }) => id).filter((id) => judgeVerdict(id, 'failed', options) !== 'failed');
}

/** Whether connections show when the server restarts: an https server may log each of them as an error. */
function isLocalHttp(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && isLoopback(hostname.replaceAll(/[[\]]/g, ''));
}

/** Runs the suites until the user ends it, each time the target, its known failures or a path has changed. Returns the exit code of the last run. */
async function watchTests(
  how: HowToRun,
  { file, seed, selected }: { readonly file: TargetFile; readonly seed: number; readonly selected: Selection },
  watch: true | readonly string[],
): Promise<number> {
  const { flags } = how;
  const targetFile = targetFileOf(flags, process.env);
  if (flags.shard !== undefined) throw new UsageError('--watch runs all selected rules; omit --shard.');
  const given = [targetFile, flags.knownFailures].filter((each) => each !== undefined);
  const once = given.find((each) => !canBeReopened(each));
  if (once !== undefined) throw new UsageError(`--watch reads "${once}" again, which it does not allow; pass a file.`);
  const paths = [...given, ...(watch === true ? [] : watch)];
  let { management } = file.addresses;
  const address = (): string | undefined => (isLocalHttp(management) ? management : undefined);
  if (paths.length === 0 && address() === undefined)
    throw new UsageError('--watch has nothing to watch: pass the files or folders of the server, as in --watch src.');
  const interrupted = interruption('test');
  const ignored = path.resolve(flags.report ?? REPORTS_FOLDER);
  // The target file and the known failures are read again each time, also while the target does not respond.
  const run = async (changed: AbortSignal): Promise<number> => {
    const current = await findTargetFile(flags, process.env);
    ({ management } = current.addresses);
    const again = { ...how, knownFailures: knownFailuresOf(flags) };
    return runTests(again, { ...runSettings(flags, current, selected), seed }, current, { interrupted, changed });
  };
  const code = await runOnChanges({ paths, server: { address, file: targetFile }, ignored }, interrupted, run);
  return exitIfInterrupted(code, interrupted);
}

/** The round trip of a request to a deployment that is not far away, in milliseconds. */
const USUAL_LATENCY_MS = 30;

/** Prints and returns a sentence for each credential that probably ends before the run. */
async function warnOfShortCredentials(target: Target, settings: Omit<RunSettings, 'target'>): Promise<string[]> {
  if (endingCredentials(target).length === 0) return [];
  const { estimateRun, estimateSeconds } = await import('../plan/estimate.ts');
  const { LIFETIME_ADVICE, shortCredentials } = await import('../plan/ending-credentials.ts');
  const { concurrency = DEFAULT_CONCURRENCY, timeMs = Infinity } = settings;
  const estimate = estimateRun(target, settings);
  const seconds = estimateSeconds(estimate, { latencyMs: USUAL_LATENCY_MS, rate: target.rate, concurrency });
  const sentences = shortCredentials(target, Math.min(seconds, timeMs / 1000)).map(
    ({ place, found }) => `${place} ${found}. ${LIFETIME_ADVICE}`,
  );
  for (const sentence of sentences) printWarning(sentence);
  return sentences;
}

/** The report of a run that is interrupted before the target responds says what is known of it. */
async function openUnlessInterrupted(
  file: TargetFile,
  options: OpenOptions & { interrupted: AbortSignal },
): Promise<Target> {
  try {
    return await connectTarget(file, process.env, options);
  } catch (error) {
    if (options.interrupted.aborted) return describeTarget(file, process.env);
    throw error;
  }
}

const knownFailuresOf = ({ knownFailures }: TestFlags): KnownFailure[] | undefined =>
  knownFailures === undefined ? undefined : readKnownFailures(knownFailures);

function runSettings(flags: TestFlags, { operations }: TargetFile, matched: Selection): Settings {
  const selected = rulesAbout(operations && declaredOperations(operations), matched);
  return {
    runId: newRunId(),
    seed: flags.seed ?? randomInt(2 ** 31),
    runs: flags.runs,
    concurrency: flags.concurrency,
    ...(flags.quick === true && { isQuick: true }),
    ...(flags.time !== undefined && { timeMs: flags.time }),
    ...(flags.maxBody !== undefined && { maxBody: flags.maxBody }),
    budget: flags.budget,
    ...(flags.patience !== undefined && { patienceSeconds: flags.patience }),
    ...(selected && { selected: [...selected] }),
    ...(flags.oracle === undefined ? {} : { oracle: flags.oracle }),
  };
}

async function printPlan(flags: TestFlags, selected: Selection): Promise<number> {
  if (flags.shard !== undefined)
    throw new UsageError('--plan describes a whole run and cannot be combined with --shard.');
  const file = await findTargetFile(flags, process.env);
  const settings = runSettings(flags, file, selected);
  const { planRun } = await import('../plan/plan-run.ts');
  process.stdout.write(
    outputLines(await planRun(file, process.env, settings, flags.exchanges === 'all'), process.stdout),
  );
  return 0;
}
