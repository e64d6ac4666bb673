/** Compares two targets in this process, with ledgers that are gone afterwards. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TargetFile } from '../../../spec/formats/target-file.ts';
import { changeableAgents } from '../../../suites/compare/changeable-agents.ts';
import { compareTargets, type Comparison, type CompareSettings } from '../../../suites/compare/compare-targets.ts';
import { openSide } from '../../../suites/compare/side.ts';
import { collectCases } from '../../../suites/engine/collect-cases.ts';
import { openRun, type OpenRun } from '../../../suites/engine/open-run.ts';
import { openTestTarget } from './run-on-target.ts';

/** Default: what the target files allow, seed 1, 300 requests, three seconds of patience, three differences are shrunk. */
export async function compareInProcess(
  files: { readonly a: TargetFile; readonly b: TargetFile },
  overrides: Partial<CompareSettings> = {},
): Promise<Comparison> {
  await collectCases(); // Registers the judgements.
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-compare-'));
  const settings = { seed: 1, requests: 300, patienceSeconds: 3, shrinkCount: 3, isOver: () => false, ...overrides };
  const runs: OpenRun[] = [];
  const open = async (file: TargetFile, letter: string) => {
    const { seed, patienceSeconds } = settings;
    const ledgerFile = path.join(folder.path, letter);
    const target = await openTestTarget(file);
    const run = openRun({
      target,
      seed,
      runs: 1,
      runId: `try${letter}`,
      isProcessShared: true,
      patienceSeconds,
      ledgerFile,
      budget: 1000,
    });
    runs.push(run);
    return openSide(run.context, { more: await changeableAgents(run.context, { isOneTarget: false }) });
  };
  try {
    return await compareTargets({ a: await open(files.a, 'a'), b: await open(files.b, 'b') }, settings);
  } finally {
    await Promise.all(runs.map((run) => run.close()));
  }
}
