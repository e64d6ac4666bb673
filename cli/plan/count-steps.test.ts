import { expect, test } from 'vitest';
import { countSteps } from './count-steps.ts';

const request = (start: number) => ({ start, end: start + 20 });

test.each([
  ['no request', [], 0],
  ['requests one after the other, with a pause', [0, 25, 100], 3],
  ['requests at the same time', [0, 0, 1, 1], 1],
  ['two at the same time, twice', [0, 0, 30, 30], 2],
])('%s', (_, starts, steps) => {
  expect(countSteps(starts.map(request))).toBe(steps);
});
