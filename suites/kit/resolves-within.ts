/** Waits for a promise, but not for long. */

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
