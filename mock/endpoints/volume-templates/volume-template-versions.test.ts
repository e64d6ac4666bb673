import { beforeEach, expect, test } from 'vitest';
import type { World } from '../../world/world.ts';
import { callEndpoint, frozenWorld } from '../../testing/call-endpoint.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld();
});

const path = { volumeTemplateName: 'demo-template', versionName: 'v5' };

test('deleting a version returns the template without it', async () => {
  const { status, body } = await callEndpoint(world, 'deleteVolumeTemplateVersion', { path });
  expect([status, body.message]).toEqual([200, 'Version "v5" of volume template "demo-template" is deleted.']);
  expect(body.template.state).toMatchObject({ versionCount: 4, latestVersion: 'v4' });
  expect(body.template.versions.map(({ name }: { name: string }) => name)).toEqual(['v1', 'v2', 'v3', 'v4']);
  for (const version of body.template.versions) expect(version.templateName).toBe('demo-template');
  expect((await callEndpoint(world, 'deleteVolumeTemplateVersion', { path })).status).toBe(404);
});

test('a version is created as a separate record', async () => {
  const of = { path: { volumeTemplateName: 'demo-template' } };
  const { body } = await callEndpoint(world, 'createVolumeTemplateVersion', {
    ...of,
    body: { name: 'v6', contentSize: 7, versionId: 'mine' },
  });
  expect(body).toEqual({
    name: 'v6',
    contentSize: 7,
    templateName: 'demo-template',
    workspace: 'demo',
    region: 'local',
    bucket: 'templates-demo',
    versionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const { body: template } = await callEndpoint(world, 'getVolumeTemplate', of);
  expect(template.state).toEqual({
    versionCount: 6,
    latestVersion: 'v6',
    lastVersionUploadedAt: '2026-11-21T07:00:00.000Z',
  });
  expect((await callEndpoint(world, 'createVolumeTemplateVersion', { ...of, body: { contentSize: 7 } })).status).toBe(
    400,
  );
});

test('a template without versions has no latest one', async () => {
  const { body } = await callEndpoint(world, 'createVolumeTemplate', {
    body: { metadata: { name: 'empty' }, spec: {} },
  });
  expect([body.state, body.versions]).toEqual([{ versionCount: 0 }, []]);
});
