/** Graceful shutdown of a run: the first SIGINT or SIGTERM aborts it, the second ends the process immediately. */
import { onSignal, signals } from './signals.ts';

export const INTERRUPTED = 3;

/**
 * Returns a signal that the first interruption aborts. Stays active until the process ends, because a run is cleaned up
 * afterwards. Listeners that others add, such as vitest's, which would exit immediately, are removed.
 */
export function interruption(command: string): AbortSignal {
  const controller = new AbortController();
  const listener = onSignal((_, nth) => {
    if (nth > 1) process.exit(INTERRUPTED);
    process.stderr.write(`\nassay ${command}: Shutting down; press Ctrl-C again to force.\n`);
    controller.abort();
  });
  process.on('newListener', (event, added) => {
    const signal = signals.find((each) => each === event);
    // On the next tick, so that no signal can arrive first.
    if (signal !== undefined && added !== listener) process.nextTick(() => process.off(signal, added));
  });
  return controller.signal;
}
