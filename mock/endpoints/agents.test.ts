import { beforeEach, describe, expect, test } from 'vitest';
import type { World } from '../world/world.ts';
import { callEndpoint, frozenWorld } from '../testing/call-endpoint.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld();
});

const put = (spec: object, name = 'demo-agent', metadata: object = {}) =>
  callEndpoint(world, 'updateAgent', { path: { agentName: name }, body: { metadata: { name, ...metadata }, spec } });
const putMk3 = (spec: object) => put({ ...spec, runtime: { generation: 'mk3' } }, 'demo-agent-mk3');
const get = async (name = 'demo-agent') => (await callEndpoint(world, 'getAgent', { path: { agentName: name } })).body;

describe('update', () => {
  test('what was sent is returned, with defaults', async () => {
    const { revision } = (await get()).events[0];
    const spec = {
      enabled: false,
      policies: ['demo-policy'],
      region: 'local',
      repository: { type: 'git', url: 'https://code-host.example/demo' },
      revision: { active: revision, canary: revision, canaryPercent: 10, stickySessionTtl: 0, traffic: 90 },
      runtime: {
        generation: 'mk2',
        image: 'my/image:1',
        maxScale: 5,
        memory: 512,
        minScale: 1,
        envs: [{ name: 'A', value: 'b' }],
      },
    };
    const { status, body } = await put(spec, 'demo-agent', { displayName: 'Ünïcode ✓', labels: { a: 'b' } });
    expect([status, body.spec]).toEqual([200, { ...spec, public: false }]);
    expect(body.metadata).toMatchObject({
      displayName: 'Ünïcode ✓',
      labels: { a: 'b' },
      workspace: 'demo',
      plan: 'team',
    });
    expect(await get()).toEqual(body);
  });

  test('omitted members get their defaults', async () => {
    const { body } = await put({ triggers: [{ type: 'http' }] });
    expect(body.spec).toMatchObject({ enabled: true, public: false, runtime: { generation: 'mk2' } });
    expect(body.spec.triggers[0].enabled).toBe(true);
    expect(body.metadata.displayName).toBeUndefined();
  });

  test('an unknown agent is 404 and is not created', async () => {
    expect((await put({}, 'no-such-agent')).status).toBe(404);
    expect((await callEndpoint(world, 'getAgent', { path: { agentName: 'no-such-agent' } })).status).toBe(404);
  });

  test('a different name in the body is 400', async () => {
    const body = { metadata: { name: 'other' }, spec: {} };
    const response = await callEndpoint(world, 'updateAgent', { path: { agentName: 'demo-agent' }, body });
    expect([response.status, response.body.message]).toEqual([
      400,
      expect.stringContaining('metadata.name is "other"'),
    ]);
  });

  test('read-only members are set by the server', async () => {
    const before = await get();
    const lies = {
      createdAt: 'x',
      updatedAt: 'x',
      createdBy: 'x',
      updatedBy: 'x',
      plan: 'x',
      url: 'x',
      workspace: 'x',
    };
    const body = { metadata: { name: 'demo-agent', ...lies }, spec: {}, status: 'FAILED', events: [{ type: 'x' }] };
    world.clock.advance(5000);
    const { body: after } = await callEndpoint(world, 'updateAgent', {
      path: { agentName: 'demo-agent' },
      body,
      as: 'apiKey',
    });
    expect(after.metadata).toEqual({
      name: 'demo-agent',
      createdAt: before.metadata.createdAt,
      createdBy: before.metadata.createdBy,
      updatedAt: '2026-11-21T07:00:05.000Z',
      updatedBy: 'deployer',
      plan: 'team',
      url: 'http://127.0.0.1:4010/demo/agents/demo-agent',
      workspace: 'demo',
    });
    expect(after.status).toBe('UPLOADING');
  });

  test('it triggers a deployment with a new revision', async () => {
    const before = await get();
    const { body } = await put({});
    expect([before.status, body.status]).toEqual(['DEPLOYED', 'UPLOADING']);
    expect(body.events.at(-1).revision).not.toBe(before.events.at(-1).revision);
    world.clock.advance(1000);
    expect((await get()).status).toBe('DEPLOYED');
  });

  test('the same update twice has the same outcome', async () => {
    const spec = { triggers: [{ id: 'a', type: 'http-async' }], runtime: { memory: 256 } };
    const first = await put(spec);
    const second = await put(spec);
    expect(second.body.spec).toEqual(first.body.spec);
  });

  test('enabled: false deactivates, enabled: true redeploys', async () => {
    await put({ enabled: false });
    world.clock.advance(300);
    expect((await get()).status).toBe('DEACTIVATED');
    await put({ enabled: true });
    world.clock.advance(1000);
    expect((await get()).status).toBe('DEPLOYED');
  });

  test('a rejected update changes nothing', async () => {
    const before = await get();
    expect((await put({ public: true, runtime: { memory: 1 } })).status).toBe(400);
    expect(await get()).toEqual(before);
  });

  test('an agent that is being deleted is 409, however long that takes', async () => {
    Object.assign(world.lifecycles.plan, { deploy: { deleting: '40s' } });
    await callEndpoint(world, 'deleteAgent', { path: { agentName: 'demo-agent' } });
    world.clock.advance(39_000);
    const { status, body } = await put({});
    expect([status, body.message]).toEqual([
      409,
      'Agent "demo-agent" is being deleted. Try again when it is gone, which depends on the mock\'s clock.',
    ]);
  });
});

describe('runtime', () => {
  test('public is for mk3 only', async () => {
    expect((await putMk3({ public: true })).body.spec.public).toBe(true);
    for (const runtime of [{ generation: 'mk2' }, {}, undefined]) {
      const { status, body } = await put({ public: true, ...(runtime && { runtime }) });
      expect([status, body.message]).toEqual([400, expect.stringContaining('spec.public is true')]);
    }
  });

  test('an omitted image gets a default', async () => {
    const image = (await put({ runtime: { memory: 128 } })).body.spec.runtime.image;
    expect(image).toMatch(/^registry\.localhost\/demo\/agents\/demo-agent:[0-9a-f]{8}$/);
    expect((await put({ runtime: { memory: 256 } })).body.spec.runtime.image).not.toBe(image);
    expect((await put({ runtime: { image: 'mine:1' } })).body.spec.runtime.image).toBe('mine:1');
  });

  test('values of secret variables are not returned, those of others are', async () => {
    const envs = [
      { name: 'A', value: 'open' },
      { name: 'B', value: 'hidden', secret: true },
      { name: 'C', value: 'open too', secret: false },
      { name: 'D', valueFrom: { secretKeyRef: { name: 'x', key: 'y' } }, secret: true },
    ];
    const { body } = await put({ runtime: { envs } });
    expect(JSON.stringify(body)).not.toContain('hidden');
    expect(body.spec.runtime.envs).toEqual([envs[0], { name: 'B', value: '********', secret: true }, envs[2], envs[3]]);
  });
});

describe('triggers', () => {
  const idsOf = async (...ids: (string | undefined)[]) => {
    const triggers = ids.map((id) => ({ type: 'http', ...(id !== undefined && { id }) }));
    return (await put({ triggers })).body.spec.triggers.map((trigger: { id: string }) => trigger.id);
  };

  test('a trigger without an id gets one', async () => {
    const ids = await idsOf(undefined, undefined, '');
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^trigger-[0-9a-f]{8}$/);
  });

  test('the first of equal ids keeps it, and no other trigger loses its id', async () => {
    expect(await idsOf('a', 'b')).toEqual(['a', 'b']);
    expect(await idsOf('a', 'a', 'a')).toEqual(['a', 'a-2', 'a-3']);
    expect(await idsOf('a', 'a', 'a-2')).toEqual(['a', 'a-3', 'a-2']);
    expect(await idsOf('a-2', 'a', 'a', 'a-2')).toEqual(['a-2', 'a', 'a-3', 'a-2-2']);
  });

  test('a timeout requires mk3 and is at most 900 seconds', async () => {
    const triggers = (timeout: number) => ({ triggers: [{ type: 'http-async', configuration: { timeout } }] });
    expect((await putMk3(triggers(900))).body.spec.triggers[0].configuration.timeout).toBe(900);
    expect((await putMk3(triggers(0))).status).toBe(200);
    expect((await putMk3(triggers(-1))).body.message).toContain('spec.triggers[0].configuration.timeout is -1');
    expect((await put(triggers(1))).body.message).toContain('mk2');
  });

  test.each(['later', 'example.com/answers', 'ftp://example.com', 'javascript:alert(1)', 'http://'])(
    'the callback URL %j is refused',
    async (callbackUrl) => {
      const triggers = [{ type: 'http-async', configuration: { callbackUrl } }];
      const { status, body } = await putMk3({ triggers });
      expect([status, body.message]).toEqual([400, expect.stringContaining('configuration.callbackUrl is')]);
    },
  );

  test('a schedule is a cron expression with five fields', async () => {
    const triggers = (schedule: string) => ({ triggers: [{ type: 'cron', configuration: { schedule } }] });
    expect((await put(triggers('*/5 9-17 * * MON-FRI'))).status).toBe(200);
    const { status, body } = await put(triggers('61 * * * *'));
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining('spec.triggers[0].configuration.schedule is "61 * * * *"'),
    ]);
  });

  test('a callback secret is generated, only for http-async triggers, and preserved with the id', async () => {
    const configuration = { callbackSecret: 'mine', callbackUrl: 'http://127.0.0.1:9/x' };
    const triggers = [
      { id: 'a', type: 'http-async', configuration },
      { id: 'b', type: 'http', configuration },
      { id: 'c', type: 'http-async' },
    ];
    const first = (await put({ triggers })).body.spec.triggers;
    expect(first.map((trigger: { configuration: object }) => trigger.configuration)).toEqual([
      { callbackUrl: configuration.callbackUrl, callbackSecret: expect.stringMatching(/^[0-9a-f]{32}$/) },
      { callbackUrl: configuration.callbackUrl },
      { callbackSecret: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
    const second = (await put({ triggers: triggers.toReversed() })).body.spec.triggers;
    expect(second.toReversed()).toEqual(first);
  });
});

describe('volumes', () => {
  const volumes = [{ name: 'demo-volume', mountPath: '/data' }];

  test('a volume of the same workspace and region can be mounted', async () => {
    expect((await put({ region: 'local', volumes })).body.spec.volumes).toEqual(volumes);
  });

  test('they need a region', async () => {
    expect((await put({ volumes })).body.message).toContain('spec.region');
    expect((await put({ region: '', volumes })).body.message).toContain('spec.region is ""; allowed: a region');
    expect((await put({ volumes: [] })).status).toBe(200);
  });

  test('an unknown volume, or one of another region or workspace, is 400', async () => {
    const refused = [
      { region: 'eu-west-1', volumes },
      { region: 'local', volumes: [...volumes, { name: 'no-such-volume', mountPath: '/x' }] },
      { region: 'local', volumes: [{ mountPath: '/x' }] },
    ];
    for (const spec of refused) {
      const { status, body } = await put(spec);
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^spec\.volumes\[\d\]\.name is /)]);
    }
    await callEndpoint(world, 'createVolume', {
      body: { metadata: { name: 'elsewhere' }, spec: { region: 'local' } },
      workspace: 'demo-staging',
    });
    expect((await put({ region: 'local', volumes: [{ name: 'elsewhere', mountPath: '/x' }] })).status).toBe(400);
  });

  test('a volume that is being deleted cannot be mounted', async () => {
    await callEndpoint(world, 'createVolume', { body: { metadata: { name: 'spare' }, spec: { region: 'local' } } });
    await callEndpoint(world, 'deleteVolume', { path: { volumeName: 'spare' } });
    expect((await put({ region: 'local', volumes: [{ name: 'spare', mountPath: '/spare' }] })).status).toBe(400);
  });
});
