/** Runs the suites with vitest in this process, independent of the working directory. */
import path from 'node:path';
import { Writable } from 'node:stream';
import { createVitest } from 'vitest/node';
import { ConformanceReporter } from '../../reports/conformance-reporter.ts';
import type { ReporterOptions } from '../../reports/conformance-reporter.ts';
import { suiteFileOf } from '../../spec/suite-file.ts';
import type { Report } from '../../spec/verdicts.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import { assayVersion, sourceFolder } from '../command-line/package-info.ts';

/** In a checkout the sources are .ts, in the package .js: the same ending as this file's own. */
const ending = path.extname(import.meta.filename);

/** No file is loaded for nothing. */
const suiteFiles = ({ selected }: RunSettings): string[] =>
  selected === undefined
    ? [`suites/**/*.suite${ending}`]
    : [...new Set(selected.map((id) => `suites/${suiteFileOf(id)}${ending}`))];

export type Judging = Pick<
  ReporterOptions,
  'onReport' | 'folder' | 'strict' | 'targetFile' | 'baseUrl' | 'knownFailures' | 'shard'
>;

/** Vitest waits for its worker to have said everything, for ever where nobody reads any more. */
const passingTo = (out: NodeJS.WritableStream): Writable =>
  new Writable({
    write(chunk: Buffer, _, done) {
      out.write(chunk);
      done();
    },
  });

/** undefined where vitest ended without a report. An interrupted run ends with what it has. */
export async function runSuites(
  settings: RunSettings,
  judging: Judging,
  interrupted: AbortSignal,
): Promise<Report | undefined> {
  const reporter = new ConformanceReporter({ assay: assayVersion, run: settings, ...judging });
  let cancelled = false;
  const cancel = (): void => {
    if (!cancelled) void vitest.cancelCurrentRun('keyboard-input'); // a second time would cut off what is still on its way
    cancelled = true;
  };
  // Vitest forgets what it is told before the first file.
  const onFirstFile = (): void => {
    if (interrupted.aborted) cancel();
    else interrupted.addEventListener('abort', cancel);
  };
  const { shard } = judging;
  const vitest = await createVitest(
    {
      config: false,
      root: sourceFolder,
      watch: false,
      include: suiteFiles(settings),
      // Of a shard or a selection no file may be left, and the report says so.
      passWithNoTests: true,
      exclude: [], // by default whatever lies below node_modules, which is where the package lies
      setupFiles: [`suites/engine/vitest-setup${ending}`],
      reporters: [reporter, { onTestModuleQueued: onFirstFile }],
      provide: { assay: settings },
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      maxConcurrency: 4,
      testTimeout: 0,
      hookTimeout: 0,
      // Of a checkout, whose TypeScript is read each time; the package's folder may be read-only.
      fsModuleCache: ending === '.ts',
      cache: false,
      ...(shard === undefined ? {} : { shard: `${shard.index}/${shard.count}` }),
    },
    { logLevel: 'error' },
    { stdout: passingTo(process.stdout), stderr: passingTo(process.stderr) },
  );
  try {
    await vitest.start();
  } finally {
    interrupted.removeEventListener('abort', cancel);
    await vitest.close();
  }
  // Told to stop while it loads the first file, vitest may end without a word.
  if (reporter.report === undefined && interrupted.aborted) await reporter.onTestRunEnd([], [], 'interrupted');
  return reporter.report;
}
