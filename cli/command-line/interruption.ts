/** SIGINT and SIGTERM end a run in good order: the first one is told on, the second one ends the process at once. */
import { onSignal, signals } from './signals.ts';

export const INTERRUPTED = 3;

/**
 * Aborted by the first signal. Holds until the process ends, since what a run did is undone after it; whoever else wants
 * the signals, as vitest does to exit at once, does not get them.
 */
export function interruption(command: string): AbortSignal {
  const told = new AbortController();
  const listener = onSignal((_, nth) => {
    if (nth > 1) process.exit(INTERRUPTED);
    process.stderr.write(`\nassay ${command}: ending in good order; once more to stop at once.\n`);
    told.abort();
  });
  process.on('newListener', (event, added) => {
    const signal = signals.find((each) => each === event);
    // Before the next signal can come, however busy the process is.
    if (signal !== undefined && added !== listener) process.nextTick(() => process.off(signal, added));
  });
  return told.signal;
}
