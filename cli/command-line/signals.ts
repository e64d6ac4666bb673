/** SIGINT and SIGTERM as they are meant: copies of one that reach the process at about the same time count as one. */
import { constants } from 'node:os';

export const signals = ['SIGINT', 'SIGTERM'] as const;

/** A terminal signals every process of a group, and each of them that waits for a command passes the signal on to it. */
export const COPIES_MS = 1000;

/** Counts from 1; gives undefined for a copy. `now` is in milliseconds. */
export function signalCounter(now: () => number = () => performance.now()): () => number | undefined {
  let counted = 0;
  let last = -Infinity;
  return () => {
    if (now() - last < COPIES_MS) return undefined;
    last = now();
    return (counted += 1);
  };
}

/** Holds until the process ends, since copies may come when what the first one was for is done. Gives the listener. */
export function onSignal(told: (signal: NodeJS.Signals, nth: number) => void): NodeJS.SignalsListener {
  const count = signalCounter();
  const listener = (signal: NodeJS.Signals): void => {
    const nth = count();
    if (nth !== undefined) told(signal, nth);
  };
  for (const signal of signals) process.on(signal, listener);
  return listener;
}

/** What a shell has for a command that the signal ended. */
export const exitCodeFor = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
