import { getEventListeners, once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { abortAfter } from './abort-after.ts';

const never = new AbortController().signal;

test('aborts with a TimeoutError when the time is over', async () => {
  using deadline = abortAfter(1, never);
  await once(deadline.signal, 'abort');
  expect(deadline.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('aborts with the reason of the other signal, also if that has aborted before', () => {
  const other = new AbortController();
  using before = abortAfter(60_000, other.signal);
  other.abort('interrupted');
  using after = abortAfter(60_000, other.signal);
  expect([before.signal.reason, after.signal.reason]).toEqual(['interrupted', 'interrupted']);
});

test('keeps no timer and no listener once it is disposed of', () => {
  vi.useFakeTimers();
  try {
    const deadline = abortAfter(60_000, never);
    expect([vi.getTimerCount(), getEventListeners(never, 'abort').length]).toEqual([1, 1]);
    deadline[Symbol.dispose]();
    expect([vi.getTimerCount(), getEventListeners(never, 'abort').length]).toEqual([0, 0]);
  } finally {
    vi.useRealTimers();
  }
});
