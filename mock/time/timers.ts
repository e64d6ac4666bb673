/** Timers of the virtual clock: they fire when the clock reaches their instant, running or set. */
import { worldIsGone } from '../http/problems.ts';
import type { Clock, Instant } from './clock.ts';

export interface Timers {
  /**
   * Calls `run` once, soon if the instant has passed; `run` must not throw. Returns a function that cancels the timer.
   * If the timers are closed first, calls `end` instead (immediately if they are already closed).
   */
  at(instant: Instant, run: () => void, end?: () => void): () => void;
  /** Waits on the virtual clock; `onLeave` registers a function that ends the wait early. Rejects with a problem when the timers are closed. */
  wait(milliseconds: number, onLeave: (release: () => void) => void): Promise<void>;
  /** Number of pending timers. */
  count(): number;
  /** Cancels all timers and calls their `end`. */
  close(): void;
}

interface Timer {
  readonly instant: Instant;
  readonly run: () => void;
  readonly end: () => void;
}

/** The maximum of setTimeout; a timer that fires too early is set again. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The timers do not keep the process alive. */
export function createTimers(clock: Clock): Timers {
  const timers = new Set<Timer>();
  let closed = false;
  let alarm: NodeJS.Timeout | undefined;
  /** When the alarm rings; Infinity if it is not set. */
  let ringsAt = Infinity;
  const earliest = () => {
    let first: Timer | undefined;
    for (const timer of timers) if (first === undefined || timer.instant < first.instant) first = timer;
    return first;
  };
  const dueTimers = () =>
    [...timers].filter(({ instant }) => instant <= clock.now()).toSorted((one, other) => one.instant - other.instant);
  const arm = () => {
    clearTimeout(alarm);
    ringsAt = Infinity;
    const next = earliest();
    if (next === undefined || (clock.mode() === 'frozen' && next.instant > clock.now())) return;
    ringsAt = next.instant;
    alarm = setTimeout(fire, Math.min(Math.max(next.instant - clock.now(), 0), MAX_TIMEOUT_MS)).unref();
  };
  const fire = () => {
    // Those that a timer adds fire in the next round.
    for (let due = dueTimers(); due.length > 0; due = dueTimers()) {
      for (const timer of due) if (timers.delete(timer)) timer.run();
    }
    arm();
  };
  const endListening = clock.onChange(fire);
  const at = (instant: Instant, run: () => void, end = () => {}) => {
    if (closed) {
      end();
      return () => {};
    }
    const timer = { instant, run, end };
    timers.add(timer);
    if (instant < ringsAt && (clock.mode() === 'running' || instant <= clock.now())) arm();
    return () => void timers.delete(timer);
  };
  return {
    at,
    wait: (milliseconds, onLeave) =>
      new Promise((resolve, reject) => {
        const cancel = at(clock.now() + milliseconds, resolve, () => reject(worldIsGone()));
        onLeave(() => {
          cancel();
          resolve();
        });
      }),
    count: () => timers.size,
    close: () => {
      closed = true;
      endListening();
      clearTimeout(alarm);
      const waiting = [...timers];
      timers.clear();
      for (const { end } of waiting) end();
    },
  };
}
