/** Wraps lines that are wider than the terminal; a pipe or a file gets whole lines. */
import { wrap } from './printable.ts';

export interface Terminal {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width of a line; omitted: 80. */
  readonly columns?: number;
}

/** What decides about the width of lines. */
export type Width = Pick<Terminal, 'isTTY' | 'columns'>;

const MAX_WIDTH = 80;
const MIN_WIDTH = 40;
/** A narrower column is hard to read. */
const MIN_COLUMN = 24;

/** The width of wrapped text: that of the terminal, but from 40 to 80 columns; 80 if there is no terminal. */
export const textWidth = ({ isTTY, columns }: Width): number =>
  isTTY === true ? Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns ?? MAX_WIDTH)) : MAX_WIDTH;

/** Breaks lines at spaces, and continues a row of a table in its last column. Commands stay whole, to be pasted. */
export function fitTerminal(text: string, { isTTY, columns = MAX_WIDTH }: Width): string {
  if (isTTY !== true) return text;
  const width = Math.max(MIN_WIDTH, columns);
  const fits = (line: string): boolean => line.length <= width || /\b(?:npx|curl|assay [a-z]+) /.test(line);
  return text
    .split('\n')
    .map((line) => (fits(line) ? line : foldLine(line, width)))
    .join('\n');
}

function foldLine(line: string, width: number): string {
  const column = columnStarts(line).findLast((start) => isReadable(line.slice(start), width - start));
  const start = column ?? line.search(/\S/);
  const head = line.slice(0, column ?? Math.min(start, width - MIN_COLUMN));
  const indent = column ?? head.length + 2;
  return head + wrap(line.slice(start), width, ' '.repeat(indent)).slice(indent);
}

/** Columns are separated by two or more spaces. */
const columnStarts = (line: string): number[] =>
  [...line.matchAll(/\S {2,}(?=\S)/g)].map(({ index, 0: gap }) => index + gap.length);

const isReadable = (text: string, room: number): boolean =>
  room >= MIN_COLUMN && text.split(' ').every((word) => word.length <= room);
