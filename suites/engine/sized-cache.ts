/** Keeps values of a limited total length, for one run. */

interface Entry<T> {
  readonly made: Promise<T>;
  /** Both undefined until the value is there. */
  value?: T;
  length?: number;
  /** The lowest one is removed first. Long values have a lower one than short values that were used at the same time. */
  priority: number;
}

export interface SizedCache<T> {
  /**
   * The kept value if it is still usable, otherwise what `make` returns. Calls `make` once for requests at the same time. Errors
   * are not kept.
   */
  get(key: string, make: () => Promise<T>, isUsable?: (value: T) => boolean): Promise<T>;
}

/**
 * `lengthOf`: undefined if the value is not to be kept. When the lengths exceed `maxTotal` together, long values and those
 * that were used least recently are made again if they are needed (the algorithm GreedyDual-Size).
 */
export function createSizedCache<T>(maxTotal: number, lengthOf: (value: T) => number | undefined): SizedCache<T> {
  /** Of those with the same priority, the least recently used first. */
  const kept = new Map<string, Entry<T>>();
  let total = 0;
  let lastRemovedPriority = 0;
  function remove(key: string): void {
    total -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  }
  const priorityOf = (length: number): number => lastRemovedPriority + 1 / (1 + length);
  function lowestPriority(): [string, Entry<T>] | undefined {
    let lowest: [string, Entry<T>] | undefined;
    for (const each of kept) if (each[1].priority < (lowest?.[1].priority ?? Infinity)) lowest = each;
    return lowest;
  }
  function makeRoom(): void {
    for (let lowest; total > maxTotal && (lowest = lowestPriority()) !== undefined;) {
      lastRemovedPriority = lowest[1].priority;
      remove(lowest[0]);
    }
  }
  async function measure(key: string, entry: Entry<T>): Promise<void> {
    try {
      entry.value = await entry.made;
      const length = lengthOf(entry.value);
      if (length === undefined || length > maxTotal) return remove(key);
      entry.length = length;
      entry.priority = priorityOf(length);
      total += length;
      makeRoom();
    } catch {
      remove(key); // Those who wait for the value get the error.
    }
  }
  function start(key: string, make: () => Promise<T>): Entry<T> {
    const entry: Entry<T> = { made: make(), priority: Infinity };
    void measure(key, entry);
    return entry;
  }
  return {
    get(key, make, isUsable = () => true) {
      const { value } = kept.get(key) ?? {};
      if (value !== undefined && !isUsable(value)) remove(key);
      const entry = kept.get(key) ?? start(key, make);
      kept.delete(key);
      kept.set(key, entry);
      if (entry.length !== undefined) entry.priority = priorityOf(entry.length);
      return entry.made;
    },
  };
}
