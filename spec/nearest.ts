/** Which of the known words come near to one that is none of them: what stands in a refusal for whoever mistyped. */

/** Fewer letters in common than these, as a share, and a word is another one. */
const LEAST_LIKENESS = 0.5;

/** The nearest first, at most as many as `most`; none where nothing comes near. Letter case does not count. */
export function nearest(word: string, known: readonly string[], most = 3): string[] {
  const pairs = pairsOf(word);
  const likeness = new Map(known.map((each) => [each, likenessOf(pairs, pairsOf(each))]));
  const near = [...likeness].filter(([, share]) => share >= LEAST_LIKENESS);
  return near
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([each]) => each);
}

/** Letters that stand beside each other: parts may be left out or stand in another order. */
const pairsOf = (word: string): Set<string> => {
  const letters = word.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)));
};

/** The share of pairs that both have, from 0 to 1. */
const likenessOf = (one: Set<string>, other: Set<string>): number =>
  (2 * one.intersection(other).size) / Math.max(1, one.size + other.size);
