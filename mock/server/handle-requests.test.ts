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

test('simultaneous requests get their own responses, and so does a later one', async () => {
  await using mock = await startMock();
  const headers = { authorization: `Bearer ${mock.target.credentials.apiKey.value}` };
  const messageOf = async (name: string) => {
    const response = await fetch(`${mock.addresses.management}/agents/${name}`, { headers });
    return ((await response.json()) as { message: string }).message;
  };
  const names = Array.from({ length: 50 }, (_, index) => `missing-${index}`);
  expect(await Promise.all(names.map(messageOf))).toEqual(names.map((name) => `Agent "${name}" does not exist.`));
  expect(await messageOf('later')).toBe('Agent "later" does not exist.');
});
