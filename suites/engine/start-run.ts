/** Opens a run and starts its cases. */
import { openRun } from './open-run.ts';
import type { OpenRun, RunSettings } from './open-run.ts';
import type { Case } from './run-case.ts';
import type { RunContext } from './run.ts';
import { schedule } from './schedule.ts';
import type { Outcomes } from './schedule.ts';

export interface StartedRun extends OpenRun {
  readonly outcomes: Outcomes;
}

/** `watch` returns the context of the schedule, for example one that counts what the cases do. */
export async function startRun(
  settings: RunSettings,
  cases: Iterable<Case>,
  watch: (context: RunContext) => RunContext = (context) => context,
): Promise<StartedRun> {
  const run = openRun(settings, await readerOf(settings));
  return { ...run, outcomes: schedule(cases, watch(run.context)) };
}

async function readerOf({ oracle, target }: RunSettings) {
  if (oracle === undefined) return undefined;
  // Imported only here, because loading it is slow.
  const { readByPrism } = await import('../../spec/prism/reader.ts');
  return readByPrism(target.brand);
}
