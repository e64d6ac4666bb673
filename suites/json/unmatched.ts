/**
 * The returned elements that remain if each sent one gets another that it matches, as many as possible: one with few members matches
 * several, and may have to give way (maximum matching by augmenting paths).
 */
export function unmatched(
  sent: readonly unknown[],
  returned: readonly unknown[],
  matches: (sent: unknown, returned: unknown) => boolean,
): unknown[] {
  const takenBy = new Map<number, number>();
  const isFree = (index: number): boolean => !takenBy.has(index);
  function assign(at: number, tried: Set<number>): boolean {
    const free = returned.findIndex((each, index) => isFree(index) && matches(sent[at], each));
    if (free !== -1) {
      takenBy.set(free, at);
      return true;
    }
    return returned.some((each, index) => {
      if (tried.has(index) || isFree(index) || !matches(sent[at], each)) return false;
      tried.add(index);
      if (!assign(takenBy.get(index)!, tried)) return false;
      takenBy.set(index, at);
      return true;
    });
  }
  for (const at of sent.keys()) assign(at, new Set());
  return returned.filter((_, index) => isFree(index));
}
