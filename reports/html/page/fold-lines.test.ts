import { expect, test } from 'vitest';
import { foldLines } from './fold-lines.ts';

const linesOf = (length: number, marks: readonly number[] = []) =>
  Array.from({ length }, (_, number) => ({ number, isMarked: marks.includes(number) }));

const summary = (length: number, marks?: readonly number[]) =>
  foldLines(linesOf(length, marks)).map((part) => ('hidden' in part ? `+${part.hidden}` : part.line.number));

const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test.each([
  [0, [], []],
  [16, [], from(0, 15)],
  [19, [], from(0, 18)],
  [20, [], [...from(0, 15), '+4']],
  [100, [50], [...from(0, 15), '+31', ...from(47, 53), '+46']],
  [100, [18], [...from(0, 21), '+78']],
  [100, [22], [...from(0, 25), '+74']],
  [100, [99], [...from(0, 15), '+80', ...from(96, 99)]],
  [100, [40, 44], [...from(0, 15), '+21', ...from(37, 47), '+52']],
])('%d lines with marks %j', (length, marks, expected) => {
  expect(summary(length, marks)).toEqual(expected);
});

test('no line is lost', () => {
  const parts = foldLines(linesOf(500, [3, 77, 200, 201, 499]));
  expect(parts.reduce((sum, part) => sum + ('hidden' in part ? part.hidden : 1), 0)).toBe(500);
});
