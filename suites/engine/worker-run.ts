/** The run that all suite files of a worker share: one pace, one budget, one ledger, one oracle, connections that are kept. */
import { openRun } from './open-run.ts';
import type { OpenRun, RunSettings } from './open-run.ts';

let open: Promise<OpenRun> | undefined;

/** Opened at the first call; the settings are the same at each. */
export const workerRun = (settings: RunSettings): Promise<OpenRun> => (open ??= openWorkerRun(settings));

async function openWorkerRun(settings: RunSettings): Promise<OpenRun> {
  if (settings.oracle === undefined) return openRun(settings);
  // Loaded here: a run without it need not wait for it.
  const { readByPrism } = await import('../../spec/prism/reader.ts');
  return openRun(settings, await readByPrism(settings.target.brand));
}
