/** The run that all suite files of a worker share: one schedule, rate limit, budget, ledger, oracle and connection pool. */
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from './collect-cases.ts';
import { endOnInterruption } from './end-on-interruption.ts';
import { openRun } from './open-run.ts';
import type { OpenRun, RunSettings } from './open-run.ts';
import type { Case } from './run-case.ts';
import { schedule } from './schedule.ts';
import type { Outcomes } from './schedule.ts';
import { sendProgress } from './send-progress.ts';

export interface WorkerRun {
  /** Rules whose cases run. */
  readonly ids: ReadonlySet<RequirementId>;
  /** Resolves when the cases have begun. */
  readonly started: Promise<OpenRun & { readonly outcomes: Outcomes }>;
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
  return { ids: new Set(cases.keys()), started: start(settings, cases) };
}

async function start(settings: RunSettings, cases: ReadonlyMap<RequirementId, Case>) {
  const run = openRun(settings, await readerOf(settings));
  const outcomes = schedule(cases.values(), sendProgress(run.context));
  endOnInterruption(settings.runId, run.stop, outcomes);
  return { ...run, outcomes };
}

async function readerOf({ oracle, target }: RunSettings) {
  if (oracle === undefined) return undefined;
  // Imported only here, because loading it is slow.
  const { readByPrism } = await import('../../spec/prism/reader.ts');
  return readByPrism(target.brand);
}
