import { BroadcastChannel } from 'node:worker_threads';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { progressChannel } from '../spec/run-progress.ts';
import type { RunProgress } from '../spec/run-progress.ts';
import { ConformanceReporter } from './conformance-reporter.ts';

afterEach(() => void vi.useRealTimers());

test('the progress that the worker reports is printed, with known failures counted separately', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const known = 'metrics.group-by.at-most-three';
  const target = { name: 'staging', addresses: { management: 'http://a/v0' }, brand: 'Svc', allow: 'read' } as const;
  let written = '';
  const reporter = new ConformanceReporter({
    assay: '0.1.0',
    out: { write: (text) => (written += text) },
    run: { target, seed: 1, runs: 10, runId: 'progress-test', selected: [known, 'metrics.cost.always-there'] },
    knownFailures: [{ id: known, reason: 'being fixed' }],
  });
  const progress: RunProgress = {
    requestCount: 1200,
    testedCount: 2,
    failing: [
      { id: known, verdict: 'failed' },
      { id: 'metrics.cost.always-there', verdict: 'failed' },
    ],
  };
  const worker = new BroadcastChannel(progressChannel('progress-test'));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
  worker.postMessage(progress);
  await vi.waitFor(async () => {
    await yieldToEventLoop();
    vi.advanceTimersByTime(30_000);
    expect(written).toContain('1,200 requests, 2 of 2 rules tested, 1 failed, 1 known failure\n');
  });
  worker.close();
  await reporter.onTestRunEnd([], [], 'interrupted');
});
