/** A deadline that keeps nothing once it is no longer needed. */

/**
 * `signal` aborts with a TimeoutError after this many milliseconds, or when another signal aborts. AbortSignal.timeout would
 * keep everything that listens to it until the time is over.
 */
export function abortAfter(
  milliseconds: number,
  ...others: readonly AbortSignal[]
): Disposable & { signal: AbortSignal } {
  const late = new AbortController();
  const abort = (): void => late.abort(new DOMException('The time is over.', 'TimeoutError'));
  const timer = setTimeout(abort, milliseconds).unref();
  return { signal: AbortSignal.any([late.signal, ...others]), [Symbol.dispose]: () => clearTimeout(timer) };
}
