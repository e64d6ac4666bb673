/** Runs the suites with vitest in this process, independent of the working directory. */
import path from 'node:path';
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { createVitest } from 'vitest/node';
import { ConformanceReporter } from '../../reports/conformance-reporter.ts';
import type { ReporterOptions } from '../../reports/conformance-reporter.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { interruptionChannel } from '../../spec/run-progress.ts';
import { suiteFileOf } from '../../spec/suite-file.ts';
import type { Report } from '../../spec/verdicts.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import { SuiteSequencer } from './suite-sequencer.ts';
import { delayAfter, MAX_MS_AFTER_INTERRUPTION } from '../command-line/interruption.ts';
import { assayVersion, sourceFolder } from '../command-line/package-info.ts';

/** In a checkout the sources are .ts, in the package .js: the same ending as this file's own. */
const ending = path.extname(import.meta.filename);

/** Only the files of the selected rules. */
const suiteFiles = ({ selected }: RunSettings): string[] =>
  selected === undefined
    ? [`suites/**/*.suite${ending}`]
    : [...new Set(selected.map((id) => `suites/${suiteFileOf(id)}${ending}`))];

export type Judging = Pick<
  ReporterOptions,
  | 'onReport'
  | 'folder'
  | 'areas'
  | 'strict'
  | 'rulesAsOf'
  | 'warnings'
  | 'targetFile'
  | 'baseUrl'
  | 'mock'
  | 'knownFailures'
  | 'shard'
>;

/** Vitest waits until the output of its worker is written, which never happens if its reader has exited. */
const passingTo = (out: NodeJS.WritableStream): Writable =>
  new Writable({
    write(chunk: Buffer, _, done) {
      out.write(chunk);
      done();
    },
  });

const MEMORY_SAVING_FLAGS = ['--max-semi-space-size=2', '--heap-growing-percent=10', '--optimize-for-size'];

/** Undefined if vitest ended without a report. The report of an interrupted run contains the results so far. */
export async function runSuites(
  settings: RunSettings,
  judging: Judging,
  interrupted: AbortSignal,
): Promise<Report | undefined> {
  const reporter = new ConformanceReporter({ assay: assayVersion, run: settings, interrupted, ...judging });
  if (interrupted.aborted) {
    await reporter.onTestRunEnd([], [], 'interrupted');
    return reporter.report;
  }
  const limit = delayAfter(interrupted, MAX_MS_AFTER_INTERRUPTION);
  let cancelling: Promise<void> | undefined;
  const cancel = (): void => void (cancelling ??= endCases()); // A second call would discard pending results.
  async function endCases(): Promise<void> {
    reporter.addOutcomes(await interruptedOutcomes(settings.runId, limit.ended));
    void vitest.cancelCurrentRun('keyboard-input');
  }
  // Vitest ignores a cancellation before the first file.
  const onFirstFile = (): void => {
    if (interrupted.aborted) cancel();
    else interrupted.addEventListener('abort', cancel);
  };
  const { shard } = judging;
  // The worker waits most of the time, so it may collect garbage often.
  for (const flag of MEMORY_SAVING_FLAGS) setFlagsFromString(flag);
  const vitest = await createVitest(
    {
      config: false,
      root: sourceFolder,
      watch: false,
      include: suiteFiles(settings),
      // A shard or a selection may have no files; the report says so.
      passWithNoTests: true,
      exclude: [], // The default excludes node_modules, where the package is installed.
      setupFiles: [`suites/engine/vitest-setup${ending}`],
      reporters: [reporter, { onTestModuleQueued: onFirstFile }],
      provide: { assay: settings },
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      sequence: { sequencer: SuiteSequencer },
      // Tests only wait: the schedule limits how many cases run at the same time.
      maxConcurrency: 1000,
      testTimeout: 0,
      hookTimeout: 0,
      // Only in a checkout, whose TypeScript is transformed; the folder of a package may be read-only.
      fsModuleCache: ending === '.ts',
      cache: false,
      ...(shard === undefined ? {} : { shard: `${shard.index}/${shard.count}` }),
    },
    { logLevel: 'error' },
    { stdout: passingTo(process.stdout), stderr: passingTo(process.stderr) },
  );
  try {
    await Promise.race([vitest.start(), limit.ended]);
  } finally {
    interrupted.removeEventListener('abort', cancel);
    await Promise.race([vitest.close(), limit.ended]);
    await cancelling;
    limit.cancel();
  }
  // If it is cancelled while it loads the first file, vitest may not call the reporter; and a case may still wait.
  if (interrupted.aborted) await reporter.onTestRunEnd([], [], 'interrupted');
  return reporter.report;
}

/** What the cases have found until then. Empty if they have not begun, or do not end in time. */
async function interruptedOutcomes(runId: string, late: Promise<void>): Promise<readonly CaseOutcome[]> {
  const channel = new BroadcastChannel(interruptionChannel(runId));
  const { promise: outcomes, resolve } = Promise.withResolvers<readonly CaseOutcome[]>();
  channel.addEventListener('message', (message) => resolve((message as MessageEvent).data as readonly CaseOutcome[]));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
  channel.postMessage('end');
  const found = await Promise.race([outcomes, late]);
  channel.close();
  return found ?? [];
}
