/** Reports the progress of a run to the thread that prints it. */
import { BroadcastChannel } from 'node:worker_threads';
import { progressChannel } from '../../spec/run-progress.ts';
import type { RunProgress } from '../../spec/run-progress.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import type { RunContext } from './run.ts';

const INTERVAL_MS = 1000;

/** Returns the context for the schedule of the run. Reports while this thread runs, but does not keep it running. */
export function sendProgress(context: RunContext): RunContext {
  const counting = countProgress(context);
  const channel = new BroadcastChannel(progressChannel(context.runId));
  channel.unref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
  const send = (): void => channel.postMessage(counting.progress());
  setInterval(send, INTERVAL_MS).unref();
  return counting.context;
}

/** `context` counts what the cases that use it do. */
export function countProgress(context: RunContext): { context: RunContext; progress: () => RunProgress } {
  let requestCount = 0;
  const tested = new Set<string>();
  const failing: Pick<RuleResult, 'id' | 'verdict'>[] = [];
  const counting: RunContext = {
    ...context,
    record(...args) {
      requestCount += 1;
      context.record?.(...args);
    },
    endRound(rule) {
      tested.add(rule.id);
      context.endRound?.(rule);
    },
    endCase(rule, verdict) {
      if (verdict === 'not-tried') tested.delete(rule.id);
      if (verdict === 'failed' || verdict === 'error') failing.push({ id: rule.id as RuleResult['id'], verdict });
      context.endCase?.(rule, verdict);
    },
  };
  return { context: counting, progress: () => ({ requestCount, testedCount: tested.size, failing }) };
}
