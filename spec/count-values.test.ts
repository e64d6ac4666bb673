import { expect, test } from 'vitest';
import { countValues } from './count-values.ts';

test.each<[unknown, number]>([
  [undefined, 1],
  [null, 1],
  ['text', 1],
  [[], 1],
  [[1, [2, null]], 5],
  [{ a: { b: [1] }, c: undefined }, 5],
])('%j has %i', (json, count) => {
  expect(countValues(json)).toBe(count);
  expect(countValues(json, count)).toBe(count);
});

test.each([1, 2, 4])('counts no further than %i', (limit) => {
  expect(countValues([1, [2, null]], limit)).toBe(limit + 1);
});
