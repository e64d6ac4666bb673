import { beforeEach, expect, test } from 'vitest';
import { bodyFindings } from '../../../spec/validators.ts';
import type { World } from '../../world/world.ts';
import { callEndpoint, frozenWorld } from '../../testing/call-endpoint.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld();
});

const path = { sandboxName: 'demo-box', previewName: 'web', tokenName: 't1' };

test('a deleted token cannot be deleted again', async () => {
  const { status, body } = await callEndpoint(world, 'deleteSandboxPreviewToken', { path });
  expect([status, body]).toEqual([200, { message: 'Preview token "t1" of preview "web" is deleted.' }]);
  expect((await callEndpoint(world, 'deleteSandboxPreviewToken', { path })).status).toBe(404);
  expect((await callEndpoint(world, 'getSandboxPreviewToken', { path: { ...path, tokenName: 't2' } })).status).toBe(
    200,
  );
});

test('the server generates its value', async () => {
  const body = { metadata: { name: 'mine' }, spec: { token: 'chosen' } };
  const created = await callEndpoint(world, 'createSandboxPreviewToken', { path, body });
  expect(created.body.spec.token).toMatch(/^[0-9a-f]{40}$/);
});

test.each([
  {},
  { metadata: 5 },
  { metadata: {} },
  { metadata: { name: 5 } },
  { metadata: { name: 'A' } },
  { metadata: { name: 'x'.repeat(50) } },
  { metadata: { name: 't', labels: { a: 5 } } },
  { metadata: { name: 't', displayName: 'x'.repeat(64) } },
])('%j does not fit what a token is made of', (body) => {
  expect(bodyFindings('createSandboxPreviewToken', body)).not.toEqual([]);
});
