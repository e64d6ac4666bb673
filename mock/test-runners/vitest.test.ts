// oxlint-disable vitest/no-standalone-expect -- the linter does not know that `test` is that of vitest
import { expect } from 'vitest';
import { test } from './vitest.ts';
import type { MockWorld, RunningMock } from '../start-mock.ts';

const seen = new Map<string, { mock: RunningMock; world: MockWorld }>();

async function countAgents({ addresses, target }: Pick<MockWorld, 'addresses' | 'target'>): Promise<number> {
  const response = await fetch(`${addresses.management}/agents`, {
    headers: { authorization: `Bearer ${target.credentials.apiKey.value}` },
  });
  return ((await response.json()) as unknown[]).length;
}

test.describe('without options', () => {
  test('a test changes its world', async ({ mock, world }) => {
    seen.set('first', { mock, world });
    await world.faults.set([{ operation: 'listAgents', status: 503 }]);
    await world.clock.set('2030-01-01T00:00:00Z');
    const response = await fetch(`${world.addresses.management}/agents`);
    expect(response.status).toBe(503);
    await world.verify({ requests: [{ operation: 'listAgents', times: 1 }] });
  });

  test('the next test of the file has the same mock and another world', async ({ mock, world }) => {
    const { first } = Object.fromEntries(seen);
    expect(mock).toBe(first?.mock);
    expect(world.id).not.toBe(undefined);
    expect(world).not.toBe(first?.world);
    expect((await world.faults.get()).rules).toEqual([]);
    expect(await world.requests()).toEqual([]);
    expect((await world.clock.get()).now < '2030').toBe(true);
    expect(await countAgents(world)).toBeGreaterThan(0);
  });

  test('the world of a test is closed after it', async ({ mock }) => {
    const { first } = Object.fromEntries(seen);
    await mock.newWorld({ id: first?.world.id ?? '' }); // Rejects if the id is taken.
  });
});

test.describe('with options of the world', () => {
  test.override({
    worldOptions: {
      seed: 9,
      now: '2026-11-01T00:00:00Z',
      clock: 'frozen',
      world: { extends: 'default', resources: [] },
    },
  });

  test('the world has them', async ({ world }) => {
    expect(await world.clock.get()).toEqual({ now: '2026-11-01T00:00:00.000Z', mode: 'frozen' });
  });

  test('the mock does not', async ({ mock }) => {
    expect((await mock.clock.get()).mode).toBe('running');
  });
});
