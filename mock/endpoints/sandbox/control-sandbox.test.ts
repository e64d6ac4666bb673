import { expect, test } from 'vitest';
import { callEndpoint, frozenWorld } from '../../testing/call-endpoint.ts';

test('a stopped sandbox accepts no requests until it is started and deployed', async () => {
  const world = frozenWorld();
  const path = { sandboxName: 'demo-box' };
  const status = async () => (await callEndpoint(world, 'getSandbox', { path })).body.status;
  expect((await callEndpoint(world, 'stopSandbox', { path })).body.status).toBe('DEACTIVATING');
  world.clock.advance(1000);
  expect(await status()).toBe('DEACTIVATED');
  expect((await callEndpoint(world, 'readTree', { path: { ...path, path: 'app' } })).status).toBe(503);
  expect((await callEndpoint(world, 'startSandbox', { path })).body.status).toBe('UPLOADING');
  world.clock.advance(2000);
  expect(await status()).toBe('DEPLOYED');
  expect((await callEndpoint(world, 'readTree', { path: { ...path, path: 'app' } })).status).toBe(200);
});

test('a sandbox that is being deleted cannot be started', async () => {
  const world = frozenWorld();
  const path = { sandboxName: 'demo-box' };
  await callEndpoint(world, 'deleteSandbox', { path });
  expect((await callEndpoint(world, 'startSandbox', { path })).status).toBe(409);
});

test('the image of a stopped sandbox, which a cleanup removes, is back when it is started', async () => {
  const world = frozenWorld();
  const path = { sandboxName: 'own' };
  await callEndpoint(world, 'createSandbox', { body: { metadata: { name: 'own' }, spec: {} } });
  const count = async () => (await callEndpoint(world, 'listImages')).body.length;
  await callEndpoint(world, 'deleteUnusedImages');
  const before = await count();
  await callEndpoint(world, 'stopSandbox', { path });
  world.clock.advance(1000);
  await callEndpoint(world, 'deleteUnusedImages');
  expect(await count()).toBe(before - 1);
  await callEndpoint(world, 'startSandbox', { path });
  expect(await count()).toBe(before);
});

test('a disabled sandbox cannot be started', async () => {
  const world = frozenWorld();
  const path = { sandboxName: 'demo-box' };
  const body = { metadata: { name: 'demo-box' }, spec: { enabled: false } };
  await callEndpoint(world, 'updateSandbox', { path, body });
  world.clock.advance(1000);
  const { status, body: problem } = await callEndpoint(world, 'startSandbox', { path });
  expect([status, problem.message]).toEqual([409, 'Sandbox "demo-box" is disabled (spec.enabled is false).']);
});
