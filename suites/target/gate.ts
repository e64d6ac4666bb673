/** Limits the requests in flight, and adapts the limit to a target that refuses some of them (429). */

export interface Gate {
  /** Resolves when a request may be sent, to its entry. Rejects if the signal has aborted, or aborts first. */
  enter(signal: AbortSignal): Promise<Entry>;
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
  const waiting = new Set<() => void>();

  const admit = (): void => {
    for (const resolve of waiting) {
      if (inFlight >= Math.floor(limit)) return;
      waiting.delete(resolve);
      inFlight += 1;
      resolve();
    }
  };
  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        const abort = (): void => {
          waiting.delete(enter);
          reject(signal.reason as Error);
        };
        const enter = (): void => {
          signal.removeEventListener('abort', abort);
          resolve(decreases);
        };
        if (signal.aborted) return abort();
        signal.addEventListener('abort', abort, { once: true });
        waiting.add(enter);
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
