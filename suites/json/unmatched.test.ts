import { expect, test } from 'vitest';
import { unmatched } from './unmatched.ts';

/** Whether one has all letters of the other. */
const hasAll = (sent: unknown, returned: unknown): boolean =>
  [...String(sent)].every((letter) => String(returned).includes(letter));

test.each<[string[], string[], string[]]>([
  [['a', 'b'], ['b', 'a'], []],
  [['', 'b'], ['b', 'a'], []],
  [['', '', 'a', 'ab'], ['ab', 'a', 'b', 'c'], []],
  [['', 'b'], ['b', 'c', 'b'], ['c']],
  [['a', 'a'], ['a', 'b'], ['b']],
  [['a'], [], []],
  [['', 'a', 'b', 'ab'], ['ab', 'abc', 'b', 'c'], []],
  [['ab', 'ab', '', 'b'], ['ab', 'c', 'b'], []],
])('%j in %j leaves %j', (sent, returned, left) => {
  expect(unmatched(sent, returned, hasAll)).toEqual(left);
});

const many = (length: number): string[] => Array.from({ length }, () => 'a');

test.each<[number, string[], string[]]>([
  [5000, [...many(5000), 'b'], ['b']],
  [5001, [...many(5000), 'b'], ['b']],
  [5000, [...many(2500), 'b'], ['b']],
])('%d equal elements are compared a few times each', (length, returned, left) => {
  let count = 0;
  const counted = (sent: unknown, other: unknown): boolean => {
    count += 1;
    return hasAll(sent, other);
  };
  expect(unmatched(many(length), returned, counted)).toEqual(left);
  expect(count).toBeLessThan(4 * length);
});
