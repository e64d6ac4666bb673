/** Cuts two short texts into words and marks those that only one of them has, in order. */

export interface Word {
  readonly text: string;
  readonly differs: boolean;
}

/** Longer texts are not compared: the table grows with the product of both lengths. */
const MOST_WORDS = 400;

/** Words, blanks and single signs; put together they are the text. */
export const split = (text: string): string[] => text.match(/[\p{L}\p{N}_.:+-]+|\s+|./gsu) ?? [];

/** The words of both, the longest sequence that they share unmarked. */
export function compareWords(left: string, right: string): { left: Word[]; right: Word[] } {
  const [a, b] = [split(left), split(right)];
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) return { left: unmarked(left), right: unmarked(right) };
  const lengths = sharedLengths(a, b);
  const [shownA, shownB]: [Word[], Word[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [mine, other] = [a[i], b[j]];
    if (mine !== undefined && mine === other) {
      shownA.push({ text: mine, differs: false });
      shownB.push({ text: mine, differs: false });
      i += 1;
      j += 1;
    } else if (other === undefined || (mine !== undefined && at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      shownA.push(only(mine ?? ''));
      i += 1;
    } else {
      shownB.push(only(other));
      j += 1;
    }
  }
  return { left: joined(shownA), right: joined(shownB) };
}

/** Neighbours that are marked alike become one, with the blanks between them. */
function joined(words: readonly Word[]): Word[] {
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
const only = (text: string): Word => ({ text, differs: text.trim() !== '' });
const at = (lengths: readonly Uint16Array[], i: number, j: number): number => lengths[i]?.[j] ?? 0;

/** Of each pair of tails: how many words they share in order. */
function sharedLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i] as Uint16Array;
      row[j] = a[i] === b[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  return lengths;
}
