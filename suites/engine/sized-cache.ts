/** Keeps values of a limited total length, for one run. */

interface Entry<T> {
  readonly made: Promise<T>;
  /** 0 until the value is there. */
  length: number;
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
  const remove = (key: string): void => {
    total -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  };
  function start(key: string, make: () => Promise<T>): Entry<T> {
    const entry: Entry<T> = { made: measured(), length: 0 };
    async function measured(): Promise<T> {
      try {
        const value = await make();
        const length = lengthOf(value);
        if (length === undefined) remove(key);
        else total += entry.length = length;
        for (const oldest of kept.keys()) if (total > maxTotal) remove(oldest);
        return value;
      } catch (error) {
        remove(key);
        throw error;
      }
    }
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
