/** Limits the requests in flight, and adapts the limit to a target that refuses some of them (429). */

export interface Gate {
  /**
   * Resolves when a request may be sent, to its entry: in the order of the priorities, and of the calls with one of them, which
   * is `normal` by default. Rejects if the signal has aborted, or aborts first.
   */
  enter(signal: AbortSignal, priority?: Priority): Promise<Entry>;
  /** Must be called once for each request that entered. `wasRefused`: its response was 429. */
  leave(entry: Entry, wasRefused: boolean): void;
}

/** Which of the waiting requests come first: those that are sent again, then those that others will wait for. */
export type Priority = 'again' | 'urgent' | 'normal';

/** The limit under which a request was sent: the refusals of one limit lower it once. */
type Entry = number;

/** Additive increase, multiplicative decrease, as TCP does it (RFC 5681 3.1): between 1 and `max`, which may be Infinity. */
export function createGate(max: number): Gate {
  let limit = max;
  let inFlight = 0;
  let decreases = 0;
  const waiting: Readonly<Record<Priority, Set<() => void>>> = {
    again: new Set(),
    urgent: new Set(),
    normal: new Set(),
  };

  const admit = (): void => {
    for (const queue of [waiting.again, waiting.urgent, waiting.normal])
      for (const resolve of queue) {
        if (inFlight >= Math.floor(limit)) return;
        queue.delete(resolve);
        inFlight += 1;
        resolve();
      }
  };
  return {
    enter: (signal, priority = 'normal') =>
      new Promise((resolve, reject) => {
        const queue = waiting[priority];
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
