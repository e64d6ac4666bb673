import { expect, test } from 'vitest';
import type { BillingDimension } from '../../../spec/generated/types.ts';
import type { LifecyclesFile } from '../../../spec/formats/world-lifecycles.ts';
import { startMock } from '../../start-mock.ts';
import { callManagement } from '../../testing/control-client.ts';

const MINUTE = 60;

async function mockWith(lifecycles: LifecyclesFile) {
  const world = { extends: 'default', sandboxes: { sleepAfter: '15m', wakeUp: '2s' }, ...lifecycles } as const;
  const mock = await startMock({ now: Date.parse('2026-11-01T00:00:00Z'), clock: 'frozen', world });
  const token = mock.target.credentials.admin.value;
  const manage = async (method: string, path: string, body?: object): Promise<ReturnType<typeof JSON.parse>> =>
    (await callManagement(mock.addresses.host, token, method, path, body)).body;
  const url = `${mock.addresses.host}/sandbox/demo/demo-box/filesystem/tree/app`;
  const window = 'startTime=2026-11-01T00:00:00Z&endTime=2026-11-02T00:00:00Z&groupBy=billing_dimension';
  return {
    manage,
    advance: (duration: string) => mock.clock.advance(duration),
    set: (now: string) => mock.clock.set(now),
    async waiting(count: number): Promise<void> {
      await expect.poll(() => mock.world.timers.count()).toBe(count);
    },
    /** Resolves to how long the request waited. */
    read: async () =>
      (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).headers.get('x-mock-wake-up'),
    update: (memory: number) =>
      manage('PUT', '/sandboxes/demo-box', { metadata: { name: 'demo-box' }, spec: { runtime: { memory } } }),
    /** A request to the sandbox, which sleeps. Resolves to how long it waited. */
    async wakeUp(address = url): Promise<string | null> {
      const response = fetch(address, { headers: { authorization: `Bearer ${token}` } });
      await expect.poll(() => mock.world.timers.count()).toBeGreaterThan(0);
      await mock.clock.advance('2s');
      return (await response).headers.get('x-mock-wake-up');
    },
    /** Gigabyte-seconds of the first day. */
    async usage(dimension: BillingDimension): Promise<number> {
      const { data } = await manage('GET', `/accounts/acc-demo/metrics?${window}&resourceName=demo-box`);
      const entries = data as { billingDimension: string; summary: { usage: number } }[];
      return entries.find((each) => each.billingDimension === dimension)?.summary.usage ?? 0;
    },
    compute(): Promise<number> {
      return this.usage('sandbox_compute_runtime_gbs');
    },
    [Symbol.asyncDispose]: () => mock.close(),
  };
}

test('after an update that fails, a sandbox sleeps as if there had been none', async () => {
  await using mock = await mockWith({ deploy: { failures: [{ resource: 'sandboxes/demo-box', at: 'building' }] } });
  await mock.wakeUp();
  await mock.advance('5m');
  await mock.update(1024);
  await mock.advance('10h');
  const billed = await mock.compute();
  await mock.advance('1h');
  expect(await mock.compute()).toBe(billed);
});

test('an update that fails does not change the memory that a sandbox is billed for when it sleeps and wakes up', async () => {
  const bill = async (updated: boolean) => {
    await using mock = await mockWith({ deploy: { failures: [{ resource: 'sandboxes/demo-box', at: 'building' }] } });
    await mock.wakeUp();
    await mock.advance('5m');
    if (updated) await mock.update(8192);
    await mock.advance('1h');
    await mock.wakeUp();
    await mock.advance('1h');
    return [await mock.compute(), await mock.usage('sandbox_snapshot_storage_gbs')];
  };
  expect(await bill(true)).toEqual(await bill(false));
});

test('a request to a sleeping sandbox wakes it up while an update is deployed, which then applies', async () => {
  await using mock = await mockWith({});
  await mock.update(1024);
  await mock.advance('1h');
  const before = await mock.compute();
  await mock.update(4096);
  expect(await mock.wakeUp()).toBe('2000ms');
  await mock.advance('1h');
  expect(Math.abs((await mock.compute()) - before - 4 * 15 * MINUTE)).toBeLessThan(10);
});

test('a request to a preview wakes up its sandbox', async () => {
  await using mock = await mockWith({});
  const { spec } = await mock.manage('POST', '/sandboxes/demo-box/previews', {
    metadata: { name: 'open' },
    spec: { public: true },
  });
  expect(await mock.wakeUp(spec.url)).toBe('2000ms');
});

test('a request that arrives while a sandbox wakes up waits for the rest of it', async () => {
  await using mock = await mockWith({});
  const first = mock.read();
  await mock.waiting(1);
  await mock.advance('1500ms');
  const second = mock.read();
  await mock.waiting(2);
  await mock.advance('500ms');
  expect(await Promise.all([first, second])).toEqual(['2000ms', '500ms']);
  expect(await mock.read()).toBe(null);
});

test('a clock that is set back is not waited for', async () => {
  await using mock = await mockWith({});
  await mock.wakeUp();
  await mock.advance('10m');
  await mock.read();
  await mock.set('2026-11-01T00:05:00Z');
  expect(await mock.read()).toBe(null);
});
