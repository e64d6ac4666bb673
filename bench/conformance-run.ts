/** Measures what a run costs: requests, how many of them are in flight at the same time, memory, files, and how it ends. */
import { mkdtempDisposableSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run as runAssay, targetFile } from '../cli/e2e/testing/assay-process.ts';
import { hasProc, measureMemory } from '../cli/e2e/testing/peak-memory.ts';
import { startMock } from '../mock/start-mock.ts';
import { collectCases } from '../suites/engine/collect-cases.ts';
import { DEFAULT_RUNS, openRun } from '../suites/engine/open-run.ts';
import type { RunSettings } from '../suites/engine/open-run.ts';
import { schedule } from '../suites/engine/schedule.ts';
import { openTarget } from '../suites/target/open-target.ts';

const LATENCY_MS = 100;

export interface RunCost {
  readonly requests: number;
  /** Seconds of all requests, divided by the seconds of the run: requests in flight, on average. */
  readonly inFlight: number;
  readonly seconds: number;
}

type Limits = Pick<RunSettings, 'isQuick' | 'timeMs'>;

/** A run in this process, with default options apart from its limits, against a mock with this latency. */
export async function runCost(limits: Limits, latencyMs = LATENCY_MS): Promise<RunCost> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-bench-'));
  await using mock = await startMock({ latency: { min: latencyMs, max: latencyMs } });
  const target = await openTarget({ ...mock.target, allow: 'write' }, {});
  const cases = await collectCases();
  const run = openRun({
    isProcessShared: true,
    target,
    seed: 1,
    runs: DEFAULT_RUNS,
    runId: 'bench',
    ledgerFile: path.join(folder.path, 'ledger'),
    ...limits,
  });
  let [requests, milliseconds] = [0, 0];
  const record = ({ durationMs }: { durationMs: number }): void => {
    requests += 1;
    milliseconds += durationMs;
  };
  const started = performance.now();
  try {
    await Promise.all(schedule(cases.values(), { ...run.context, record }).values());
    const duration = performance.now() - started;
    return { requests, inFlight: milliseconds / duration, seconds: duration / 1000 };
  } finally {
    await run.close();
  }
}

export interface RunSize {
  /** MiB: the peak of all processes of the run together. Undefined if it cannot be measured. */
  readonly memory: number | undefined;
  /** Bytes of all files in the report folder. */
  readonly artefacts: number;
}

/** A run of the command, as a user starts it. Throws if it is not green. */
export async function runSize(...flags: readonly string[]): Promise<RunSize> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-bench-'));
  await using mock = await startMock();
  const words = ['test', '--target', targetFile(mock.target), '--allow', 'write', '--seed', '1'];
  let memory: ReturnType<typeof measureMemory> | undefined;
  const { code, out } = await runAssay([...words, '--report', folder.path, ...flags], {
    onStart: ({ pid = 0 }) => (memory = measureMemory(pid)),
  });
  const peak = memory?.stop();
  if (code !== 0) throw new Error(`The run ended with ${code}:\n${out}`);
  const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).map((name) =>
    statSync(path.join(folder.path, name)),
  );
  const artefacts = files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
  return { memory: hasProc ? peak : undefined, artefacts };
}
