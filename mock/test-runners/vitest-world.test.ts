import { afterEach, expect, test, vi } from 'vitest';
import { startMock, type MockWorld } from '../start-mock.ts';
import { world } from './vitest-world.ts';

afterEach(() => vi.restoreAllMocks());

test.each([
  ['fail', 1],
  ['pass', 0],
])('after the state %s, %i texts with the requests and reasons are printed', async (state, count) => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  await using mock = await startMock();
  const task: { result?: { state: string } } = {};
  await world({ mock, worldOptions: {}, task }, async ({ addresses }: MockWorld) => {
    await fetch(`${addresses.management}/agents`);
    task.result = { state };
  });
  expect(printed).toHaveBeenCalledTimes(count);
  for (const [text] of printed.mock.calls)
    expect(text).toMatch(/^Requests to the mock:\nGET \/v0\/agents 401: \w.+\.$/);
});
