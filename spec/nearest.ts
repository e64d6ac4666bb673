/** Suggestions for a mistyped word: the most similar known words. */

// Not an edit distance (leven): that ranks ids with a missing or moved part, such as update:agents, behind unrelated ones.

/** Share of common letter pairs below which a word is not similar. */
const MIN_SIMILARITY = 0.5;
/** A word that is longer than a known one by more than this factor is no misspelling of it, and comparing takes time. */
const MAX_LENGTH_RATIO = 4;

/** The most similar words first, at most `max`; empty if none is similar. Case-insensitive. */
export function nearest(word: string, known: readonly string[], max = 3): string[] {
  const comparable = [...new Set(known)].filter((each) => word.length <= each.length * MAX_LENGTH_RATIO);
  if (comparable.length === 0) return [];
  const similarityOf = similarityTo(word);
  const near = comparable
    .map((each) => [each, similarityOf(each)] as const)
    .filter(([, share]) => share >= MIN_SIMILARITY);
  return near
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, max)
    .map(([each]) => each);
}

/** A sentence with a space before it: ` Did you mean "one" or "other"?` Empty if none is similar. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near.length === 0 ? '' : ` Did you mean ${near.map((each) => JSON.stringify(each)).join(' or ')}?`;
}

/** Adjacent letters. Comparing them tolerates missing and reordered parts. */
const pairsOf = (word: string): Set<string> => {
  const letters = word.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)));
};

/** Returns the share of pairs that two words have in common, from 0 to 1 (Sørensen–Dice); 1 if only the order of letters differs. */
function similarityTo(word: string): (other: string) => number {
  const [letters, pairs] = [sortedLetters(word), pairsOf(word)];
  return (other) => {
    if (letters !== '' && letters === sortedLetters(other)) return 1;
    const others = pairsOf(other);
    return (2 * pairs.intersection(others).size) / Math.max(1, pairs.size + others.size);
  };
}

const sortedLetters = (word: string): string => [...word.toLowerCase()].toSorted().join('');
