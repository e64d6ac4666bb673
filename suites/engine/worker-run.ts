/** The run that all suite files of a worker share: one schedule, rate limit, budget, ledger, oracle and connection pool. */
import { collectCases } from './collect-cases.ts';
import { openRun } from './open-run.ts';
import type { OpenRun, RunSettings } from './open-run.ts';
import { schedule } from './schedule.ts';
import type { Outcomes } from './schedule.ts';

export interface WorkerRun extends OpenRun {
  readonly outcomes: Outcomes;
}

let open: Promise<WorkerRun> | undefined;

/**
 * Opened by the first call, which starts the selected cases of these suite files. All calls have the same settings.
 * `files`: absolute paths of the suite files that this worker will load.
 */
export const workerRun = (settings: RunSettings, files: readonly string[]): Promise<WorkerRun> =>
  (open ??= openWorkerRun(settings, files));

async function openWorkerRun(settings: RunSettings, files: readonly string[]): Promise<WorkerRun> {
  const cases = await collectCases(settings.selected, files);
  const run = openRun(settings, await readerOf(settings));
  return { ...run, outcomes: schedule(cases.values(), run.context) };
}

async function readerOf({ oracle, target }: RunSettings) {
  if (oracle === undefined) return undefined;
  // Imported only here, because loading it is slow.
  const { readByPrism } = await import('../../spec/prism/reader.ts');
  return readByPrism(target.brand);
}
