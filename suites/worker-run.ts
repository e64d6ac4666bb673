/** The run that all suite files of a worker share: one pace, one budget, one ledger, connections that are kept. */
import { openRun } from './open-run.ts';
import type { OpenRun, RunSettings } from './open-run.ts';

let open: OpenRun | undefined;

/** Opened at the first call; the settings are the same at each. */
export const workerRun = (settings: RunSettings): OpenRun => (open ??= openRun(settings));
