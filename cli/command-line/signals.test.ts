import { expect, test } from 'vitest';
import { signalCounter } from './signals.ts';

test('signals within a second of the one that counted are copies of it', () => {
  let now = 0;
  const count = signalCounter(() => now);
  const counted = [0, 1, 999, 1000, 1500, 1999, 60_000].map((at) => {
    now = at;
    return count();
  });
  expect(counted).toEqual([1, undefined, undefined, 2, undefined, undefined, 3]);
});
