/** Ends a run when the main thread says that it was interrupted, and sends back what its cases have found. */
import { setTimeout as wait } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { interruptionChannel } from '../../spec/run-progress.ts';
import type { Outcomes } from './schedule.ts';

/** Pending requests are aborted a second after `stop`. */
const MAX_MS = 1200;

/** `stop` ends the cases. Without an interruption nothing happens, and the thread may end. */
export function endOnInterruption(runId: string, stop: () => void, outcomes: Outcomes): void {
  const channel = new BroadcastChannel(interruptionChannel(runId));
  channel.unref();
  channel.addEventListener('message', () => void stopAndSend(), { once: true });
  async function stopAndSend(): Promise<void> {
    stop();
    const late = wait(MAX_MS, undefined, { ref: false });
    const ended = await Promise.all(outcomes.values().map((outcome) => Promise.race([outcome, late])));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
    channel.postMessage(ended.filter((each): each is CaseOutcome => each !== undefined));
  }
}
