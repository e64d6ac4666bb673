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
])('%j in %j leaves %j', (sent, returned, left) => {
  expect(unmatched(sent, returned, hasAll)).toEqual(left);
});

test('thousands of equal elements are matched in a moment', () => {
  const elements = Array.from({ length: 5000 }, () => 'a');
  expect(unmatched(elements, [...elements, 'b'], hasAll)).toEqual(['b']);
});
