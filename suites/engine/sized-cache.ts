/** Keeps values of a limited total length, for one run. */

interface Entry<T> {
  readonly made: Promise<T>;
  /** Undefined until the value is there. */
  length?: number;
}

export interface SizedCache<T> {
  /** The kept value, otherwise what `make` returns. Calls `make` once for requests at the same time. Errors are not kept. */
  get(key: string, make: () => Promise<T>): Promise<T>;
}

/**
 * `lengthOf`: undefined if the value is not to be kept. When the lengths exceed `maxTotal` together, those that were used
 * least recently are made again if they are needed.
 */
export function createSizedCache<T>(maxTotal: number, lengthOf: (value: T) => number | undefined): SizedCache<T> {
  /** The least recently used first. */
  const kept = new Map<string, Entry<T>>();
  let total = 0;
  function remove(key: string): void {
    total -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  }
  function removeOldest(): void {
    for (const [key, { length }] of kept) if (total > maxTotal && length !== undefined) remove(key);
  }
  async function measure(key: string, entry: Entry<T>): Promise<void> {
    try {
      const length = lengthOf(await entry.made);
      if (length === undefined || length > maxTotal) return remove(key);
      total += entry.length = length;
      removeOldest();
    } catch {
      remove(key); // Those who wait for the value get the error.
    }
  }
  function start(key: string, make: () => Promise<T>): Entry<T> {
    const entry: Entry<T> = { made: make() };
    void measure(key, entry);
    return entry;
  }
  return {
    get(key, make) {
      const entry = kept.get(key) ?? start(key, make);
      kept.delete(key);
      kept.set(key, entry);
      return entry.made;
    },
  };
}
