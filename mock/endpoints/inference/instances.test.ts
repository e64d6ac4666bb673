import { afterEach, expect, test } from 'vitest';
import { defaultWorld } from '../../../fixtures/worlds/default.ts';
import type { ReplyFile } from '../../../spec/formats/world-file.ts';
import type { LifecyclesFile } from '../../../spec/formats/world-lifecycles.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { callControl, callManagement } from '../../testing/control-client.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
let mock: RunningMock;
afterEach(() => mock.close());

async function start(options: LifecyclesFile & { readonly replies?: ReplyFile[] }, spec: object = {}): Promise<void> {
  mock = await startMock({ now: NOW, clock: 'frozen', world: { ...defaultWorld(1, NOW), ...options } });
  await update(spec);
  await advance(1000);
}

const advance = (advanceMs: number) => callControl(mock.addresses.host, 'PUT', '/clock', { advanceMs });
const token = () => mock.target.credentials.apiKey.value;
const update = (spec: object) =>
  callManagement(mock.addresses.host, token(), 'PUT', '/agents/demo-agent', { metadata: { name: 'demo-agent' }, spec });
const ask = (headers: object = {}, signal?: AbortSignal) =>
  fetch(`${mock.addresses.inference}/demo/agents/demo-agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json', ...headers },
    body: '{"inputs":"hello"}',
    ...(signal && { signal }),
  });
const waiting = async () => {
  await expect.poll(() => mock.world.timers.count()).toBeGreaterThan(0);
};
const revisions = async () => {
  const { body } = await callManagement(mock.addresses.host, token(), 'GET', '/agents/demo-agent');
  return [...new Set((body as { events: { revision: string }[] }).events.map(({ revision }) => revision))];
};

test('the first request after a pause has a cold start, the next one does not', async () => {
  await start({ instances: { coldStart: '3s', idleAfter: '1m' } });
  const timed = async () => {
    const response = ask();
    await waiting();
    await advance(3000);
    return (await response).headers.get('x-mock-cold-start');
  };
  expect(await timed()).toBe('3000ms');
  expect((await ask()).headers.get('x-mock-cold-start')).toBe(null);
  await advance(60_001);
  expect(await timed()).toBe('3000ms');
});

test('a cold start depends on minScale of the revision that responds', async () => {
  await start({ instances: { coldStart: '3s', idleAfter: '1m' } }, { runtime: { minScale: 1 } });
  const [cold = '', warm = ''] = (await revisions()).slice(-2);
  await update({ runtime: { minScale: 1 }, revision: { active: warm, canary: cold, canaryPercent: 50 } });
  const coldStarts = new Set<string>();
  for (let nth = 0; nth < 20; nth++) {
    await advance(60_001);
    let hasEnded = false;
    const pending = ask().finally(() => {
      hasEnded = true;
    });
    await expect.poll(() => hasEnded || mock.world.timers.count() > 0).toBe(true);
    await advance(3000);
    const { headers } = await pending;
    coldStarts.add(`${headers.get('x-mock-revision')} ${headers.get('x-mock-cold-start')}`);
  }
  expect([...coldStarts].toSorted()).toEqual([`${cold} 3000ms`, `${warm} null`].toSorted());
});

test('requests that arrive while an instance starts have a cold start of their own, up to maxScale', async () => {
  await start({ instances: { coldStart: '3s' } }, { runtime: { maxScale: 2 } });
  const pending = [ask(), ask(), ask()];
  await expect.poll(() => mock.world.timers.count()).toBe(2);
  await advance(3000);
  const coldStarts = (await Promise.all(pending)).map(({ headers }) => headers.get('x-mock-cold-start'));
  expect(coldStarts.filter((each) => each === '3000ms')).toHaveLength(2);
  expect((await ask()).headers.get('x-mock-cold-start')).toBe(null);
});

test('a client that leaves during the start does not shorten it', async () => {
  await start({ instances: { coldStart: '10s' } });
  const leaving = new AbortController();
  const left = ask({}, leaving.signal).catch((error: Error) => error.name);
  await waiting();
  await advance(1000);
  leaving.abort();
  expect(await left).toBe('AbortError');
  await expect.poll(() => mock.world.timers.count()).toBe(0);
  const next = ask();
  await waiting();
  await advance(10_000);
  expect((await next).headers.get('x-mock-cold-start')).toBe('10000ms');
});

test('a request during an update has no cold start', async () => {
  await start({ instances: { coldStart: '3s' } });
  const first = ask();
  await waiting();
  await advance(3000);
  await first;
  await update({});
  expect((await ask()).headers.get('x-mock-cold-start')).toBe(null);
});

test('an agent with warm instances has no cold start', async () => {
  await start({ instances: { coldStart: '3s' } }, { runtime: { minScale: 1 } });
  expect((await ask()).headers.get('x-mock-cold-start')).toBe(null);
});

test('minScale and maxScale are those of the active revision', async () => {
  const instances = { coldStart: '3s', excess: 'refuse' } as const;
  await start({ instances, replies: [{ delayMs: 1000 }] }, { runtime: { minScale: 1, maxScale: 1 } });
  const [active] = (await revisions()).slice(-1);
  await update({ runtime: { minScale: 0, maxScale: 5 }, revision: { active } });
  await advance(1000);
  const first = ask();
  await waiting();
  const refused = await ask();
  expect(await refused.json()).toMatchObject({ message: 'Agent "demo-agent" has no free instance (maxScale is 1).' });
  await advance(1000);
  expect((await first).headers.get('x-mock-cold-start')).toBe(null);
  expect((await first).headers.get('x-mock-revision')).toBe(active);
});

test('a request that exceeds maxScale waits for another one to end', async () => {
  await start({ replies: [{ delayMs: 1000, times: 1 }] }, { runtime: { maxScale: 1 } });
  const order: string[] = [];
  const slow = ask().then(() => order.push('slow'));
  await waiting();
  const queued = ask().then(() => order.push('queued'));
  await expect
    .poll(() => callControl(mock.addresses.host, 'GET', '/requests'))
    .toMatchObject({ body: { received: 3 } });
  await advance(1000);
  await Promise.all([slow, queued]);
  expect(order).toEqual(['slow', 'queued']);
});

/** One request that is handled and one that waits for it. */
async function twoRequests(delayMs = 1000) {
  await start({ replies: [{ delayMs, times: 1 }] }, { runtime: { maxScale: 1 } });
  return askTwice(3);
}

/** `received`: how many requests of the test the mock has received then. */
async function askTwice(received: number) {
  const slow = ask();
  await waiting();
  const queued = ask();
  await expect.poll(() => callControl(mock.addresses.host, 'GET', '/requests')).toMatchObject({ body: { received } });
  return { slow, queued };
}

test('a waiting request is handled when a higher maxScale is deployed', async () => {
  const { slow, queued } = await twoRequests(5000);
  await update({ runtime: { maxScale: 2 } });
  await advance(1000);
  expect((await queued).status).toBe(200);
  await advance(4000);
  expect((await slow).status).toBe(200);
});

test('a waiting request is handled as soon as a revision with a higher maxScale is active', async () => {
  await start({ replies: [{ delayMs: 5000, times: 1 }] }, { runtime: { maxScale: 2 } });
  const [active] = (await revisions()).slice(-1);
  await update({ runtime: { maxScale: 1 } });
  await advance(1000);
  const { slow, queued } = await askTwice(5);
  await update({ runtime: { maxScale: 1 }, revision: { active } });
  expect((await queued).headers.get('x-mock-revision')).toBe(active);
  await advance(5000);
  expect((await slow).status).toBe(200);
});

test('a waiting request gets 404 when the agent is deleted', async () => {
  const { slow, queued } = await twoRequests();
  await callManagement(mock.addresses.host, token(), 'DELETE', '/agents/demo-agent');
  expect((await queued).status).toBe(404);
  await advance(1000);
  expect((await slow).status).toBe(200);
});

test('a world can refuse the excess with 429', async () => {
  await start({ replies: [{ delayMs: 1000 }], instances: { excess: 'refuse' } }, { runtime: { maxScale: 1 } });
  const slow = ask();
  await waiting();
  const refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  await advance(1000);
  expect((await slow).status).toBe(200);
});

test('a client that disconnects while it waits leaves the queue', async () => {
  await start({ replies: [{ delayMs: 1000, times: 1 }] }, { runtime: { maxScale: 1 } });
  const slow = ask();
  await waiting();
  const leaving = new AbortController();
  const left = ask({}, leaving.signal);
  await expect
    .poll(() => callControl(mock.addresses.host, 'GET', '/requests'))
    .toMatchObject({ body: { received: 3 } });
  leaving.abort();
  await expect(left).rejects.toThrow('aborted');
  const next = ask();
  await advance(1000);
  expect([(await slow).status, (await next).status]).toEqual([200, 200]);
});

test('the newest revision responds, unless another one is active', async () => {
  await start({});
  await update({});
  const [before = '', during = ''] = (await revisions()).slice(-2);
  expect((await ask()).headers.get('x-mock-revision')).toBe(before);
  await advance(1000);
  expect((await ask()).headers.get('x-mock-revision')).toBe(during);
  await update({ revision: { active: before } });
  await advance(1000);
  expect((await ask()).headers.get('x-mock-revision')).toBe(before);
});

const statusWithoutCredential = async () => {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: '{"inputs":"hello"}' };
  return (await fetch(`${mock.addresses.inference}/demo/agents/demo-agent`, init)).status;
};

test('a public agent needs a credential until a revision of generation mk3 responds', async () => {
  await start({}, { runtime: { generation: 'mk2' } });
  const [active] = (await revisions()).slice(-1);
  const open = { public: true, runtime: { generation: 'mk3' } };
  await update({ ...open, revision: { active } });
  await advance(1000);
  expect(await statusWithoutCredential()).toBe(401);
  await update(open);
  await advance(1000);
  expect(await statusWithoutCredential()).toBe(200);
  const [canary] = (await revisions()).slice(-1);
  await update({ ...open, revision: { active, canary, canaryPercent: 99 } });
  expect(await statusWithoutCredential()).toBe(401);
  await update({ ...open, revision: { active, canary, canaryPercent: 100 } });
  expect(await statusWithoutCredential()).toBe(200);
});

test.each([1, 50, 99, 100])(
  'a public agent needs a credential while %i %% go to a canary on mk2',
  async (canaryPercent) => {
    await start({}, { runtime: { generation: 'mk2' } });
    const [canary] = (await revisions()).slice(-1);
    const open = { public: true, runtime: { generation: 'mk3' } };
    await update(open);
    await advance(1000);
    const [active] = (await revisions()).slice(-1);
    await update({ ...open, revision: { active, canary, canaryPercent: 0 } });
    expect(await statusWithoutCredential()).toBe(200);
    await update({ ...open, revision: { active, canary, canaryPercent } });
    expect(await statusWithoutCredential()).toBe(401);
  },
);

test('a canary responds to its share of the requests; a sticky session stays with one revision', async () => {
  await start({});
  const [first = '', second = ''] = (await revisions()).slice(-2);
  const canary = { active: first, canary: second, canaryPercent: 30 };
  await update({ revision: canary });
  const chosen = async (headers?: object) => (await ask(headers)).headers.get('x-mock-revision');
  const counts: Record<string, number> = {};
  for (let nth = 0; nth < 200; nth++) {
    const revision = (await chosen()) ?? '';
    counts[revision] = (counts[revision] ?? 0) + 1;
  }
  expect(Object.keys(counts).toSorted()).toEqual([first, second].toSorted());
  expect(counts[second]).toBeGreaterThan(30);
  expect(counts[second]).toBeLessThan(90);
  await update({ revision: { ...canary, stickySessionTtl: 60 } });
  for (const thread of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    const headers = { 'x-svc-thread-id': thread };
    expect(new Set([await chosen(headers), await chosen(headers), await chosen(headers)]).size).toBe(1);
  }
});

test('a revision whose deployment failed is refused', async () => {
  await start({ deploy: { failures: [{ resource: 'agents/demo-agent', at: 'building', times: 1 }] } });
  const [deployed = '', failed = ''] = (await revisions()).slice(-2);
  for (const [id, status] of [
    [failed, 400],
    [deployed, 200],
  ] as const)
    expect((await update({ revision: { canary: id, canaryPercent: 100 } })).status).toBe(status);
});

test('the revision that serves is known, however many updates have failed since', async () => {
  await start({ deploy: { failures: [{ resource: 'agents/demo-agent', at: 'building' }] } });
  const serving = (await ask()).headers.get('x-mock-revision');
  for (let nth = 0; nth < 12; nth++) {
    await update({});
    await advance(1000);
  }
  expect(serving).toMatch(/^rev-/);
  expect((await ask()).headers.get('x-mock-revision')).toBe(serving);
});

test('a request is billed with the memory of the revision that handles it', async () => {
  await start({ deploy: { failures: [{ resource: 'agents/demo-agent', at: 'building', message: 'npm ci failed' }] } });
  const { uuid = '' } = mock.world.resources.get('demo/agents')?.get('demo-agent') ?? {};
  const billed = async () => {
    await ask();
    await advance(1000);
    return mock.world.inference.uses[uuid]?.at(-1)?.ticks ?? 0;
  };
  const before = await billed();
  await update({ runtime: { memory: 65_536 } });
  await advance(1000);
  expect(await billed()).toBe(before);
});

test('a scripted delay of less than a second is billed as it is', async () => {
  await start({ replies: [{ delayMs: 250 }] }, { runtime: { memory: 4096 } });
  const { uuid = '' } = mock.world.resources.get('demo/agents')?.get('demo-agent') ?? {};
  const response = ask();
  await waiting();
  await advance(250);
  await response;
  // A quarter of a second of 4 GB, in ticks of a quarter of a gigabyte-second.
  expect(mock.world.inference.uses[uuid]?.at(-1)?.ticks).toBe(4);
});

test('a scripted error names the revision', async () => {
  await start({ replies: [{ error: { status: 503 } }] });
  const response = await ask();
  expect([response.status, response.headers.get('x-mock-revision')]).toEqual([503, expect.stringMatching(/^rev-/)]);
});

test('a waiting request gets 503 when the agent is disabled', async () => {
  const { slow, queued } = await twoRequests();
  await update({ enabled: false });
  await advance(1000);
  expect([(await slow).status, (await queued).status]).toEqual([200, 503]);
});

test.each([{ active: 'rev-none' }, { canary: 'rev-none', canaryPercent: 5 }])(
  'a revision that the agent does not have is refused: %j',
  async (revision) => {
    await start({});
    const { status, body } = await update({ revision });
    expect([status, (body as { message: string }).message]).toEqual([400, expect.stringContaining('"rev-none"')]);
  },
);

test('a sandbox sleeps after its last request, is billed for a snapshot then, and wakes up for the next one', async () => {
  await start({ sandboxes: { sleepAfter: '10m', wakeUp: '2s' } });
  const list = () =>
    fetch(`${mock.addresses.host}/sandbox/demo/demo-box/filesystem/tree/app`, {
      headers: { authorization: `Bearer ${token()}` },
    });
  const woken = async () => {
    const response = list();
    await waiting();
    await advance(2000);
    return (await response).headers.get('x-mock-wake-up');
  };
  expect(await woken()).toBe('2000ms');
  expect((await list()).headers.get('x-mock-wake-up')).toBe(null);
  await advance(3_600_000);
  const window = 'startTime=2026-11-01T00:00:00Z&endTime=2026-11-02T00:00:00Z&groupBy=billing_dimension';
  const { body } = await callManagement(
    mock.addresses.host,
    token(),
    'GET',
    `/accounts/acc-demo/metrics?${window}&resourceName=demo-box`,
  );
  const { data } = body as { data: { billingDimension: string; summary: { usage: number } }[] };
  const usage = (dimension: string) =>
    data.find(({ billingDimension }) => billingDimension === dimension)?.summary.usage ?? 0;
  // 4 GB of memory for ten minutes and the two seconds between the requests.
  expect(usage('sandbox_compute_runtime_gbs')).toBeCloseTo(4 * 602, 0);
  expect(usage('sandbox_snapshot_storage_gbs')).toBeGreaterThan(0);
  expect(await woken()).toBe('2000ms');
});
