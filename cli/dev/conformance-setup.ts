/** Starts the mock that `vitest run` tests, or opens the target that ASSAY_TARGET names. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startMock } from '../../mock/start-mock.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import { openTarget } from '../../suites/target/open-target.ts';
import { readTargetFile } from '../../suites/target/target-file.ts';
import { readVariable } from '../../suites/target/environment.ts';
import { CONFORMANCE_FOLDER, EXCHANGES_FILE } from './conformance-files.ts';

/** Fixed, so that failures are reproducible. */
const SEED = 42;
/** Fewer than `assay test` has by default. */
const RUNS = 10;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await mkdir(CONFORMANCE_FOLDER, { recursive: true, mode: 0o700 });
  const given = readVariable(process.env, 'ASSAY_TARGET');
  const mock = given === undefined ? await startMock({ seed: 1 }) : undefined;
  const target = await openTarget(mock?.target ?? (await readTargetFile(given ?? '', process.env)), process.env);
  const settings: RunSettings = {
    // Workers run the other tests of the project, too.
    isProcessShared: true,
    target,
    seed: SEED,
    runs: RUNS,
    runId: 'test',
    ledgerFile: path.join(CONFORMANCE_FOLDER, 'ledger.ndjson'),
    exchangesFile: EXCHANGES_FILE,
  };
  project.provide('assay', settings);
  return async () => {
    await mock?.close();
    await rm(CONFORMANCE_FOLDER, { recursive: true });
  };
}
