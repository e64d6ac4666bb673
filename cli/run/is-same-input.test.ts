import { expect, test } from 'vitest';
import { isSameInput } from './is-same-input.ts';

test('inputs are the same apart from names that runs create', () => {
  const input = (name: string) => ({ size: 7, body: { name } });
  expect(isSameInput(input('assay-tp0kx-1a-1'), input('assay-tq9zz-1a-2'))).toBe(true);
  expect(isSameInput(input('assay-tp0kx-1a-1'), input('demo'))).toBe(false);
  expect(isSameInput({ size: 7 }, { size: 8 })).toBe(false);
});

test('steps after the one that failed do not count', () => {
  expect(isSameInput({ steps: [1, 2] }, { steps: [1, 2, 3] })).toBe(true);
  expect(isSameInput({ steps: [1, 2] }, { steps: [1, 3, 2] })).toBe(false);
});
