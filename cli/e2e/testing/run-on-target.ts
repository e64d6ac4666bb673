/** Tries cases on the target of a target file, in this process, with a ledger that is gone afterwards. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CaseOutcome } from '../../../spec/case-outcome.ts';
import type { TargetFile } from '../../../spec/formats/target-file.ts';
import { DEFAULT_RUNS, type RunSettings } from '../../../suites/engine/open-run.ts';
import { openTarget } from '../../../suites/target/open-target.ts';
import { parseTargetFile } from '../../../suites/target/target-file.ts';
import type { Target } from '../../../suites/target/target.ts';
import { runCases, type RunCasesOptions } from '../../run/run-cases.ts';

/** Opens a target file with inline secrets; requests are sent without a rate limit. */
export const openTestTarget = (file: TargetFile): Promise<Target> =>
  openTarget(parseTargetFile(JSON.stringify({ ...file, rate: 0 }), 'the target', { environment: {} }), {});

/** Options of a run; default: seed 11, the default number of inputs, twelve seconds of patience, all rules. */
export type RunOverrides = Partial<Omit<RunSettings, 'target' | 'ledgerFile'>> & RunCasesOptions;

/** May do what the file allows. */
export async function runOnTarget(file: TargetFile, overrides: RunOverrides = {}): Promise<CaseOutcome[]> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-try-'));
  const { interrupted, record, ...settings } = overrides;
  const target = await openTestTarget(file);
  return await runCases(
    {
      seed: 11,
      runs: DEFAULT_RUNS,
      patienceSeconds: 12,
      runId: 'try',
      // Other tests of this process use memory, too.
      isProcessShared: true,
      ...settings,
      target,
      ledgerFile: path.join(folder.path, 'ledger'),
    },
    { ...(interrupted && { interrupted }), ...(record && { record }) },
  );
}
