/** Puts exchanges that end in any order into the order in which they began, within limits of time and memory. */

export interface OrderedQueue<T> {
  /** Returns the number of a new exchange. */
  readonly begin: () => number;
  /** Passes on what has ended before everything else that began before it. `size`: characters that the item keeps in memory. */
  readonly end: (number: number, item: T | undefined, size: number) => void;
  /** Passes on everything that has ended. */
  readonly flush: () => void;
}

export interface QueueOptions<T> {
  readonly pass: (item: T) => void;
  /** Called with an exchange that took so long that later ones could not wait for it. */
  readonly onLate: () => void;
  readonly now?: () => number;
}

/** Later exchanges wait this long for one that has not ended. */
const MAX_WAIT_MS = 10_000;
const MAX_WAITING = 200;
const MAX_SIZE = 16 * 2 ** 20;

interface Waiting<T> {
  readonly begunAt: number;
  ended?: { readonly item: T | undefined; readonly size: number };
}

export function createOrderedQueue<T>({ pass, onLate, now = Date.now }: QueueOptions<T>): OrderedQueue<T> {
  const queue = new Map<number, Waiting<T>>();
  let [last, endedCount, size] = [0, 0, 0];

  function passOn(isFinal = false): void {
    for (const [number, { begunAt, ended }] of queue) {
      const isLate = now() - begunAt > MAX_WAIT_MS || endedCount > MAX_WAITING || size > MAX_SIZE || isFinal;
      if (ended === undefined && !(isLate && endedCount > 0)) return;
      queue.delete(number);
      if (ended === undefined) continue;
      endedCount -= 1;
      size -= ended.size;
      if (ended.item !== undefined) pass(ended.item);
    }
  }

  return {
    begin() {
      last += 1;
      queue.set(last, { begunAt: now() });
      return last;
    },
    end(number, item, itemSize) {
      const waiting = queue.get(number);
      if (waiting === undefined) return onLate();
      waiting.ended = { item, size: itemSize };
      endedCount += 1;
      size += itemSize;
      passOn();
    },
    flush: () => passOn(true),
  };
}
