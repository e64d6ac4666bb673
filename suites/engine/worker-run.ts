/** The run that all suite files of a vitest worker share: one schedule, rate limit, budget, ledger, oracle and connection pool. */
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from './collect-cases.ts';
import type { RunSettings } from './open-run.ts';
import { startRun } from './start-run.ts';
import type { StartedRun } from './start-run.ts';

export interface WorkerRun {
  /** Rules whose cases run. */
  readonly ids: ReadonlySet<RequirementId>;
  /** Resolves when the cases have begun. */
  readonly started: Promise<StartedRun>;
}

let worker: Promise<WorkerRun> | undefined;

/**
 * Collects and starts the selected cases of these suite files, in the first call. All calls have the same settings.
 * `files`: absolute paths of the suite files that this worker will load.
 */
export const workerRun = (settings: RunSettings, files: readonly string[]): Promise<WorkerRun> =>
  (worker ??= startWorkerRun(settings, files));

async function startWorkerRun(settings: RunSettings, files: readonly string[]): Promise<WorkerRun> {
  const cases = await collectCases(settings.selected, files);
  return { ids: new Set(cases.keys()), started: startRun(settings, cases.values()) };
}
