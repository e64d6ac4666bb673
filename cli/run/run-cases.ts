/** Runs cases one after the other, without progress output: for a few cases. */
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { openRun } from '../../suites/engine/open-run.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import type { RunContext } from '../../suites/engine/run.ts';
import { delayAfter, MAX_MS_AFTER_INTERRUPTION } from '../command-line/interruption.ts';
import { runCase } from '../../suites/engine/run-case.ts';

export interface RunCasesOptions {
  interrupted?: AbortSignal;
  /** Called for every exchange. */
  record?: RunContext['record'];
}

/** Runs the selected rules that have a case, in the order of the suite files. */
export async function runCases(
  settings: RunSettings,
  { interrupted, record }: RunCasesOptions,
): Promise<CaseOutcome[]> {
  const cases = await collectCases(settings.selected);
  const run = openRun(settings);
  const context = { ...run.context, ...(record && { record }) };
  interrupted?.addEventListener('abort', run.stop);
  const limit = interrupted && delayAfter(interrupted, MAX_MS_AFTER_INTERRUPTION);
  const outcomes: CaseOutcome[] = [];
  try {
    for (const each of cases.values()) {
      if (interrupted?.aborted === true) break;
      const outcome = await Promise.race([runCase(each, context), ...(limit ? [limit.ended] : [])]);
      if (outcome !== undefined) outcomes.push(outcome);
    }
  } finally {
    limit?.cancel();
    await run.close();
  }
  return outcomes;
}
