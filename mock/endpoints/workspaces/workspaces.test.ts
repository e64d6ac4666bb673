import { beforeEach, expect, test } from 'vitest';
import type { World } from '../../world/world.ts';
import { callEndpoint, frozenWorld } from '../../testing/call-endpoint.ts';

let world: World;
beforeEach(() => {
  world = frozenWorld();
});

test('a caller can read its own account', async () => {
  expect((await callEndpoint(world, 'listAccounts')).body).toEqual([
    {
      id: 'acc-demo',
      displayName: 'Demo Company',
      plan: 'team',
      workspaces: ['demo', 'demo-staging', 'demo-research'],
    },
  ]);
  expect((await callEndpoint(world, 'listAccounts', { as: 'foreignAdmin' })).body[0].id).toBe('acc-other');
});

const namesSeenBy = async (as: string) =>
  (await callEndpoint(world, 'listWorkspaces', { as })).body.map(
    ({ metadata }: { metadata: { name: string } }) => metadata.name,
  );

test('an account admin can read every workspace, other callers their own', async () => {
  expect(await namesSeenBy('admin')).toEqual(['demo', 'demo-staging', 'demo-research']);
  expect(await namesSeenBy('member')).toEqual(['demo', 'demo-staging']);
  expect(await namesSeenBy('foreignAdmin')).toEqual(['other']);
});

test('the creator of a workspace can use it', async () => {
  const body = { metadata: { name: 'fresh' }, spec: { region: 'eu-west-1' } };
  expect((await callEndpoint(world, 'createWorkspace', { body, as: 'member' })).status).toBe(200);
  expect(world.workspaces.get('fresh')).toEqual({ name: 'fresh', account: 'acc-demo', region: 'eu-west-1' });
  expect(await namesSeenBy('member')).toContain('fresh');
});

test('workspace names are unique across accounts', async () => {
  const body = { metadata: { name: 'demo' }, spec: {} };
  expect((await callEndpoint(world, 'createWorkspace', { body, as: 'foreignAdmin' })).status).toBe(409);
});

test('only an empty workspace can be deleted', async () => {
  const path = { workspaceName: 'demo' };
  expect((await callEndpoint(world, 'deleteWorkspace', { path })).status).toBe(409);
  await callEndpoint(world, 'createWorkspace', { body: { metadata: { name: 'fresh' }, spec: {} } });
  expect((await callEndpoint(world, 'deleteWorkspace', { path: { workspaceName: 'fresh' } })).status).toBe(200);
  expect(world.workspaces.has('fresh')).toBe(false);
});

test('a role ends with its workspace', async () => {
  const body = { metadata: { name: 'fresh' }, spec: {} };
  await callEndpoint(world, 'createWorkspace', { body, as: 'member' });
  await callEndpoint(world, 'deleteWorkspace', { path: { workspaceName: 'fresh' } });
  await callEndpoint(world, 'createWorkspace', { body, as: 'admin' });
  expect(await namesSeenBy('member')).toEqual(['demo', 'demo-staging']);
});

const ofResearch = { workspaceName: 'demo-research' };
const invite = (userId: string) => callEndpoint(world, 'inviteToWorkspace', { path: { ...ofResearch, userId } });

test('an invited user has a role after accepting, and none after leaving', async () => {
  expect((await callEndpoint(world, 'acceptWorkspaceInvitation', { path: ofResearch, as: 'member' })).status).toBe(404);
  expect((await invite('mo@demo.example')).status).toBe(200);
  const listed = async () => (await callEndpoint(world, 'listWorkspaceUsers', { path: ofResearch })).body as object[];
  expect(await listed()).toContainEqual({ userId: 'mo@demo.example', role: 'workspace-member', accepted: false });
  expect(await namesSeenBy('member')).not.toContain('demo-research');
  await callEndpoint(world, 'acceptWorkspaceInvitation', { path: ofResearch, as: 'member' });
  expect(await listed()).toContainEqual({ userId: 'mo@demo.example', role: 'workspace-member', accepted: true });
  expect(await namesSeenBy('member')).toContain('demo-research');
  expect((await invite('mo@demo.example')).status).toBe(409);
  await callEndpoint(world, 'leaveWorkspace', { path: ofResearch, as: 'member' });
  expect(await namesSeenBy('member')).not.toContain('demo-research');
  expect((await callEndpoint(world, 'leaveWorkspace', { path: ofResearch, as: 'member' })).status).toBe(404);
});

test('a declined invitation cannot be accepted, and a removed user has no role', async () => {
  await invite('mo@demo.example');
  await callEndpoint(world, 'declineWorkspaceInvitation', { path: ofResearch, as: 'member' });
  expect((await callEndpoint(world, 'acceptWorkspaceInvitation', { path: ofResearch, as: 'member' })).status).toBe(404);
  const remove = () =>
    callEndpoint(world, 'removeFromWorkspace', { path: { workspaceName: 'demo', userId: 'mo@demo.example' } });
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
  expect(await namesSeenBy('member')).toEqual(['demo-staging']);
});

test('users and workspaces of another account are unknown', async () => {
  expect((await invite('olga@other.example')).status).toBe(404);
  const path = { workspaceName: 'demo', userId: 'olga@other.example' };
  expect((await callEndpoint(world, 'inviteToWorkspace', { path, as: 'foreignAdmin' })).status).toBe(404);
});

test('only admins invite and remove users', async () => {
  const ofDemo = { workspaceName: 'demo' };
  const remove = { path: { ...ofDemo, userId: 'ada@demo.example' }, as: 'member' };
  expect((await callEndpoint(world, 'removeFromWorkspace', remove)).status).toBe(403);
  const self = { path: { ...ofResearch, userId: 'mo@demo.example' }, as: 'member' };
  expect((await callEndpoint(world, 'inviteToWorkspace', self)).status).toBe(403);
});

test('an invitation ends with its workspace', async () => {
  const body = { metadata: { name: 'fresh' }, spec: { region: 'local' } };
  const fresh = { workspaceName: 'fresh' };
  await callEndpoint(world, 'createWorkspace', { body });
  await callEndpoint(world, 'inviteToWorkspace', { path: { ...fresh, userId: 'mo@demo.example' } });
  await callEndpoint(world, 'deleteWorkspace', { path: fresh });
  await callEndpoint(world, 'createWorkspace', { body });
  expect((await callEndpoint(world, 'acceptWorkspaceInvitation', { path: fresh, as: 'member' })).status).toBe(404);
});
