/** Watches a vitest run, collects what its cases hand over, and builds the report when it ends. */
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import type { CaseOutcome } from '../spec/case-outcome.ts';
import type { OracleName } from '../spec/oracle.ts';
import { requirements } from '../spec/requirements/index.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import type { KnownFailure, Report, RunFacts, TargetFacts } from '../spec/verdicts.ts';
import { exitCodeOf } from './failure-causes.ts';
import { createProgress } from './progress.ts';
import type { Progress } from './progress.ts';
import { buildReport } from './report.ts';
import type { RunRecord } from './report.ts';
import { rulesOfShard } from './shards.ts';
import type { Shard } from './shards.ts';
import { painterFor, terminalReport } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { withoutCommands } from './workflow-command.ts';

export interface ReporterOptions {
  /** The version of assay. */
  assay: string;
  out?: Terminal;
  /** Told of the report, and of what it is made of, before the summary is printed. */
  onReport?: (report: Report, record: RunRecord) => Promise<void>;
  /** Where the report goes; left out: nowhere. */
  folder?: string;
  /** Beside vitest's own reporters: no progress of ours. */
  quiet?: boolean;
  strict?: boolean;
  /** As the user named it; left out: the target came from elsewhere. */
  targetFile?: string;
  /** The management address, where it was given instead of a file. */
  baseUrl?: string;
  knownFailures?: readonly KnownFailure[];
  /** Left out: a whole run. */
  shard?: Shard;
  /** Left out: what the project provides to its cases. */
  run?: ProvidedRun;
}

/** What the run's project provides to its cases, as far as a report tells it. */
interface ProvidedRun {
  target: TargetFacts;
  seed: number;
  runs: number;
  runId: string;
  selected?: readonly RequirementId[];
  oracle?: OracleName;
}

const isSuite = (module: TestModule): boolean => /\.suite\.[tj]s$/.test(module.moduleId);

export class ConformanceReporter implements Reporter {
  report: Report | undefined;
  readonly #options: ReporterOptions;
  readonly #out: Terminal;
  readonly #startedAt = new Date().toISOString();
  readonly #outcomes: CaseOutcome[] = [];
  readonly #troubles: Record<string, string> = {};
  #collected = 0;
  #progress: Progress | undefined;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#out = options.out ?? process.stdout;
    if (options.quiet !== true) this.#progress = createProgress(this.#out, () => this.#total());
  }

  /** Rules that are going to be tried; of a shard only those of files that have been loaded are known. */
  #total(): number {
    const { run, shard } = this.#options;
    return shard === undefined && run !== undefined ? (run.selected ?? requirements).length : this.#collected;
  }

  onTestModuleCollected(module: TestModule): void {
    if (isSuite(module))
      this.#collected += [...module.children.allTests()].filter(({ options }) => options.mode === 'run').length;
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
      this.#progress?.done(outcome.result);
    } else if (failure !== undefined) this.#troubles[test.name] = failure.message;
  }

  onTestModuleEnd(module: TestModule): void {
    if (isSuite(module)) this.#progress?.fileDone(module.relativeModuleId);
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const suites = modules.filter(isSuite);
    const provided = this.#options.run ?? suites[0]?.project.getProvidedContext().assay;
    if (provided === undefined) return;
    this.#progress?.end();
    this.#saysWhatDidNotLoad(suites, unhandled);
    // What nobody caught may have cost a verdict: such a run is not whole.
    const record = this.#record(suites, provided, reason !== 'interrupted' && unhandled.length === 0);
    const report = buildReport(record);
    this.report = report;
    await this.#options.onReport?.(report, record);
    const text = terminalReport(report, painterFor(this.#out), this.#options.folder);
    this.#out.write(`\n${withoutCommands(text)}`);
    // The rule about shapes has no test of its own that vitest could count.
    if (exitCodeOf(report) !== 0) process.exitCode = exitCodeOf(report);
  }

  #saysWhatDidNotLoad(suites: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const broken = suites.flatMap((module) =>
      module.errors().map(({ message }) => `${module.relativeModuleId} does not load: ${message}`),
    );
    const loose = unhandled.map(({ message }) => `unhandled: ${message}`);
    for (const line of [...broken, ...loose]) this.#out.write(`${line}\n`);
  }

  #record(suites: readonly TestModule[], provided: ProvidedRun, complete: boolean): RunRecord {
    const { target, seed, runs, runId, selected, oracle } = provided;
    const { name, addresses, brand, allow } = target;
    const { assay, strict, shard, knownFailures, targetFile, baseUrl } = this.#options;
    const files = suites.map(({ moduleId }) => moduleId);
    const run: RunFacts = {
      id: runId,
      seed,
      runs,
      startedAt: this.#startedAt,
      endedAt: new Date().toISOString(),
      assay,
      shard: shard === undefined ? null : `${shard.index}/${shard.count}`,
      complete,
      ...(targetFile === undefined ? {} : { targetFile }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(strict === true ? { strict } : {}),
    };
    return {
      run,
      target: { name, addresses, brand, allow },
      outcomes: this.#outcomes,
      troubles: this.#troubles,
      ...(selected === undefined ? {} : { selected }),
      ...(oracle === undefined ? {} : { oracle }),
      ...(knownFailures === undefined ? {} : { knownFailures }),
      ...(shard === undefined ? {} : { ofShard: rulesOfShard(files) }),
    };
  }
}
