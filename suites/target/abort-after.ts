/** A timeout for a request, removed when the request ends. */

/**
 * `signal` aborts with a TimeoutError after this many milliseconds, or when `other` aborts. Must be disposed of when the work
 * ends, including the body. A request would be kept until its time is over if AbortSignal.timeout were used with `other`.
 */
export function abortAfter(milliseconds: number, other: AbortSignal): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const follow = (): void => controller.abort(other.reason);
  const expire = (): void => controller.abort(new DOMException('The time is over.', 'TimeoutError'));
  if (other.aborted) follow();
  other.addEventListener('abort', follow, { once: true });
  const timer = setTimeout(expire, milliseconds).unref();
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      other.removeEventListener('abort', follow);
    },
  };
}
