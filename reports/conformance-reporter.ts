/** Watches a vitest run, collects what its cases hand over, and builds the report when it ends. */
import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestProject,
  TestRunEndReason,
  TestSpecification,
} from 'vitest/node';
import type { CaseOutcome } from '../spec/case-outcome.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import type { Report, RunFacts, TargetFacts } from '../spec/verdicts.ts';
import { createProgress } from './progress.ts';
import type { Progress } from './progress.ts';
import { buildReport, exitCodeOf } from './report.ts';
import { painterFor, terminalReport } from './terminal.ts';
import type { Terminal } from './terminal.ts';

export interface ReporterOptions {
  /** The version of assay. */
  assay: string;
  noCaseYet: readonly RequirementId[];
  out?: Terminal;
  /** Told of the report before the summary is printed. */
  onReport?: (report: Report) => Promise<void>;
  /** Beside vitest's own reporters: no progress of ours. */
  quiet?: boolean;
}

/** What the run's project provides to its cases, as far as a report tells it. */
interface ProvidedRun {
  target: TargetFacts;
  seed: number;
  runs: number;
  runId: string;
  selected?: readonly RequirementId[];
}

const isSuite = (module: TestModule | TestSpecification): boolean => /\.suite\.[tj]s$/.test(module.moduleId);

export class ConformanceReporter implements Reporter {
  report: Report | undefined;
  readonly #options: ReporterOptions;
  readonly #out: Terminal;
  readonly #startedAt = new Date().toISOString();
  readonly #outcomes: CaseOutcome[] = [];
  readonly #troubles = new Map<string, string>();
  #collected = 0;
  #progress: Progress | undefined;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#out = options.out ?? process.stdout;
    if (options.quiet !== true) this.#progress = createProgress(this.#out, () => this.#collected);
  }

  onTestModuleCollected(module: TestModule): void {
    if (isSuite(module))
      this.#collected += [...module.children.allTests()].filter(({ options }) => options.mode === 'run').length;
  }

  onTestCaseResult(test: TestCase): void {
    if (!isSuite(test.module)) return;
    const outcome = test.meta().assay;
    const [failure] = test.result().errors ?? [];
    if (outcome !== undefined) {
      this.#outcomes.push(outcome);
      this.#progress?.done(outcome.result);
    } else if (failure !== undefined) this.#troubles.set(test.name, failure.message);
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
    const [first] = suites;
    if (first === undefined) return;
    this.#progress?.end();
    this.#saysWhatDidNotLoad(suites, unhandled);
    // What nobody caught may have cost a verdict: such a run is not whole.
    const report = this.#build(first.project, reason !== 'interrupted' && unhandled.length === 0);
    this.report = report;
    await this.#options.onReport?.(report);
    this.#out.write(`\n${terminalReport(report, painterFor(this.#out))}`);
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

  #build(project: TestProject, complete: boolean): Report {
    const { target, seed, runs, runId, selected }: ProvidedRun = project.getProvidedContext().assay;
    const { name, addresses, brand, allow } = target;
    const run: RunFacts = {
      id: runId,
      seed,
      runs,
      startedAt: this.#startedAt,
      endedAt: new Date().toISOString(),
      assay: this.#options.assay,
      shard: null,
      complete,
    };
    return buildReport({
      run,
      target: { name, addresses, brand, allow },
      outcomes: this.#outcomes,
      noCaseYet: this.#options.noCaseYet,
      troubles: this.#troubles,
      ...(selected === undefined ? {} : { selected }),
    });
  }
}
