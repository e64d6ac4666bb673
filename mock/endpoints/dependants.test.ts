import { beforeEach, expect, test } from 'vitest';
import type { World } from '../world/world.ts';
import { usedImages } from '../domains/resources/dependants.ts';
import { callEndpoint, frozenWorld } from '../testing/call-endpoint.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld();
});

const put = (spec: object) =>
  callEndpoint(world, 'updateAgent', {
    path: { agentName: 'demo-agent' },
    body: { metadata: { name: 'demo-agent' }, spec },
  });
const deletions = {
  volume: () => callEndpoint(world, 'deleteVolume', { path: { volumeName: 'spare' } }),
  policy: () => callEndpoint(world, 'deletePolicy', { path: { policyName: 'spare' } }),
  connection: () => callEndpoint(world, 'deleteIntegrationConnection', { path: { connectionName: 'spare' } }),
} as const;
const body = (spec: object) => ({ metadata: { name: 'spare' }, spec });

test('a mounted volume is refused until no agent mounts it', async () => {
  await callEndpoint(world, 'createVolume', { body: body({ region: 'local' }) });
  await put({ region: 'local', volumes: [{ name: 'spare', mountPath: '/spare' }] });
  const refused = await deletions.volume();
  expect([refused.status, refused.body.message]).toEqual([409, 'Volume "spare" is in use by agents/demo-agent.']);
  await put({});
  expect((await deletions.volume()).status).toBe(200);
});

test.each(['Agent', 'Function', 'Model', 'Sandbox', 'Job'] as const)(
  'a %s can only mount a volume that exists, which then cannot be deleted',
  async (kind) => {
    const create = () =>
      callEndpoint(world, `create${kind}`, {
        body: {
          metadata: { name: 'user' },
          spec: { region: 'local', volumes: [{ name: 'spare', mountPath: '/spare' }] },
        },
      });
    expect((await create()).status).toBe(400);
    await callEndpoint(world, 'createVolume', { body: body({ region: 'local' }) });
    expect((await create()).status).toBe(200);
    expect((await deletions.volume()).body.message).toBe(
      `Volume "spare" is in use by ${kind.toLowerCase().replace(/x$/, 'xe')}s/user.`,
    );
  },
);

test('a volume of the revision that serves is refused, also after the update that unmounts it has failed', async () => {
  await callEndpoint(world, 'createVolume', { body: body({ region: 'local' }) });
  await put({ region: 'local', volumes: [{ name: 'spare', mountPath: '/spare' }] });
  world.clock.advance(5000);
  Object.assign(world.lifecycles.plan, {
    deploy: { failures: [{ resource: 'agents/demo-agent', at: 'building', times: 1 }] },
  });
  await put({});
  expect((await deletions.volume()).status).toBe(409);
  world.clock.advance(5000);
  expect((await deletions.volume()).status).toBe(409);
  await put({});
  world.clock.advance(5000);
  expect((await deletions.volume()).status).toBe(200);
});

test('a volume of the active revision is refused, although the newest spec does not mount it', async () => {
  await callEndpoint(world, 'createVolume', { body: body({ region: 'local' }) });
  await put({ region: 'local', volumes: [{ name: 'spare', mountPath: '/spare' }] });
  const active = world.resources.get('demo/agents')?.get('demo-agent')?.deployments.at(-1)?.revision;
  world.clock.advance(5000);
  await put({ revision: { active } });
  world.clock.advance(5000);
  expect((await deletions.volume()).status).toBe(409);
});

test('an agent whose deletion has begun uses nothing', async () => {
  await callEndpoint(world, 'createPolicy', { body: body({ type: 'location', locations: ['local'] }) });
  await put({ policies: ['spare'] });
  expect((await deletions.policy()).status).toBe(409);
  await callEndpoint(world, 'deleteAgent', { path: { agentName: 'demo-agent' } });
  expect((await deletions.policy()).status).toBe(200);
});

test('a connection is refused while a function names it', async () => {
  await callEndpoint(world, 'createIntegrationConnection', {
    body: body({ integration: 'github', secret: { TOKEN: 't' } }),
  });
  const spec = { type: 'mcp', integrationConnections: ['spare'], runtime: { type: 'mcp' } };
  await callEndpoint(world, 'createFunction', { body: { metadata: { name: 'tools' }, spec } });
  expect((await deletions.connection()).body.message).toBe(
    'Integration connection "spare" is in use by functions/tools.',
  );
  await callEndpoint(world, 'deleteFunction', { path: { functionName: 'tools' } });
  expect((await deletions.connection()).status).toBe(200);
});

test('an image is refused while a deployment uses it', async () => {
  const { body: images } = await callEndpoint(world, 'listImages');
  const statuses = [];
  for (const { metadata } of images as { metadata: { name: string } }[])
    statuses.push((await callEndpoint(world, 'deleteImage', { path: { imageName: metadata.name } })).status);
  expect(new Set(statuses)).toEqual(new Set([200, 409]));
});

test('the image of a revision that the spec names is in use', async () => {
  const imagesOf = (revision: object) => {
    const deployment = { course: 'deploy', startedAt: 0 } as const;
    const deployments = ['a', 'b', 'c'].map((id) => ({ ...deployment, revision: id, image: `image-${id}` }));
    return usedImages({ spec: { revision }, deployments } as never, 10_000);
  };
  expect(imagesOf({})).toEqual(['image-c']);
  expect(imagesOf({ active: 'a', canary: 'b' })).toEqual(['image-c', 'image-a', 'image-b']);
});

test('an agent that mounts a volume whose deployment failed cannot be deployed, and says why', async () => {
  Object.assign(world.lifecycles.plan, { deploy: { failures: [{ resource: 'volumes/spare', at: 'deploying' }] } });
  await callEndpoint(world, 'createVolume', { body: body({ region: 'local' }) });
  world.clock.advance(1000);
  await put({ region: 'local', volumes: [{ name: 'spare', mountPath: '/spare' }] });
  world.clock.advance(1000);
  const { body: agent } = await callEndpoint(world, 'getAgent', { path: { agentName: 'demo-agent' } });
  expect([agent.status, agent.events.at(-1).message]).toEqual(['FAILED', 'Volume "spare" is FAILED.']);
});
