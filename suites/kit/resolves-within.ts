/** Waits for a promise, but not for long. */
import { secondsInFlight, type Flight } from '../target/flight.ts';

/**
 * Whether the promise resolves within this many seconds. Rejects if the promise rejects in that time; a later rejection is
 * ignored. Keeps neither a timer nor the value.
 */
export async function resolvesWithin(promise: Promise<unknown>, seconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, seconds * 1000, false).unref();
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Pause before looking again whether a waiting request was sent. */
const PAUSE_SECONDS = 0.05;

/** Whether the response headers arrive within this many seconds after the request was sent. Rejects like `resolvesWithin`. */
export async function respondsWithin(opening: Promise<unknown>, flight: Flight, seconds: number): Promise<boolean> {
  for (;;) {
    const remaining = Math.max(0, seconds - secondsInFlight(flight));
    const isSent = flight.sentMs !== undefined;
    if (await resolvesWithin(opening, isSent ? remaining : PAUSE_SECONDS)) return true;
    if (isSent && secondsInFlight(flight) >= seconds) return false;
  }
}
