import { expect, test } from 'vitest';
import { scaleRuns } from './for-all.ts';

test.each([
  { runs: 100, inputs: 60 },
  { runs: 1000, inputs: 600 },
  { runs: 5, inputs: 3 },
  { runs: 1, inputs: 1 },
])('scales $runs inputs by 60 % to $inputs', ({ runs, inputs }) => {
  expect(scaleRuns({ runs }, 60)).toBe(inputs);
});
