import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { demoResources } from '../../fixtures/worlds/demo-resources.ts';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import { chooseRevision } from '../domains/inference/revisions.ts';
import { placeOf } from '../domains/resources/kinds.ts';
import { servingWorkload } from '../domains/resources/workloads.ts';
import { endDeployment } from '../domains/resources/write.ts';
import { findResource } from '../state/resources.ts';
import { callEndpoint, frozenWorld, NOW, type EndpointRequest } from '../testing/call-endpoint.ts';
import { timestamp } from '../time/clock.ts';
import type { World } from '../world/world.ts';
import type { endpoints } from './index.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld({ ...defaultWorld(1, NOW), resources: demoResources });
});

type AnyId = OperationId & keyof typeof endpoints;
const call = (id: string, request: object) => callEndpoint(world, id as AnyId, request as EndpointRequest<AnyId>);
const at = (milliseconds: number) => world.clock.set(NOW + milliseconds);

const kinds = ['Agent', 'Function', 'Model', 'Sandbox', 'Job'] as const;
type Kind = (typeof kinds)[number];

const name = 'user';
const mounting = (volumes: readonly string[] = ['data'], more: object = {}) => ({
  metadata: { name },
  spec: { region: 'local', volumes: volumes.map((each) => ({ name: each, mountPath: `/mnt/${each}` })), ...more },
});
const create = (one: Kind = 'Agent', body: object = mounting()) => call(`create${one}`, { body });
const update = (one: Kind = 'Agent', body: object = mounting()) =>
  call(`update${one}`, { path: { [`${one.toLowerCase()}Name`]: name }, body });
const state = async (one: Kind = 'Agent') => {
  const { body } = await call(`get${one}`, { path: { [`${one.toLowerCase()}Name`]: name } });
  const last = body.events.at(-1);
  return [body.status, last.status, last.message, Date.parse(last.time) - NOW];
};
const query = async () =>
  (await call('queryAgent', { path: { workspace: 'demo', agent: name }, body: { inputs: 'x' } })).status;

const volume = (spec: object = {}) => ({ metadata: { name: 'data' }, spec: { region: 'local', ...spec } });
const createVolume = () => call('createVolume', { body: volume() });
const updateVolume = () => call('updateVolume', { path: { volumeName: 'data' }, body: volume({ size: 5 }) });
/** As the control API does. */
const endVolume = (status: 'DEPLOYED' | 'FAILED', of = 'data') => {
  const place = placeOf('volumes', world.workspaces.get('demo')!);
  endDeployment(world, place, findResource(world, place.key, of)!, {
    status,
    at: world.clock.now(),
    message: 'By a test.',
  });
};
const failNext = (times = 1) =>
  Object.assign(world.lifecycles.plan, {
    deploy: { failures: [{ resource: 'volumes/data', at: 'deploying', times }] },
  });

const lost = 'Volume "data" is FAILED.';

describe.each(kinds)('a %s fails with its volume', (one) => {
  test('that had failed before', async () => {
    failNext();
    await createVolume();
    at(1000);
    await create(one);
    at(1999);
    expect((await state(one))[0]).toBe('DEPLOYING');
    at(2000);
    expect(await state(one)).toEqual(['FAILED', 'FAILED', lost, 2000]);
  });

  test('that fails during its deployment', async () => {
    failNext();
    await createVolume();
    await create(one);
    at(1000);
    expect(await state(one)).toEqual(['FAILED', 'FAILED', lost, 1000]);
  });

  test('that fails while it runs, and recovers with the next update after the volume was repaired', async () => {
    await createVolume();
    await create(one);
    at(5000);
    endVolume('FAILED');
    expect(await state(one)).toEqual(['FAILED', 'FAILED', lost, 5000]);
    await update(one);
    at(7000);
    expect(await state(one)).toEqual(['FAILED', 'FAILED', lost, 6000]);
    await updateVolume();
    at(8000);
    expect((await state(one))[0]).toBe('FAILED');
    await update(one);
    at(9000);
    expect((await state(one)).slice(0, 2)).toEqual(['DEPLOYED', 'DEPLOYED']);
  });
});

test('the history of a failed agent stays: it was deployed, then failed', async () => {
  await createVolume();
  await create();
  at(5000);
  endVolume('FAILED');
  const { body } = await call('getAgent', { path: { agentName: name } });
  expect(body.events.map((event: { status: string }) => event.status)).toEqual([
    'UPLOADING',
    'BUILDING',
    'BUILT',
    'DEPLOYING',
    'DEPLOYED',
    'FAILED',
  ]);
});

test('a failed agent serves nothing, also not its previous revision', async () => {
  await createVolume();
  await create();
  at(2000);
  await update();
  at(4000);
  expect(await query()).toBe(200);
  endVolume('FAILED');
  expect(await query()).toBe(503);
});

test('a failure that is planned for the future takes effect on time', async () => {
  Object.assign(world.lifecycles.plan, {
    deploy: { deploying: '5s', failures: [{ resource: 'volumes/data', at: 'deploying' }] },
  });
  await createVolume();
  Object.assign(world.lifecycles.plan, { deploy: undefined });
  await create();
  at(4999);
  expect([(await state())[0], await query()]).toEqual(['DEPLOYED', 200]);
  at(5000);
  expect([await state(), await query()]).toEqual([['FAILED', 'FAILED', lost, 5000], 503]);
});

test('a volume that is repaired before it is mounted prevents nothing', async () => {
  failNext();
  await createVolume();
  at(400);
  await create();
  await updateVolume();
  at(2000);
  expect((await state())[0]).toBe('DEPLOYED');
});

test('if an update of a volume fails, its previous revision stays mounted: the agent only has an event', async () => {
  await createVolume();
  await create();
  at(5000);
  failNext();
  await updateVolume();
  at(5399);
  expect((await state())[1]).toBe('DEPLOYED');
  at(5400);
  const message = 'The update of volume "data" failed. Its previous revision stays mounted.';
  expect(await state()).toEqual(['DEPLOYED', 'DEPLOYED', message, 5400]);
  expect(await query()).toBe(200);
});

test('an update that would mount a failed volume fails, and the previous revision serves on', async () => {
  await create('Agent', mounting([]));
  failNext();
  await createVolume();
  at(2000);
  await update();
  at(4000);
  expect([await state(), await query()]).toEqual([['FAILED', 'FAILED', lost, 3000], 200]);
});

test('a volume that fails during an update takes the previous revision with it', async () => {
  await createVolume();
  await create();
  at(5000);
  await update('Agent', mounting([]));
  endVolume('FAILED');
  expect([(await state())[0], await query()]).toEqual(['UPLOADING', 503]);
  at(6000);
  expect([(await state())[0], await query()]).toEqual(['DEPLOYED', 200]);
});

test('an agent that is disabled or being deleted does not fail', async () => {
  await createVolume();
  await create('Agent', mounting(['data'], { enabled: false }));
  at(5000);
  endVolume('FAILED');
  expect((await state())[0]).toBe('DEACTIVATED');
  await call('deleteAgent', { path: { agentName: name } });
  endVolume('DEPLOYED');
  endVolume('FAILED');
  expect((await state())[0]).toBe('DELETING');
});

test('a failed agent is not billed', async () => {
  await createVolume();
  await create('Agent', mounting(['data'], { runtime: { memory: 1024, minScale: 1 } }));
  at(10_000);
  endVolume('FAILED');
  at(60_000);
  const window = { startTime: timestamp(NOW), endTime: timestamp(NOW + 3_600_000) };
  const { body } = await call('getAccountMetrics', {
    path: { accountId: 'acc-demo' },
    query: { ...window, groupBy: 'billing_dimension', resourceName: name },
  });
  const compute = body.data.find((each: { billingDimension: string }) => each.billingDimension.includes('compute'));
  expect(compute.summary.usage).toBe(9);
});

test('a control call can still end the deployment of a failed agent', async () => {
  await createVolume();
  await create();
  at(5000);
  endVolume('FAILED');
  const place = placeOf('agents', world.workspaces.get('demo')!);
  const agent = findResource(world, place.key, name)!;
  endDeployment(world, place, agent, { status: 'DEPLOYED', at: world.clock.now(), message: 'By a test.' });
  expect(await state()).toEqual(['DEPLOYED', 'DEPLOYED', 'By a test.', 5000]);
});

test('a revision that failed later can be chosen again', async () => {
  await createVolume();
  await create();
  at(2000);
  const { body } = await call('getAgent', { path: { agentName: name } });
  const { revision } = body.events[0];
  endVolume('FAILED');
  await updateVolume();
  at(4000);
  expect((await update('Agent', mounting(['data'], { revision: { active: revision } }))).status).toBe(200);
});

describe('an agent whose active revision mounts a volume that the newest one does not mount', () => {
  beforeEach(async () => {
    await createVolume();
    await create();
    at(2000);
    await activateFirst();
    at(4000);
  });
  const activateFirst = async () => {
    const { revision } = findResource(world, 'demo/agents', name)!.deployments[0]!;
    await update('Agent', mounting([], { revision: { active: revision } }));
  };

  test('fails with it', async () => {
    expect([(await state())[0], await query()]).toEqual(['DEPLOYED', 200]);
    endVolume('FAILED');
    expect([await state(), await query()]).toEqual([['FAILED', 'FAILED', lost, 4000], 503]);
  });

  test('fails when it is updated while the volume is FAILED, and not if the newest revision responds', async () => {
    endVolume('FAILED');
    await update('Agent', mounting([]));
    at(6000);
    expect([(await state())[0], await query()]).toEqual(['DEPLOYED', 200]);
    await activateFirst();
    expect(await query()).toBe(503);
    at(8000);
    expect((await state()).slice(0, 3)).toEqual(['FAILED', 'FAILED', lost]);
  });

  test('notices that an update of the volume failed', async () => {
    failNext();
    await updateVolume();
    at(6000);
    expect((await state())[2]).toBe('The update of volume "data" failed. Its previous revision stays mounted.');
    expect(await query()).toBe(200);
  });
});

describe('an agent whose active revision does not mount a volume that the newest one mounts', () => {
  const activateFirst = async (volumes: readonly string[]) => {
    const { revision } = findResource(world, 'demo/agents', name)!.deployments[0]!;
    await update('Agent', mounting(volumes, { revision: { active: revision } }));
  };
  beforeEach(async () => {
    await createVolume();
    await create('Agent', mounting([]));
    at(2000);
    await activateFirst(['data']);
    at(4000);
    endVolume('FAILED');
  });

  test('has an event and continues', async () => {
    const message = `${lost} The active revision does not mount it.`;
    expect([await state(), await query()]).toEqual([['DEPLOYED', 'DEPLOYED', message, 4000], 200]);
  });

  test('continues during its next update', async () => {
    await activateFirst([]);
    expect([(await state())[0], await query()]).toEqual(['UPLOADING', 200]);
    at(6000);
    expect([(await state())[0], await query()]).toEqual(['DEPLOYED', 200]);
  });

  test('stops when an update lets the newest revision respond', async () => {
    await update();
    expect([(await state())[0], await query()]).toEqual(['UPLOADING', 503]);
    at(6000);
    expect([(await state()).slice(0, 3), await query()]).toEqual([['FAILED', 'FAILED', lost], 503]);
  });
});

describe('a canary whose volume fails', () => {
  const minScale = { runtime: { memory: 1024, minScale: 1 } };
  beforeEach(async () => {
    await createVolume();
    await create('Agent', mounting([], minScale));
    at(2000);
    await update('Agent', mounting(['data'], { runtime: { ...minScale.runtime, maxScale: 1 } }));
    at(4000);
    const [active, canary] = findResource(world, 'demo/agents', name)!.deployments;
    const revision = { active: active!.revision, canary: canary!.revision, canaryPercent: 100 };
    await update('Agent', mounting([], { ...minScale, revision }));
    at(10_000);
  });
  const responding = () => {
    const resource = findResource(world, 'demo/agents', name)!;
    const workspace = world.workspaces.get('demo')!;
    const chosen = chooseRevision(world, { workspace, collection: 'agents', resource }, undefined);
    return resource.deployments.findIndex(({ revision }) => revision === chosen);
  };

  test('gets no requests until the volume is updated', async () => {
    expect(responding()).toBe(1);
    endVolume('FAILED');
    expect([responding(), await query()]).toEqual([0, 200]);
    const message = `${lost} The canary, which mounts it, gets no requests.`;
    expect(await state()).toEqual(['DEPLOYED', 'DEPLOYED', message, 10_000]);
    await updateVolume();
    at(12_000);
    expect(responding()).toBe(1);
  });

  test('is not billed until then', async () => {
    endVolume('FAILED');
    at(20_000);
    await updateVolume();
    at(30_000);
    const settings = world.lifetimes.get(findResource(world, 'demo/agents', name)!.uuid!)!.settings;
    const warm = settings.map(({ from, canaryMemory = 0 }) => [from - NOW, canaryMemory]);
    expect(warm.slice(-3)).toEqual([
      [4000, 4],
      [10_000, 0],
      [20_000, 4],
    ]);
  });

  /** At 11 s the volume is updated, and at 16 s that fails. */
  const planFailure = async () => {
    Object.assign(world.lifecycles.plan, {
      deploy: { deploying: '5s', failures: [{ resource: 'volumes/data', at: 'deploying' }] },
    });
    endVolume('FAILED');
    at(11_000);
    await updateVolume();
    Object.assign(world.lifecycles.plan, { deploy: undefined });
  };

  test('is not billed from the moment on at which the volume is planned to fail', async () => {
    await planFailure();
    const settings = world.lifetimes.get(findResource(world, 'demo/agents', name)!.uuid!)!.settings;
    expect(settings.slice(-2).map(({ from, canaryMemory = 0 }) => [from - NOW, canaryMemory])).toEqual([
      [11_000, 4],
      [16_000, 0],
    ]);
  });

  test('decides with its maxScale how many requests run until the moment at which the volume is planned to fail', async () => {
    await planFailure();
    let admittedCount = 0;
    const enter = async () => {
      const agent = servingWorkload(world, world.workspaces.get('demo')!, 'agents', name);
      await world.instances.enter(world, agent, () => {});
      admittedCount++;
    };
    const entered = [enter(), enter()];
    at(15_999);
    await setImmediate();
    expect(admittedCount).toBe(1);
    at(16_000);
    await setImmediate();
    expect(admittedCount).toBe(2);
    await Promise.all(entered);
  });
});

test.each(['active', 'canary'])('a revision whose volume was deleted cannot become the %s one', async (member) => {
  await createVolume();
  await create();
  at(2000);
  await update('Agent', mounting([]));
  at(4000);
  expect((await call('deleteVolume', { path: { volumeName: 'data' } })).status).toBe(200);
  const { revision } = findResource(world, 'demo/agents', name)!.deployments[0]!;
  const { status, body } = await update('Agent', mounting([], { revision: { [member]: revision } }));
  expect([status, body.message]).toEqual([400, expect.stringContaining('a revision whose volumes exist')]);
});

test('only workloads that mount the volume are affected', async () => {
  await createVolume();
  await call('createVolume', { body: { metadata: { name: 'other' }, spec: { region: 'local' } } });
  await create('Agent', mounting(['other']));
  at(5000);
  endVolume('FAILED');
  expect((await state())[0]).toBe('DEPLOYED');
  endVolume('FAILED', 'other');
  expect(await state()).toEqual(['FAILED', 'FAILED', 'Volume "other" is FAILED.', 5000]);
});
