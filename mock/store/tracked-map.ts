/** Notices which entries of a map change. */

/** Calls `onChange` with the key after each set and delete, instead of an earlier `onChange`. The map itself stays; clear must not be called. */
export function trackMap<Key, Value>(map: Map<Key, Value>, onChange: (key: Key, value?: Value) => void): void {
  const set = (key: Key, value: Value) => {
    Map.prototype.set.call(map, key, value);
    onChange(key, value);
    return map;
  };
  const remove = (key: Key) => {
    const existed = Map.prototype.delete.call(map, key);
    if (existed) onChange(key);
    return existed;
  };
  Object.defineProperties(map, {
    set: { value: set, configurable: true },
    delete: { value: remove, configurable: true },
  });
}
