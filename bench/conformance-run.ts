/** Measures what a run costs: its requests, and how many of them are in flight at the same time. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMock } from '../mock/start-mock.ts';
import { collectCases } from '../suites/engine/collect-cases.ts';
import { DEFAULT_RUNS, openRun } from '../suites/engine/open-run.ts';
import { schedule } from '../suites/engine/schedule.ts';
import { openTarget } from '../suites/target/open-target.ts';

const LATENCY_MS = 100;

export interface RunCost {
  readonly requests: number;
  /** Seconds of all requests, divided by the seconds of the run: requests in flight, on average. */
  readonly inFlight: number;
}

/** A run with default options against a mock with 100 ms of latency. */
export async function runCost(isQuick: boolean): Promise<RunCost> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-bench-'));
  await using mock = await startMock({ latency: { min: LATENCY_MS, max: LATENCY_MS } });
  const target = await openTarget({ ...mock.target, allow: 'write' }, {});
  const ledgerFile = path.join(folder.path, 'ledger');
  const run = openRun({
    isProcessShared: true,
    target,
    seed: 1,
    runs: DEFAULT_RUNS,
    runId: 'bench',
    ledgerFile,
    isQuick,
  });
  let [requests, milliseconds] = [0, 0];
  const record = ({ durationMs }: { durationMs: number }): void => {
    requests += 1;
    milliseconds += durationMs;
  };
  const cases = await collectCases();
  const started = performance.now();
  try {
    await Promise.all(schedule(cases.values(), { ...run.context, record }).values());
    return { requests, inFlight: milliseconds / (performance.now() - started) };
  } finally {
    await run.close();
  }
}
