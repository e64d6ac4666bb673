/** Runs the suites with vitest, in this process, whatever folder assay is called from. */
import path from 'node:path';
import { createVitest } from 'vitest/node';
import type { Vitest } from 'vitest/node';
import { ConformanceReporter } from '../reports/conformance-reporter.ts';
import type { Report } from '../spec/verdicts.ts';
import { noCaseYet } from '../suites/no-case-yet.ts';
import type { RunSettings } from '../suites/open-run.ts';
import { assayVersion, sourceFolder } from './package-info.ts';

/** In a checkout the sources are .ts, in the package .js: the same ending as this file's own. */
const ending = path.extname(import.meta.filename);

/** undefined where vitest ended without a report. */
export async function runSuites(
  settings: RunSettings,
  onReport: (report: Report) => Promise<void>,
): Promise<Report | undefined> {
  const reporter = new ConformanceReporter({ assay: assayVersion, noCaseYet, onReport });
  const vitest = await createVitest(
    {
      config: false,
      root: sourceFolder,
      watch: false,
      include: [`suites/**/*.suite${ending}`],
      exclude: [], // by default whatever lies below node_modules, which is where the package lies
      setupFiles: [`suites/vitest-setup${ending}`],
      reporters: [reporter],
      provide: { assay: settings },
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      maxConcurrency: 4,
      testTimeout: 0,
      // The package's folder may be read-only.
      fsModuleCache: false,
      cache: false,
    },
    { logLevel: 'error' },
  );
  cancelOnSignal(vitest);
  try {
    await vitest.start();
  } finally {
    await vitest.close();
  }
  return reporter.report;
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * The first SIGINT or SIGTERM ends the run with what it has; the second one ends the process. Holds until the process
 * ends, since what the run created is removed after it.
 */
function cancelOnSignal(vitest: Vitest): void {
  let told = false;
  const cancel = (): void => {
    if (told) process.exit(3);
    told = true;
    process.stderr.write('\nassay test: ending the run; once more to stop at once.\n');
    void vitest.cancelCurrentRun('keyboard-input');
  };
  for (const signal of signals) {
    process.removeAllListeners(signal); // vitest's own would exit before anything is removed or reported
    process.on(signal, cancel);
  }
}
