/** Groups things by a text, the largest groups first, and groups of equal size by text. */
export function groupByCount<Thing>(things: readonly Thing[], textOf: (thing: Thing) => string): [string, Thing[]][] {
  return [...Map.groupBy(things, textOf)].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1));
}
