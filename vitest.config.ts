/** What `vitest run` runs: our own tests, of which `npm test` omits the slow ones, and the suites against a mock that it starts. */
import { defineConfig } from 'vitest/config';
import { conformanceReporter } from './cli/dev/conformance-reporter.ts';
import { requireCoverage } from './cli/dev/require-coverage.ts';
import { requireSingleErrors } from './cli/dev/require-single-errors.ts';
import { SkippedTests } from './cli/dev/skipped-tests.ts';
import { SlowFirst } from './cli/dev/slow-first.ts';
import { slowTests } from './cli/dev/slow-tests.ts';

const conformance = conformanceReporter(async (report) => {
  requireCoverage(report);
  await requireSingleErrors();
});

const ownTests = {
  setupFiles: ['cli/dev/fixed-seed.ts'],
  globalSetup: ['cli/dev/temporary-folder.ts'],
  isolate: false,
  // Many tests wait for other processes and for deployments.
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
  // Much longer than any test takes, so that none depends on the speed of the machine.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    pool: 'threads',
    sequence: { sequencer: SlowFirst },
    reporters: ['default', new SkippedTests(), conformance],
    projects: [
      {
        test: {
          name: 'own',
          include: ['**/*.test.ts'],
          exclude: ['node_modules/**', 'dist/**', ...slowTests],
          ...ownTests,
        },
      },
      { test: { name: 'slow', include: [...slowTests], ...ownTests } },
      {
        test: {
          name: 'conformance',
          include: ['suites/**/*.suite.ts'],
          setupFiles: ['suites/engine/vitest-setup.ts'],
          globalSetup: ['cli/dev/conformance-setup.ts'],
          // One worker: its cases share connections, and its schedule decides which of them run at the same time.
          isolate: false,
          maxWorkers: 1,
          maxConcurrency: 1000,
          // First, while the checks that run at the same time use the other processors.
          sequence: { groupOrder: 0 },
          testTimeout: 0,
        },
      },
    ],
  },
});
