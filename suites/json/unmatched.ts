/**
 * The returned elements that remain if each sent one gets another that it matches, as many as possible: one with few members matches
 * several, and may have to give way (maximum matching by augmenting paths).
 */
export function unmatched(
  sent: readonly unknown[],
  returned: readonly unknown[],
  matches: (sent: unknown, returned: unknown) => boolean,
): unknown[] {
  /** Positions of sent elements, by the position of the returned element that they have. */
  const takenBy = new Map<number, number>();
  const ownOf = new Map<number, number>();
  /** From which no free element can be reached, now or later. */
  const deadEnds = new Set<number>();
  const freeFor = (at: number): number =>
    returned.findIndex((each, index) => !takenBy.has(index) && matches(sent[at], each));

  /** Gives the sent element at `start` a free one, if others can give way, each for another that it matches. */
  function assign(start: number): void {
    /** Who would take what others have, by the position of the latter. */
    const wantedBy = new Map<number, number>();
    const waiting = [start];
    for (const at of waiting) {
      const free = freeFor(at);
      if (free !== -1) return giveWay(at, free, wantedBy);
      for (const [index, each] of returned.entries()) {
        if (wantedBy.has(index) || deadEnds.has(index) || !matches(sent[at], each)) continue;
        wantedBy.set(index, at);
        waiting.push(takenBy.get(index)!);
      }
    }
    for (const index of wantedBy.keys()) deadEnds.add(index);
  }
  function giveWay(last: number, free: number, wantedBy: ReadonlyMap<number, number>): void {
    let [at, own] = [last, free];
    for (;;) {
      const before = ownOf.get(at);
      takenBy.set(own, at);
      ownOf.set(at, own);
      if (before === undefined) return;
      own = before;
      at = wantedBy.get(own)!;
    }
  }
  for (const at of sent.keys()) assign(at);
  return returned.filter((_, index) => !takenBy.has(index));
}
