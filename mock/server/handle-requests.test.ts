import { afterEach, expect, test, vi } from 'vitest';
import { startMock } from '../start-mock.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a mock in the process of a test responds while its timers are fake', async () => {
  await using mock = await startMock();
  vi.useFakeTimers();
  const { status } = await fetch(`${mock.addresses.host}/_mock/health`);
  expect(status).toBe(200);
});
