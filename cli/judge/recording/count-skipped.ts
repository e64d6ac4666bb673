/** Counts skipped entries by reason. */
export function countSkipped(): { readonly counts: ReadonlyMap<string, number>; add(reason: string): void } {
  const counts = new Map<string, number>();
  return { counts, add: (reason) => void counts.set(reason, (counts.get(reason) ?? 0) + 1) };
}
