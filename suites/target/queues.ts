/** Lets calls wait for each other. */

/** Calls functions with the same key one after the other, those without one at once. */
export function createQueues() {
  const last = new Map<string, Promise<unknown>>();
  return <Result>(key: string | undefined, call: () => Promise<Result>): Promise<Result> => {
    if (key === undefined) return call();
    const result = (last.get(key) ?? Promise.resolve()).then(call);
    last.set(
      key,
      result.catch(() => {}),
    );
    return result;
  };
}
