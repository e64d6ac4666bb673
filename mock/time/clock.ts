/** The virtual time of a world. All timing uses it; no other code reads the wall clock. */

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export type ClockMode = 'running' | 'frozen';

export interface Clock {
  now(): Instant;
  mode(): ClockMode;
  /** Jumps to an instant, forwards or back; the mode stays. */
  set(instant: Instant): void;
  advance(milliseconds: number): void;
  freeze(): void;
  run(): void;
  /** Calls a listener after the clock was set, advanced, frozen or run. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}

/** A clock that starts at `start`; a running one keeps pace with `elapsed`, a monotonic count of milliseconds. */
export function createClock(start: Instant, initialMode: ClockMode, elapsed = () => performance.now()): Clock {
  let mode = initialMode;
  let base = start;
  let since = elapsed();
  const listeners = new Set<() => void>();
  const now = () => (mode === 'running' ? base + Math.floor(elapsed() - since) : base);
  const change = (instant: Instant, nextMode: ClockMode) => {
    base = instant;
    since = elapsed();
    mode = nextMode;
    for (const listener of listeners) listener();
  };
  return {
    now,
    mode: () => mode,
    set: (instant) => change(instant, mode),
    advance: (milliseconds) => change(now() + milliseconds, mode),
    freeze: () => change(now(), 'frozen'),
    run: () => change(now(), 'running'),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
let latestDay = 0;
let latestDate = '1970-01-01T';

/**
 * RFC 3339 in UTC with milliseconds, as every timestamp of the mock is printed.
 * A response has a dozen of them, nearly all of one day: caching the date of that day is five times as fast as toISOString.
 */
export function timestamp(instant: Instant): string {
  const day = Math.floor(instant / DAY_MS);
  if (day !== latestDay) {
    latestDate = new Date(instant).toISOString().slice(0, -13);
    latestDay = day;
  }
  const ms = Math.floor(instant - day * DAY_MS);
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  return `${latestDate}${time}.${String(ms % 1000).padStart(3, '0')}Z`;
}
