/** A vitest reporter that collects the outcomes of cases and builds the report when the run ends. */
import { BroadcastChannel } from 'node:worker_threads';
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import type { CaseOutcome } from '../spec/case-outcome.ts';
import type { OracleName } from '../spec/oracle.ts';
import { requirement, requirements } from '../spec/requirements/index.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import { progressChannel } from '../spec/run-progress.ts';
import type { RunProgress } from '../spec/run-progress.ts';
import type { KnownFailure, Report, RuleResult, RunFacts, TargetFacts } from '../spec/verdicts.ts';
import { exitCodeOf } from './failure-causes.ts';
import { createProgress } from './progress.ts';
import type { Progress } from './progress.ts';
import { buildReport, byReason, judgeResult } from './report.ts';
import type { RunRecord } from './report.ts';
import { rulesOfShard } from './shards.ts';
import type { Shard } from './shards.ts';
import { styleFor, terminalReport } from './terminal.ts';
import type { Terminal } from './fit-terminal.ts';
import { withoutCommands } from './workflow-command.ts';

export interface ReporterOptions {
  /** The version of assay. */
  assay: string;
  out?: Terminal;
  /** Called with the report and the record it was built from before the summary is printed. */
  onReport?: (report: Report, record: RunRecord) => Promise<void>;
  /** The folder of the report; omitted: none is written. */
  folder?: string;
  /** Print the verdicts of each area as a table. */
  areas?: boolean;
  /** Print no progress, because another reporter does. */
  quiet?: boolean;
  strict?: boolean;
  /** Aborts if the run is interrupted: then it is incomplete. */
  interrupted?: AbortSignal;
  /** Newer rules only observe; omitted: all rules count. */
  rulesAsOf?: string;
  /** One sentence per suspicious response before the run. */
  warnings?: readonly string[];
  /** As specified by the user; omitted if the target did not come from a file. */
  targetFile?: string;
  /** The management URL, if specified instead of a file. */
  baseUrl?: string;
  /** The flags of the mock whose command the run is; omitted for other targets. */
  mock?: readonly string[];
  knownFailures?: readonly KnownFailure[];
  /** Omitted: a whole run. */
  shard?: Shard;
  /** Omitted: what the vitest project provides. */
  run?: ProvidedRun;
}

/** The parts of the project's provided context that a report needs. */
interface ProvidedRun {
  target: TargetFacts;
  seed: number;
  runs: number;
  runId: string;
  selected?: readonly RequirementId[];
  isQuick?: boolean;
  oracle?: OracleName;
}

const isSuite = (module: TestModule): boolean => /\.suite\.[tj]s$/.test(module.moduleId);

export class ConformanceReporter implements Reporter {
  report: Report | undefined;
  readonly #options: ReporterOptions;
  readonly #out: Terminal;
  readonly #startedAt = new Date().toISOString();
  readonly #outcomes: CaseOutcome[] = [];
  readonly #harnessErrors: Record<string, string> = {};
  #rulesOfShard: readonly RequirementId[] = [];
  #end: Promise<void> | undefined;
  #progress: Progress | undefined;
  #channel: BroadcastChannel | undefined;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#out = options.out ?? process.stdout;
    if (options.quiet === true) return;
    this.#progress = createProgress(this.#out, () => this.#rules());
    if (options.run !== undefined) this.#receiveProgress(options.run.runId);
  }

  /** From the worker, because results arrive here only when the cases of a file are done. */
  #receiveProgress(runId: string): void {
    this.#channel = new BroadcastChannel(progressChannel(runId));
    this.#channel.unref();
    this.#channel.addEventListener('message', (message) => {
      const progress = (message as MessageEvent).data as RunProgress;
      const failing = progress.failing.map(({ id, verdict }) => {
        const { level, rule } = requirement(id);
        return this.#judge({ id, level, rule, verdict, durationMs: 0, exchanges: 0 });
      });
      this.#progress?.update({ ...progress, failing });
    });
  }

  #judge(result: RuleResult): RuleResult {
    return judgeResult(result, requirement(result.id).since, { ...this.#options, startedAt: this.#startedAt });
  }

  /** The rules to try. */
  #rules(): readonly RequirementId[] {
    const { run, shard } = this.#options;
    const selected = run?.selected ?? requirements.map(({ id }) => id);
    return shard === undefined ? selected : this.#rulesOfShard.filter((id) => selected.includes(id));
  }

  onTestModuleCollected({ project }: TestModule): void {
    if (this.#options.shard !== undefined)
      this.#rulesOfShard = rulesOfShard(project.getProvidedContext().suiteFiles ?? []);
  }

  onTestCaseReady(test: TestCase): void {
    if (isSuite(test.module)) this.#progress?.began(test.name);
  }

  onTestCaseResult(test: TestCase): void {
    if (!isSuite(test.module)) return;
    const outcome = test.meta().assay;
    const [failure] = test.result().errors ?? [];
    if (outcome !== undefined) {
      this.#outcomes.push(outcome);
      this.#progress?.done(this.#judge(outcome.result));
    } else if (failure !== undefined) {
      this.#harnessErrors[test.name] = failure.message;
      this.#progress?.done({ id: test.name as RequirementId, verdict: 'error', exchanges: 0 });
    }
  }

  /** Of an interrupted run, whose tests may not have ended. They count although cases had further inputs. */
  addOutcomes(outcomes: readonly CaseOutcome[]): void {
    const known = new Set(this.#outcomes.map(({ result }) => result.id));
    this.#outcomes.push(...outcomes.filter(({ result }) => !known.has(result.id)));
  }

  /** Further calls wait for the first one. */
  onTestRunEnd(...ended: Parameters<Required<Reporter>['onTestRunEnd']>): Promise<void> {
    return (this.#end ??= this.#report(...ended));
  }

  async #report(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const suites = modules.filter(isSuite);
    const provided = this.#options.run ?? suites[0]?.project.getProvidedContext().assay;
    if (provided === undefined) return;
    this.#channel?.close();
    this.#progress?.end();
    this.#printLoadErrors(suites, unhandled);
    const isInterrupted = reason === 'interrupted' || this.#options.interrupted?.aborted === true;
    // An unhandled error may have lost a verdict, so the run counts as interrupted.
    const record = this.#record(suites, provided, !isInterrupted && unhandled.length === 0);
    const report = buildReport(record);
    this.report = report;
    await this.#options.onReport?.(report, record);
    const text = terminalReport(report, styleFor(this.#out), this.#options);
    this.#out.write(`\n${withoutCommands(text)}`);
    // vitest does not know about rules that fail without a failing test, such as the schema rule.
    if (exitCodeOf(report) !== 0) process.exitCode = exitCodeOf(report);
  }

  #printLoadErrors(suites: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const broken = suites.flatMap((module) =>
      module
        .errors()
        .map(({ message }) => `Could not load the cases of ${rulesOfShard([module.moduleId]).join(', ')}: ${message}`),
    );
    const loose = unhandled.map(({ message }) => `A mistake in assay: ${message}`);
    for (const line of [...broken, ...loose]) this.#out.write(`${line}\n`);
  }

  #record(suites: readonly TestModule[], provided: ProvidedRun, complete: boolean): RunRecord {
    const { target, seed, runs, runId, selected, oracle } = provided;
    const { name, addresses, brand, allow } = target;
    const { assay, strict, rulesAsOf, warnings, shard, knownFailures, targetFile, baseUrl, mock } = this.#options;
    const files = suites.map(({ moduleId }) => moduleId);
    const suspicious = [...endedCredentials(this.#outcomes.map(({ result }) => result)), ...(warnings ?? [])];
    const run: RunFacts = {
      id: runId,
      seed,
      runs,
      startedAt: this.#startedAt,
      endedAt: new Date().toISOString(),
      assay,
      shard: shard === undefined ? null : `${shard.index}/${shard.count}`,
      complete,
      stoppedBy: complete ? stoppedBy(provided, this.#outcomes) : null,
      ...(targetFile === undefined ? {} : { targetFile }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(mock === undefined ? {} : { mock: [...mock] }),
      ...(strict === true ? { strict } : {}),
      ...(rulesAsOf === undefined ? {} : { rulesAsOf }),
      ...(suspicious.length === 0 ? {} : { warnings: suspicious }),
    };
    return {
      run,
      target: { name, addresses, brand, allow },
      // An interruption ends the time of the run: cases without a verdict count as not reached.
      outcomes: complete ? this.#outcomes : this.#outcomes.filter(({ result }) => result.missing !== 'time'),
      harnessErrors: this.#harnessErrors,
      ...(selected === undefined ? {} : { selected }),
      ...(oracle === undefined ? {} : { oracle }),
      ...(knownFailures === undefined ? {} : { knownFailures }),
      ...(shard === undefined ? {} : { shardRules: rulesOfShard(files) }),
    };
  }
}

/** A sentence for each credential that ended during the run. */
export const endedCredentials = (results: readonly RuleResult[]): string[] =>
  byReason(results.filter(({ missing }) => missing === 'lifetime')).map(
    ([reason, { length }]) =>
      `${reason}, during the run: ${length === 1 ? 'a rule that needs' : `${length} rules that need`} it could not be tried.`,
  );

function stoppedBy({ isQuick }: ProvidedRun, outcomes: readonly CaseOutcome[]): 'time' | 'quick' | null {
  if (outcomes.some(({ isCut }) => isCut)) return 'time';
  return isQuick === true ? 'quick' : null;
}
