import { expect, test } from 'vitest';
import { forEach, scaleRuns } from './for-all.ts';
import type { ForEachOptions } from './for-all.ts';

test.each([
  { runs: 100, inputs: 60 },
  { runs: 1000, inputs: 600 },
  { runs: 5, inputs: 3 },
  { runs: 1, inputs: 1 },
])('scales $runs inputs by 60 % to $inputs', ({ runs, inputs }) => {
  expect(scaleRuns({ runs }, 60)).toBe(inputs);
});

test.each<[ForEachOptions, number]>([
  [{}, 1],
  [{ sequential: true }, 1],
  [{ sequential: false }, 8],
  [{ concurrency: 4 }, 4],
  [{ concurrency: 16 }, 8],
])('a property of a rule that writes with %j tests %d inputs at the same time', async (options, max) => {
  const run = { seed: 1, runs: 24, number: 1, concurrency: 1, maxConcurrency: 8 };
  let running = 0;
  let most = 0;
  const property = async () => {
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 2));
    running -= 1;
    return [];
  };
  await forEach(run, Array.from({ length: 20 }), property, options);
  expect(most).toBe(max);
});
