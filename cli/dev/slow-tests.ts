/** The test files that take longest: `npm run test:slow` runs them, CI a third of them at a time, and `npm run nightly` all. */

/** Whole runs, kills, browsers and hostile input, each 15 s or longer on two processors. */
export const slowTests: readonly string[] = [
  'cli/e2e/browser/*.test.ts',
  'cli/e2e/docs-commands.test.ts',
  'cli/e2e/hostile-*.test.ts',
  'cli/e2e/init.test.ts',
  'cli/e2e/interruption*.test.ts',
  'cli/e2e/lint*.test.ts',
  'cli/e2e/oracle.test.ts',
  'cli/e2e/plan.test.ts',
  'cli/e2e/profile.test.ts',
  'cli/e2e/proxy.test.ts',
  'cli/e2e/read-only.test.ts',
  'cli/e2e/replay.test.ts',
  'cli/e2e/samples.test.ts',
  'cli/e2e/secrets.test.ts',
  'cli/e2e/shards.test.ts',
  'cli/e2e/state.test.ts',
  'cli/e2e/stranger.test.ts',
  'cli/e2e/sweep.test.ts',
  'cli/e2e/target-flags.test.ts',
  'cli/e2e/test.test.ts',
];
