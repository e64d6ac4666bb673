import { beforeEach, expect, test } from 'vitest';
import type { World } from '../../world/world.ts';
import { callEndpoint, frozenWorld } from '../../testing/call-endpoint.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld();
});

const clean = async () => (await callEndpoint(world, 'deleteUnusedImages')).body.deleted;
const put = (spec: object) =>
  callEndpoint(world, 'updateAgent', {
    path: { agentName: 'demo-agent' },
    body: { metadata: { name: 'demo-agent' }, spec },
  });

test('the first cleanup removes images of deleted agents, the second nothing', async () => {
  const before = (await callEndpoint(world, 'listImages')).body.length;
  expect([await clean(), await clean()]).toEqual([3, 0]);
  expect((await callEndpoint(world, 'listImages')).body).toHaveLength(before - 3);
});

test('an image stays in use while its deployment is being replaced, and is removed afterwards', async () => {
  await clean();
  await put({ runtime: { memory: 64 } });
  expect(await clean()).toBe(0);
  world.clock.advance(1000);
  expect([await clean(), await clean()]).toEqual([1, 0]);
});

test('the image of every kind of workload is in use', async () => {
  await clean();
  const { body: images } = await callEndpoint(world, 'listImages');
  const references = images.map(({ spec }: { spec: { reference: string } }) => spec.reference);
  for (const collection of ['agents/demo-agent', 'functions/demo-tools', 'jobs/demo-job']) {
    expect(references).toContainEqual(expect.stringContaining(`/demo/${collection}:`));
  }
});

test('the image of a deactivated or deleted workload is unused', async () => {
  await clean();
  await put({ enabled: false });
  world.clock.advance(1000);
  // From the start of the deletion on.
  await callEndpoint(world, 'deleteJob', { path: { jobName: 'demo-job' } });
  // The agent's of before the update and of after it, and the job's.
  expect(await clean()).toBe(3);
});

test('a revision whose image was removed cannot be activated; an active one stays until another one is', async () => {
  const { body: before } = await callEndpoint(world, 'getAgent', { path: { agentName: 'demo-agent' } });
  const first = before.events.at(-1).revision;
  const activate = (active: string) => put({ runtime: { memory: 4096 }, revision: { active } });
  await activate(first);
  world.clock.advance(1000);
  await clean();
  expect((await activate(first)).status).toBe(200);
  world.clock.advance(1000);
  await activate('');
  world.clock.advance(1000);
  expect(await clean()).toBe(1);
  const { status, body } = await activate(first);
  expect([status, body.message]).toEqual([400, expect.stringContaining('a revision whose image exists; it runs "')]);
});

test('the registry of another workspace is not changed', async () => {
  const before = (await callEndpoint(world, 'listImages', { workspace: 'demo-staging' })).body;
  await clean();
  expect((await callEndpoint(world, 'listImages', { workspace: 'demo-staging' })).body).toEqual(before);
});
