/** The run that all suite files of a worker share: one rate limit, budget, ledger, oracle and connection pool. */
import { openRun } from './open-run.ts';
import type { OpenRun, RunSettings } from './open-run.ts';

let open: Promise<OpenRun> | undefined;

/** Opened by the first call. All calls have the same settings. */
export const workerRun = (settings: RunSettings): Promise<OpenRun> => (open ??= openWorkerRun(settings));

async function openWorkerRun(settings: RunSettings): Promise<OpenRun> {
  if (settings.oracle === undefined) return openRun(settings);
  // Imported only here, because loading it is slow.
  const { readByPrism } = await import('../../spec/prism/reader.ts');
  return openRun(settings, await readByPrism(settings.target.brand));
}
