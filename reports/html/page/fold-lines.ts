/** Folds a long body to its first lines and the marked ones with their neighbors. */

/** A number of lines that are folded, or a line. */
export type FoldedLine<Line> = { readonly hidden: number } | { readonly line: Line };

/** Lines at the beginning that are always visible. */
const HEAD_LINES = 16;
/** Lines before and after a marked one. */
const CONTEXT_LINES = 3;
/** Fewer lines are not worth a fold. */
const MIN_FOLDED = 4;
/** Marked lines that stay visible. */
const MAX_MARKS = 20;

export function foldLines<Line extends { readonly isMarked: boolean }>(lines: readonly Line[]): FoldedLine<Line>[] {
  const marks = lines.flatMap(({ isMarked }, index) => (isMarked ? [index] : [])).slice(0, MAX_MARKS);
  const isVisible = (index: number): boolean =>
    index < HEAD_LINES || marks.some((mark) => Math.abs(mark - index) <= CONTEXT_LINES);
  const folded: FoldedLine<Line>[] = [];
  for (let index = 0; index < lines.length;) {
    const next = lines.findIndex((_, at) => at >= index && isVisible(at));
    const hidden = (next === -1 ? lines.length : next) - index;
    if (hidden >= MIN_FOLDED) folded.push({ hidden });
    const shown = hidden >= MIN_FOLDED ? [] : lines.slice(index, index + hidden);
    index += hidden;
    if (index < lines.length) shown.push(lines[index++] as Line);
    folded.push(...shown.map((line) => ({ line })));
  }
  return folded;
}
