import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { resolvesWithin } from './resolves-within.ts';

test('says whether a promise resolves in time', async () => {
  expect(await resolvesWithin(Promise.resolve(undefined), 60)).toBe(true);
  expect(await resolvesWithin(new Promise(() => {}), 0.01)).toBe(false);
});

test('rejects if the promise rejects in time, and ignores it later', async () => {
  await expect(resolvesWithin(Promise.reject(new Error('refused')), 60)).rejects.toThrow('refused');
  const late = wait(20).then(() => {
    throw new Error('late');
  });
  expect(await resolvesWithin(late, 0.001)).toBe(false);
  await expect(late).rejects.toThrow('late');
});
