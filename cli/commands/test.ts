/** `assay test`: runs the suites against a target, or with --plan prints what that would send. */
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { outputLines } from '../../reports/workflow-command.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
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
import { targetReference } from '../command-line/target-reference.ts';
import { prepareReportFolder } from '../run/prepare-report-folder.ts';
import { newRunId } from '../run/run-id.ts';
import { selectRules } from '../run/select-rules.ts';
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
    'assay test --target assay.target.yaml --allow write --plan',
    'assay test --base-url https://api.example.com/v0',
  ],
  define: defineTestFlags,
  async run(options) {
    const flags = options as unknown as TestFlags;
    if (flags.har === true && flags.exchanges === 'none')
      throw new UsageError('--har writes the exchanges of the report; omit --exchanges none.');
    const knownFailures = flags.knownFailures === undefined ? undefined : readKnownFailures(flags.knownFailures);
    if (flags.plan === true) return printPlan(flags);
    try {
      const settings = runSettings(flags);
      const file = await findTargetFile(flags, process.env);
      const interrupted = interruption('test');
      const warnings: string[] = [];
      const target = await openUnlessInterrupted(file, {
        interrupted,
        warn: (sentence) => void warnings.push(sentence),
        // Some rules may be tried although the server has few operations yet.
        checksAddress: settings.selected === undefined,
      });
      if (!interrupted.aborted) warnings.push(...(await warnOfShortCredentials(target, settings)));
      const { runId } = settings;
      const folder = prepareReportFolder(flags.report ?? path.join(REPORTS_FOLDER, runId));
      // Loaded here, so that a mistyped flag is reported at once.
      const [{ judge }, { rulesOfShard }] = await Promise.all([import('../run/judge.ts'), import('../plan/shards.ts')]);
      const { strict, shard, rulesAsOf, areas } = flags;
      const judging = {
        ...(strict && { strict }),
        ...(areas && { areas }),
        ...(rulesAsOf && { rulesAsOf }),
        ...(shard && { shard: `${shard.index}/${shard.count}`, shardRules: rulesOfShard(shard) }),
        ...(knownFailures && { knownFailures }),
        ...(warnings.length > 0 && { warnings }),
        ...targetReference(flags, target, process.env),
      };
      const isShard = shard !== undefined && shard.count > 1;
      const artefacts = { folder, exchanges: flags.exchanges, har: flags.har === true };
      const code = await judge({ ...settings, target, isShard }, judging, artefacts, interrupted);
      return exitIfInterrupted(code, interrupted);
    } catch (error) {
      if (error instanceof TargetUnreachableError) return reportUnreachable('test', error);
      throw error;
    }
  },
};

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

function runSettings(flags: TestFlags): Omit<RunSettings, 'target'> {
  const selected = selectRules(flags.only, flags.skip);
  return {
    runId: newRunId(),
    seed: flags.seed ?? randomInt(2 ** 31),
    runs: flags.runs,
    concurrency: flags.concurrency,
    ...(flags.quick === true && { isQuick: true }),
    ...(flags.time !== undefined && { timeMs: flags.time }),
    ...(flags.maxBody !== undefined && { maxBody: flags.maxBody }),
    budget: flags.budget,
    patienceSeconds: flags.patience,
    ...(selected === undefined ? {} : { selected }),
    ...(flags.oracle === undefined ? {} : { oracle: flags.oracle }),
  };
}

async function printPlan(flags: TestFlags): Promise<number> {
  if (flags.shard !== undefined)
    throw new UsageError('--plan describes a whole run and cannot be combined with --shard.');
  const settings = runSettings(flags);
  const file = await findTargetFile(flags, process.env);
  const { planRun } = await import('../plan/plan-run.ts');
  process.stdout.write(
    outputLines(await planRun(file, process.env, settings, flags.exchanges === 'all'), process.stdout),
  );
  return 0;
}
