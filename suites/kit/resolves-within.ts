/** Waits for a promise, but not for long. */
import { setTimeout as wait } from 'node:timers/promises';

/** Whether the promise resolves within this many seconds. Rejects if it rejects before. What it resolves to is not kept. */
export async function resolvesWithin(promise: Promise<unknown>, seconds: number): Promise<boolean> {
  const settled = new AbortController();
  const late = wait(seconds * 1000, false, { ref: false, signal: settled.signal }).catch(() => false);
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    settled.abort();
  }
}
