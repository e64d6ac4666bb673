/** SIGINT and SIGTERM, deduplicated: copies of one signal that arrive at about the same time count as one. */
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** A terminal signals every process of a group, and processes that wait for a command forward the signal to it. */
export const DUPLICATE_SIGNAL_MS = 1000;

/** Counts from 1; returns undefined for a copy. `now` is in milliseconds. */
export function signalCounter(now: () => number = () => performance.now()): () => number | undefined {
  let counted = 0;
  let last = -Infinity;
  return () => {
    if (now() - last < DUPLICATE_SIGNAL_MS) return undefined;
    last = now();
    return (counted += 1);
  };
}

/** Listens until the process ends, because copies may arrive after the first one was handled. */
export function onSignal(handle: (signal: NodeJS.Signals, nth: number) => void): void {
  const count = signalCounter();
  const listener = (signal: NodeJS.Signals): void => {
    const nth = count();
    if (nth !== undefined) handle(signal, nth);
  };
  for (const signal of signals) process.on(signal, listener);
}

/** The exit code that a shell reports for a command ended by the signal. */
export const exitCodeFor = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
