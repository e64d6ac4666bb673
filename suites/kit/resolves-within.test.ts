import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { resolvesWithin } from './resolves-within.ts';

test('says whether a promise resolves in time', async () => {
  expect(await resolvesWithin(Promise.resolve(undefined), 60)).toBe(true);
  expect(await resolvesWithin(new Promise(() => {}), 0.01)).toBe(false);
});

test('rejects if the promise rejects in time, and ignores it later', async () => {
  await expect(resolvesWithin(Promise.reject(new Error('refused')), 60)).rejects.toThrow('refused');
  const { promise: late, reject } = Promise.withResolvers<void>();
  expect(await resolvesWithin(late, 0.001)).toBe(false);
  reject(new Error('late'));
  await wait(10); // An unhandled rejection would fail the test.
});

test('keeps no timer', async () => {
  vi.useFakeTimers();
  try {
    await resolvesWithin(Promise.resolve(), 60);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
