/** Sorts the groups of a response. */
import type { GroupOrder } from './options.ts';
import { keyText, type GroupKey } from './groups.ts';
import { hashText } from './hash.ts';

interface Ordered {
  readonly key: GroupKey;
  /** Micro-dollars over the window. */
  readonly cost: number;
}

/** Expects groups sorted by name, ascending; the sort is stable. */
export function sortGroups<Group extends Ordered>(
  groups: readonly Group[],
  order: GroupOrder,
  seed: number,
): readonly Group[] {
  switch (order) {
    case 'by names, ascending':
      return groups;
    case 'by names, descending':
      return groups.toReversed();
    case 'by cost, dearest first':
      return groups.toSorted((a, b) => b.cost - a.cost);
    case 'by cost, cheapest first':
      return groups.toSorted((a, b) => a.cost - b.cost);
    case 'none of names or cost':
      return groups.toSorted((a, b) => hashText(seed, keyText(a.key)) - hashText(seed, keyText(b.key)));
  }
}
