/** What is billed of a resource on its first day, by dimension, after everything that can happen to it. */
import { expect, test } from 'vitest';
import { callEndpoint, frozenWorld, NOW } from '../../testing/call-endpoint.ts';
import { placeOf } from '../../domains/resources/kinds.ts';
import { endDeployment } from '../../domains/resources/write.ts';
import { timestamp } from '../../time/clock.ts';
import type { World } from '../../world/world.ts';

const HOUR = 3_600_000;
const DAY_SECONDS = 86_400;
const name = 'billed';
const metadata = { name };

type Act = (world: World) => Promise<unknown>;
type Usage = Readonly<Record<string, number>>;

const agent =
  (spec: object): Act =>
  async (world) => {
    await callEndpoint(world, 'createAgent', { body: { metadata, spec } });
  };
const put =
  (spec: object): Act =>
  (world) =>
    callEndpoint(world, 'updateAgent', { path: { agentName: name }, body: { metadata, spec } });
const volume =
  (size: number): Act =>
  (world) =>
    callEndpoint(world, 'createVolume', { body: { metadata, spec: { size } } });
const wait =
  (milliseconds: number): Act =>
  async (world) => {
    world.clock.advance(milliseconds);
  };
const ask: Act = (world) =>
  callEndpoint(world, 'queryAgent', { path: { workspace: 'demo', agent: name }, body: { inputs: 'Hi' } });
const askLater: Act = (world) =>
  callEndpoint(world, 'queryAgentTrigger', {
    path: { workspace: 'demo', agent: name, triggerPath: 'later' },
    body: { inputs: 'Hi' },
  });
const execute =
  (tasks: number): Act =>
  (world) =>
    callEndpoint(world, 'createExecutionOfJob', {
      path: { jobName: name },
      body: { tasks: Array.from({ length: tasks }, () => ({})) },
    });

const end =
  (status: 'DEPLOYED' | 'FAILED'): Act =>
  (world) => {
    const workspace = world.workspaces.get('demo');
    const resource = world.resources.get('demo/agents')?.get(name);
    if (workspace === undefined || resource === undefined) throw new Error('The agent does not exist.');
    const ending = { status, at: world.clock.now(), message: 'for a test' };
    endDeployment(world, placeOf('agents', workspace), resource, ending);
    return Promise.resolve();
  };

/** Scripts the duration of each request. */
const takes =
  (delayMs: number): Act =>
  (world) => {
    Object.assign(world, { replies: [{ delayMs }] });
    return Promise.resolve();
  };

const removeAgent: Act = (world) => callEndpoint(world, 'deleteAgent', { path: { agentName: name } });

/** Doubles the memory of a function or sandbox, and names the first revision as the active one, which has no effect. */
const upgrade =
  (collection: 'functions' | 'sandboxes'): Act =>
  (world) => {
    const first = world.resources.get(`demo/${collection}`)?.get(name)?.deployments[0]?.revision ?? '';
    const body = { metadata, spec: { runtime: { memory: 2048, minScale: 1 }, revision: { active: first } } };
    return collection === 'functions'
      ? callEndpoint(world, 'updateFunction', { path: { functionName: name }, body })
      : callEndpoint(world, 'updateSandbox', { path: { sandboxName: name }, body });
  };

/** Runs 2 GB, and names a revision as the active one. */
const activate =
  (index: number, rest: object = {}): Act =>
  (world) => {
    const active = world.resources.get('demo/agents')?.get(name)?.deployments[index]?.revision;
    return put({ runtime: { memory: 2048, minScale: 1 }, revision: { active }, ...rest })(world);
  };

/** The same, with the first revision as the active one and the second one as its canary. */
const splitTraffic =
  (canaryPercent: number, rest: object = {}): Act =>
  (world) => {
    const [active, canary] = world.resources.get('demo/agents')?.get(name)?.deployments ?? [];
    return activate(0, { revision: { active: active?.revision, canary: canary?.revision, canaryPercent }, ...rest })(
      world,
    );
  };

/** From now on, no deployment ends on the first day. */
const deploySlowly: Act = (world) => {
  Object.assign(world.lifecycles.plan, { deploy: { building: '24h' } });
  return Promise.resolve();
};

const asynchronous = { triggers: [{ id: 'later', type: 'http-async', configuration: { path: '/later' } }] };
const atNoonAndMidnight = { triggers: [{ id: 'tick', type: 'cron', configuration: { schedule: '0 0,12 * * *' } }] };
const oneGigabyte = { memory: 1024 };
const small = { runtime: oneGigabyte };
const twoGigabytes = { runtime: { memory: 2048, minScale: 1 } };
const always = { runtime: { ...oneGigabyte, minScale: 1 } };
const job: Act = (world) => callEndpoint(world, 'createJob', { body: { metadata, spec: { runtime: oneGigabyte } } });

const compute = (usage: number): Usage => ({ agent_compute_runtime_gbs: usage });

/** Deployments take a second, provisioning 0.4; an async request takes half a second, any other call a second. */
const table: readonly { cause: string; acts: readonly Act[]; usage: Usage }[] = [
  { cause: 'a disabled agent', acts: [agent({ ...always, ...asynchronous, enabled: false })], usage: {} },
  { cause: 'a disabled agent that is called', acts: [agent({ enabled: false }), wait(5000), ask], usage: {} },
  { cause: 'an agent that is never called', acts: [agent({ ...asynchronous })], usage: {} },
  { cause: 'a call during the first deployment', acts: [agent({}), ask], usage: {} },
  { cause: 'a call', acts: [agent({}), wait(5000), ask], usage: compute(2) },
  { cause: 'a call with less memory', acts: [agent({ runtime: oneGigabyte }), wait(5000), ask], usage: compute(1) },
  { cause: 'three calls', acts: [agent({}), wait(5000), ask, ask, ask], usage: compute(6) },
  {
    cause: 'three async requests',
    acts: [agent(asynchronous), wait(5000), askLater, askLater, askLater],
    usage: { agent_async_requests_count: 3, ...compute(3) },
  },
  {
    cause: 'two async requests, of which one waits for an instance when the agent is disabled',
    acts: [
      agent({ ...asynchronous, runtime: { ...oneGigabyte, maxScale: 1 } }),
      wait(5000),
      askLater,
      askLater,
      put({ enabled: false }),
    ],
    usage: { agent_async_requests_count: 2, ...compute(0.5) },
  },
  { cause: 'one instance all day', acts: [agent(always)], usage: compute(DAY_SECONDS - 1) },
  {
    cause: 'two instances all day',
    acts: [agent({ runtime: { ...oneGigabyte, minScale: 2 } })],
    usage: compute(2 * (DAY_SECONDS - 1)),
  },
  {
    cause: 'an instance that is disabled at noon',
    acts: [agent(always), wait(12 * HOUR), put({ ...always, enabled: false })],
    usage: compute(DAY_SECONDS / 2 - 1),
  },
  {
    cause: 'an instance that is enabled at noon',
    acts: [agent({ ...always, enabled: false }), wait(12 * HOUR), put(always)],
    usage: compute(DAY_SECONDS / 2 - 1),
  },
  {
    cause: 'an instance whose memory is doubled at noon',
    acts: [agent(always), wait(12 * HOUR), put({ runtime: { memory: 2048, minScale: 1 } })],
    usage: compute(DAY_SECONDS / 2 + 2 * (DAY_SECONDS / 2 - 1)),
  },
  {
    cause: 'an instance that is deleted at noon',
    acts: [agent(always), wait(12 * HOUR), removeAgent],
    usage: compute(DAY_SECONDS / 2 - 1),
  },
  {
    cause: 'requests in the second in which the agent is deleted',
    acts: [agent({ ...asynchronous, runtime: oneGigabyte }), wait(5000), ask, askLater, askLater, removeAgent],
    usage: { agent_async_requests_count: 2, ...compute(2) },
  },
  {
    cause: 'async requests that have begun when the agent is deleted, but not one that waits',
    acts: [
      agent({ ...asynchronous, runtime: { ...oneGigabyte, maxScale: 2 } }),
      wait(5000),
      takes(5000),
      askLater,
      wait(1000),
      askLater,
      askLater,
      wait(1000),
      removeAgent,
    ],
    usage: { agent_async_requests_count: 3, ...compute(10) },
  },
  {
    cause: 'an instance of the active revision after an update with more memory',
    acts: [agent(always), wait(12 * HOUR), activate(0)],
    usage: compute(DAY_SECONDS - 1),
  },
  {
    cause: 'a call to the active revision after an update with more memory',
    acts: [agent({ runtime: oneGigabyte }), wait(5000), activate(0), wait(5000), ask],
    usage: compute(1),
  },
  {
    cause: 'an instance of the active revision after many updates with more memory',
    acts: [agent(always), wait(12 * HOUR), ...Array.from({ length: 12 }, () => [activate(0), wait(2000)]).flat()],
    usage: compute(DAY_SECONDS - 1),
  },
  ...(['DEPLOYED', 'FAILED'] as const).map((status) => ({
    cause: `an instance of an earlier revision that an update activates at noon, which ends as ${status} at 18:00`,
    acts: [
      agent(always),
      wait(6 * HOUR),
      put(twoGigabytes),
      wait(6 * HOUR),
      deploySlowly,
      activate(0),
      wait(6 * HOUR),
      end(status),
    ],
    usage: compute(DAY_SECONDS / 4 + 2 * (DAY_SECONDS / 4 - 1) + DAY_SECONDS / 2),
  })),
  {
    cause: 'an instance of the newest revision while an update runs that no longer names an active one',
    acts: [
      agent(always),
      wait(6 * HOUR),
      activate(0),
      wait(6 * HOUR),
      deploySlowly,
      put({ runtime: { memory: 8192 } }),
    ],
    usage: compute(DAY_SECONDS / 2 - 1 + 2 * (DAY_SECONDS / 2)),
  },
  {
    cause: 'an instance of the active revision and one of its canary',
    acts: [agent(always), wait(6 * HOUR), put(twoGigabytes), wait(6 * HOUR), splitTraffic(10)],
    usage: compute(DAY_SECONDS / 4 + 2 * (DAY_SECONDS / 4 - 1) + 3 * (DAY_SECONDS / 2)),
  },
  {
    cause: 'an instance of the active revision whose canary gets no requests',
    acts: [agent(always), wait(6 * HOUR), put(twoGigabytes), wait(6 * HOUR), splitTraffic(0)],
    usage: compute(DAY_SECONDS / 4 + 2 * (DAY_SECONDS / 4 - 1) + DAY_SECONDS / 2),
  },
  ...[99, 100].map((canaryPercent) => ({
    cause: `two cron requests while the canary gets ${canaryPercent} % of the requests`,
    acts: [
      agent(small),
      wait(HOUR),
      put({}),
      wait(HOUR),
      splitTraffic(canaryPercent, { ...small, ...atNoonAndMidnight }),
    ],
    usage: compute(canaryPercent === 100 ? 4 : 2),
  })),
  { cause: 'a job that never ran', acts: [job], usage: {} },
  { cause: 'four tasks of a job', acts: [job, wait(5000), execute(4)], usage: { job_compute_runtime_gbs: 2 } },
  { cause: 'a small volume', acts: [volume(100)], usage: { volume_storage_gbs: 0.1 * DAY_SECONDS } },
  { cause: 'a large volume', acts: [volume(100_000)], usage: { volume_storage_gbs: 100 * DAY_SECONDS } },
  {
    cause: 'a volume that is deleted at noon',
    acts: [
      volume(1000),
      wait(12 * HOUR),
      (world) => callEndpoint(world, 'deleteVolume', { path: { volumeName: name } }),
    ],
    usage: { volume_storage_gbs: DAY_SECONDS / 2 },
  },
  {
    cause: 'a volume that is enlarged at noon',
    acts: [
      volume(1000),
      wait(12 * HOUR),
      (world) =>
        callEndpoint(world, 'updateVolume', { path: { volumeName: name }, body: { metadata, spec: { size: 3000 } } }),
    ],
    usage: { volume_storage_gbs: DAY_SECONDS / 2 + 3 * (DAY_SECONDS / 2) },
  },
  {
    cause: 'an instance whose first deployment fails',
    acts: [agent(always), end('FAILED')],
    usage: {},
  },
  {
    cause: 'an instance that fails at noon',
    acts: [agent(always), wait(12 * HOUR), end('FAILED')],
    usage: compute(DAY_SECONDS / 2 - 1),
  },
  {
    cause: 'an instance that fails at noon and is deployed again at 18:00',
    acts: [agent(always), wait(12 * HOUR), end('FAILED'), wait(6 * HOUR), put(always)],
    usage: compute(DAY_SECONDS * 0.75 - 2),
  },
  {
    cause: 'a task that fails twice',
    acts: [
      (world) =>
        callEndpoint(world, 'createJob', {
          body: { metadata, spec: { runtime: oneGigabyte, retries: 2, timeout: 4 } },
        }),
      wait(5000),
      (world) => {
        Object.assign(world.lifecycles.plan, { tasks: [{ takes: '3s', failures: 2 }] });
        return Promise.resolve();
      },
      execute(1),
    ],
    usage: { job_compute_runtime_gbs: 9 },
  },
  {
    cause: 'a job that is disabled during the second of three tasks',
    acts: [
      job,
      wait(5000),
      (world) => {
        Object.assign(world.lifecycles.plan, { tasks: [{ takes: '60s' }] });
        return Promise.resolve();
      },
      execute(3),
      wait(100_200),
      (world) =>
        callEndpoint(world, 'updateJob', { path: { jobName: name }, body: { metadata, spec: { enabled: false } } }),
    ],
    usage: { job_compute_runtime_gbs: 100 },
  },
  {
    cause: 'a job that is deleted during its task',
    acts: [
      job,
      wait(5000),
      (world) => {
        Object.assign(world.lifecycles.plan, { tasks: [{ takes: '1h' }] });
        return Promise.resolve();
      },
      execute(1),
      wait(60_200),
      (world) => callEndpoint(world, 'deleteJob', { path: { jobName: name } }),
    ],
    usage: { job_compute_runtime_gbs: 60 },
  },
  {
    cause: 'a sandbox',
    acts: [
      (world) => callEndpoint(world, 'createSandbox', { body: { metadata, spec: { runtime: { memory: 4096 } } } }),
    ],
    usage: { sandbox_compute_runtime_gbs: 4 * (DAY_SECONDS - 1) },
  },
  {
    cause: 'an instance of an agent whose active revision was never deployed',
    acts: [agent(always), wait(12 * HOUR), put({ runtime: { memory: 8192, minScale: 1 } }), activate(1)],
    usage: compute(DAY_SECONDS / 2 + 2 * (DAY_SECONDS / 2 - 1)),
  },
  {
    cause: 'a cron trigger after an update with more memory failed',
    acts: [
      agent({ runtime: oneGigabyte, ...atNoonAndMidnight }),
      wait(5000),
      put({ runtime: { memory: 4096 }, ...atNoonAndMidnight }),
      end('FAILED'),
    ],
    usage: compute(2),
  },
  {
    cause: 'a cron trigger whose agent responds with an earlier revision of less memory',
    acts: [agent({ runtime: oneGigabyte, ...atNoonAndMidnight }), wait(5000), activate(0, atNoonAndMidnight)],
    usage: compute(2),
  },
  {
    cause: 'an instance of a function whose first revision is active, after an update with more memory',
    acts: [
      (world) => callEndpoint(world, 'createFunction', { body: { metadata, spec: always } }),
      wait(12 * HOUR),
      upgrade('functions'),
    ],
    usage: { mcp_server_compute_runtime_gbs: DAY_SECONDS / 2 + 2 * (DAY_SECONDS / 2 - 1) },
  },
  {
    cause: 'a sandbox whose first revision is active, after an update with more memory',
    acts: [
      (world) => callEndpoint(world, 'createSandbox', { body: { metadata, spec: { runtime: oneGigabyte } } }),
      wait(12 * HOUR),
      upgrade('sandboxes'),
    ],
    usage: { sandbox_compute_runtime_gbs: DAY_SECONDS / 2 + 2 * (DAY_SECONDS / 2 - 1) },
  },
  {
    cause: 'a domain',
    acts: [(world) => callEndpoint(world, 'createCustomDomain', { body: { metadata, spec: {} } })],
    usage: { custom_domain_active_time_hours: 24 },
  },
];

/** The largest image that a resource of the mock has. */
const MAX_IMAGE_GB = 4;

/** By dimension, from the start of the world for a day. Storage of images is returned separately. */
async function usageOfFirstDay(world: World): Promise<{ usage: Usage; imageStorage: number | undefined }> {
  world.clock.set(NOW + DAY_SECONDS * 1000);
  const query = {
    startTime: timestamp(NOW),
    endTime: timestamp(NOW + DAY_SECONDS * 1000),
    groupBy: 'billing_dimension',
    resourceName: name,
  };
  const { body } = await callEndpoint(world, 'getAccountMetrics', { path: { accountId: 'acc-demo' }, query });
  const entries = (body.data as { billingDimension: string; summary: { usage: number } }[]).map(
    ({ billingDimension, summary }) => [billingDimension, summary.usage] as const,
  );
  const isImage = ([dimension]: readonly [string, number]): boolean => dimension.includes('image_storage');
  return {
    usage: Object.fromEntries(entries.filter((entry) => !isImage(entry))),
    imageStorage: entries.find(isImage)?.[1],
  };
}

/** Storage is metered every 250 seconds, domains every 3.6 seconds, everything else exactly. */
function precisionOf(dimension: string, amount: number): number {
  if (dimension === 'volume_storage_gbs') return (amount / DAY_SECONDS) * 500;
  return dimension === 'custom_domain_active_time_hours' ? 0.001 : 0;
}

test.each(table)('$cause', async ({ acts, usage: expected }) => {
  const world = frozenWorld();
  expect(await usageOfFirstDay(world)).toEqual({ usage: {}, imageStorage: undefined });
  world.clock.set(NOW);
  for (const act of acts) await act(world);
  const { usage, imageStorage } = await usageOfFirstDay(world);
  expect(imageStorage ?? 0).toBeLessThanOrEqual(MAX_IMAGE_GB * DAY_SECONDS);
  expect(Object.keys(usage)).toEqual(Object.keys(expected));
  for (const [dimension, amount] of Object.entries(expected))
    expect(Math.abs((usage[dimension] ?? 0) - amount)).toBeLessThanOrEqual(precisionOf(dimension, amount));
});
