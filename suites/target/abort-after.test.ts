import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { abortAfter } from './abort-after.ts';

test('aborts with a TimeoutError when the time is over', async () => {
  using deadline = abortAfter(1);
  await once(deadline.signal, 'abort');
  expect(deadline.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('aborts with the reason of another signal', () => {
  const other = new AbortController();
  using deadline = abortAfter(60_000, other.signal);
  other.abort('interrupted');
  expect(deadline.signal.reason).toBe('interrupted');
});

test('has no timer once it is disposed of', () => {
  vi.useFakeTimers();
  try {
    const deadline = abortAfter(60_000);
    expect(vi.getTimerCount()).toBe(1);
    deadline[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
