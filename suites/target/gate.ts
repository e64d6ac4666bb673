/** Limits the requests in flight, and adapts the limit to a target that refuses some of them (429). */

export interface Gate {
  /**
   * Resolves when a request may be sent, to its entry: in the order of the calls, but those that are sent again come first.
   * Rejects if the signal has aborted, or aborts first.
   */
  enter(signal: AbortSignal, isSentAgain?: boolean): Promise<Entry>;
  /** Must be called once for each request that entered. `wasRefused`: its response was 429. */
  leave(entry: Entry, wasRefused: boolean): void;
}

/** The limit under which a request was sent: the refusals of one limit lower it once. */
type Entry = number;

/** Additive increase, multiplicative decrease, as TCP does it (RFC 5681 3.1): between 1 and `max`, which may be Infinity. */
export function createGate(max: number): Gate {
  let limit = max;
  let inFlight = 0;
  let decreases = 0;
  const [first, waiting] = [new Set<() => void>(), new Set<() => void>()];

  const admit = (): void => {
    for (const queue of [first, waiting])
      for (const resolve of queue) {
        if (inFlight >= Math.floor(limit)) return;
        queue.delete(resolve);
        inFlight += 1;
        resolve();
      }
  };
  return {
    enter: (signal, isSentAgain = false) =>
      new Promise((resolve, reject) => {
        const queue = isSentAgain ? first : waiting;
        const abort = (): void => {
          queue.delete(enter);
          reject(signal.reason as Error);
        };
        const enter = (): void => {
          signal.removeEventListener('abort', abort);
          resolve(decreases);
        };
        if (signal.aborted) return abort();
        signal.addEventListener('abort', abort, { once: true });
        queue.add(enter);
        admit();
      }),
    leave(entry, wasRefused) {
      inFlight -= 1;
      if (!wasRefused) limit = Math.min(max, limit + 1 / limit);
      else if (entry === decreases) {
        limit = Math.max(1, limit / 2);
        decreases += 1;
      }
      admit();
    },
  };
}
