/** The virtual time of a world. All timing uses it; no other code reads the wall clock. */

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** The last instant that RFC 3339 can express. */
export const MAX_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

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

/**
 * A clock that starts at `start`; a running one keeps pace with `elapsed`, a monotonic count of milliseconds. It stands still at
 * the end of the year 9999, because RFC 3339 has no later timestamps.
 */
export function createClock(start: Instant, initialMode: ClockMode, elapsed = () => performance.now()): Clock {
  let mode = initialMode;
  let base = start;
  let since = elapsed();
  const listeners = new Set<() => void>();
  const now = () => (mode === 'running' ? Math.min(base + Math.floor(elapsed() - since), MAX_INSTANT) : base);
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

const MAX_REMEMBERED = 10_000;
const timestamps = new Map<Instant, string>();

/**
 * RFC 3339 in UTC with milliseconds, as every timestamp of the mock is printed. Remembered, because a response has a dozen of
 * them, most of the same instants as the response before it.
 */
export function timestamp(instant: Instant): string {
  return remembered(timestamps, instant, print);
}

function remembered(texts: Map<number, string>, key: number, printKey: (key: number) => string): string {
  let text = texts.get(key);
  if (text === undefined) {
    if (texts.size >= MAX_REMEMBERED) texts.clear();
    text = printKey(key);
    texts.set(key, text);
  }
  return text;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const digits = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(length, '0'));
const TWO_DIGITS = digits(60, 2);
const THREE_DIGITS = digits(1000, 3);
const dates = new Map<number, string>();

/** A third of the time of toISOString, which counts in the list of a large world. */
function print(instant: Instant): string {
  const day = Math.floor(instant / DAY_MS);
  const ofDay = Math.floor(instant - day * DAY_MS);
  const minute = Math.floor(ofDay / MINUTE_MS);
  const hour = Math.floor(minute / 60);
  const second = Math.floor((ofDay - minute * MINUTE_MS) / 1000);
  const time = `${TWO_DIGITS[hour]}:${TWO_DIGITS[minute - hour * 60]}:${TWO_DIGITS[second]}`;
  return `${remembered(dates, day, printDate)}T${time}.${THREE_DIGITS[ofDay % 1000]}Z`;
}

function printDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, -'T00:00:00.000Z'.length);
}
