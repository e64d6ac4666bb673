import { expect, test } from 'vitest';
import { groupByCount } from './group-by-count.ts';

test('the largest groups are first, and groups of equal size are sorted by their text', () => {
  const things = ['d', 'b', 'a', 'c', 'c', 'a', 'c'];
  expect(groupByCount(things, (text) => text).map(([text, { length }]) => [text, length])).toEqual([
    ['c', 3],
    ['a', 2],
    ['b', 1],
    ['d', 1],
  ]);
});
