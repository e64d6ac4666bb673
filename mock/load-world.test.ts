import { expect, test } from 'vitest';
import { startMock } from './start-mock.ts';

const worldOf = (plan: string) =>
  ({
    extends: 'default',
    accounts: [
      { id: 'acc-demo', displayName: 'Demo', plan },
      { id: 'acc-other', displayName: 'Other', plan: 'free' },
    ],
    deploy: { failures: [{ resource: 'agents/demo-agent', at: 'building', times: 1 }] },
  }) as const;

test('loadWorld replaces the initial world and what was recorded; a reset restores the new one', async () => {
  await using mock = await startMock({ world: worldOf('first'), clock: 'frozen', now: '2026-11-01T00:00:00Z' });
  const current = () => mock.world.accounts.get('acc-demo')?.plan;
  await fetch(mock.addresses.management);
  await mock.clock.advance('1h');
  await mock.loadWorld(worldOf('second'));
  expect([current(), await mock.requests(), await mock.clock.get()]).toEqual([
    'second',
    [],
    { now: '2026-11-01T00:00:00.000Z', mode: 'frozen' },
  ]);
  await mock.reset();
  expect(current()).toBe('second');
});

test('an invalid world is refused, and nothing changes', async () => {
  await using mock = await startMock({ world: worldOf('first') });
  const { world } = mock;
  await expect(mock.loadWorld({ extends: 'default', acounts: [] } as never)).rejects.toThrow(/acounts/);
  await expect(mock.loadWorld({ extends: 'default', credentials: [] })).rejects.toThrow(/"admin"/);
  await expect(mock.loadWorld('emty' as never)).rejects.toThrow(/or default, empty, failing-deployments, large/);
  expect(mock.world).toBe(world);
});

test('the limits of requests are those of the loaded world', async () => {
  await using mock = await startMock();
  await mock.loadWorld({ extends: 'default', limits: { incompleteBodyBytes: 1 } });
  const response = await fetch(`${mock.addresses.management}/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.target.credentials.apiKey.value}`, 'content-type': 'application/json' },
    body: '{"metadata":{"name":"a"}}',
  });
  expect(response.status).toBe(429);
});
