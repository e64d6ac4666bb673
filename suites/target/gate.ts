/** Limits the requests in flight, and adapts the limit to a target that refuses some of them (429). */

export interface Gate {
  /**
   * Resolves when a request may be sent, to its entry: in the order of the priorities, and of the calls with one of them, which
   * is `normal` by default. After three others, a normal one that waits comes first. While the target refuses none, up to
   * MAX_AT_ONCE may be sent at once, also beyond the limit. Rejects if the signal has aborted, or aborts first.
   */
  enter(signal: AbortSignal, priority?: Priority): Promise<Entry>;
  /** Must be called once for each request that entered. `wasRefused`: its response was 429. */
  leave(entry: Entry, wasRefused: boolean): void;
}

/**
 * Which of the waiting requests come first: those that are sent again, then those that must be sent at the same time, then those
 * that others will wait for.
 */
export type Priority = 'again' | 'at once' | 'urgent' | 'normal';

/** So many requests may be sent at the same time if a case needs it, even if `max` is lower. */
export const MAX_AT_ONCE = 8;

/** The limit under which a request was sent: the refusals of one limit lower it once. */
type Entry = number;

/** A normal request waits for at most so many others for each normal one before it: it may be needed within a time. */
const MAX_URGENT = 3;

/** Additive increase, multiplicative decrease, as TCP does it (RFC 5681 3.1): between 1 and `max`, which may be Infinity. */
export function createGate(max: number): Gate {
  let limit = max;
  let inFlight = 0;
  let decreases = 0;
  const waiting: Readonly<Record<Priority, Set<() => void>>> = {
    again: new Set(),
    'at once': new Set(),
    urgent: new Set(),
    normal: new Set(),
  };

  /** Since the last normal one. */
  let urgentCount = 0;
  const nextQueue = (): Set<() => void> => {
    if (waiting.again.size > 0) return waiting.again;
    const urgent = waiting['at once'].size > 0 ? waiting['at once'] : waiting.urgent;
    const isUrgent = urgent.size > 0 && (urgentCount < MAX_URGENT || waiting.normal.size === 0);
    urgentCount = isUrgent ? urgentCount + 1 : 0;
    return isUrgent ? urgent : waiting.normal;
  };
  const mayExceed = (): boolean => limit >= max && waiting.again.size === 0 && inFlight < MAX_AT_ONCE;
  const admit = (): void => {
    for (;;) {
      const isFull = inFlight >= Math.floor(limit);
      if (isFull && !mayExceed()) return;
      const queue = isFull ? waiting['at once'] : nextQueue();
      const [resolve] = queue;
      if (resolve === undefined) return;
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
