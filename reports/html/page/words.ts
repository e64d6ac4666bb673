/** A word diff of two short texts: splits them into words and marks those that differ. */

export interface Word {
  readonly text: string;
  readonly differs: boolean;
}

/** Longer texts are not compared, because the table grows with the product of both lengths. */
const MAX_WORDS = 400;

/** Words, whitespace and single other characters; joined, they equal the text. */
export const split = (text: string): string[] => text.match(/[\p{L}\p{N}_.:+-]+|\s+|./gsu) ?? [];

/** The words of both texts; the longest common subsequence is unmarked. */
export function diffWords(left: string, right: string): { left: Word[]; right: Word[] } {
  const [a, b] = [split(left), split(right)];
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) return { left: unmarked(left), right: unmarked(right) };
  const lengths = sharedLengths(a, b);
  const [markedA, markedB]: [Word[], Word[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [mine, other] = [a[i], b[j]];
    if (mine !== undefined && mine === other) {
      markedA.push({ text: mine, differs: false });
      markedB.push({ text: mine, differs: false });
      i += 1;
      j += 1;
    } else if (other === undefined || (mine !== undefined && at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      markedA.push(differing(mine ?? ''));
      i += 1;
    } else {
      markedB.push(differing(other));
      j += 1;
    }
  }
  return { left: mergeNeighbors(markedA), right: mergeNeighbors(markedB) };
}

/** Merges adjacent words with the same mark, including the whitespace between them. */
function mergeNeighbors(words: readonly Word[]): Word[] {
  const [first, ...rest] = words.map((word, index) => {
    const isBetween =
      word.text.trim() === '' && words[index - 1]?.differs === true && words[index + 1]?.differs === true;
    return isBetween ? { ...word, differs: true } : word;
  });
  return rest.reduce<Word[]>(
    (all, { text, differs }) => {
      const last = all.at(-1) as Word;
      return last.differs === differs
        ? [...all.slice(0, -1), { text: last.text + text, differs }]
        : [...all, { text, differs }];
    },
    first === undefined ? [] : [first],
  );
}

const unmarked = (text: string): Word[] => [{ text, differs: false }];
const differing = (text: string): Word => ({ text, differs: text.trim() !== '' });
const at = (lengths: readonly Uint16Array[], i: number, j: number): number => lengths[i]?.[j] ?? 0;

/** The length of the longest common subsequence for each pair of tails. */
function sharedLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i] as Uint16Array;
      row[j] = a[i] === b[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  return lengths;
}
