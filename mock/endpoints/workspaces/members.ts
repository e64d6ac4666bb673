/** Invitations to workspaces and roles in them. Each call that changes them returns the workspace. */
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { resourceBody } from '../../domains/resources/envelope.ts';
import { placeOf } from '../../domains/resources/kinds.ts';
import { alreadyMember, forbidden, notFound } from '../../http/problems.ts';
import { ok, type Reply } from '../../http/reply.ts';
import { administers, type Caller } from '../../state/accounts.ts';
import { findResource } from '../../state/resources.ts';
import type { World } from '../../world/world.ts';

type OfWorkspace =
  | 'inviteToWorkspace'
  | 'acceptWorkspaceInvitation'
  | 'declineWorkspaceInvitation'
  | 'leaveWorkspace'
  | 'removeFromWorkspace'
  | 'listWorkspaceUsers';

export const listWorkspaceUsers: Endpoint<'listWorkspaceUsers'> = (call) => {
  const { world, path } = call;
  workspaceReply(call);
  const members = [...world.callers.values()].flatMap(({ id, kind, workspaces }) => {
    const role = workspaces.find(({ name }) => name === path.workspaceName)?.role;
    return role === undefined || kind !== 'user' ? [] : [{ userId: id, role, accepted: true }];
  });
  const invitees = invited(world, path.workspaceName).map((userId) => ({ userId, role: MEMBER, accepted: false }));
  return ok([...members, ...invitees]);
};

/** The role of users that accept an invitation. */
const MEMBER = 'workspace-member';

export const inviteToWorkspace: Endpoint<'inviteToWorkspace'> = (call) => {
  const { world, path } = call;
  const reply = workspaceReply(call);
  requireAdmin(call);
  const user = world.callers.get(path.userId);
  if (user === undefined || user.account !== world.workspaces.get(path.workspaceName)?.account)
    throw notFound('User', path.userId);
  if (hasRole(user, path.workspaceName)) throw alreadyMember(user.id, path.workspaceName);
  removeInvitation(world, path.workspaceName, user.id);
  world.invitations.set(path.workspaceName, [...invited(world, path.workspaceName), user.id]);
  return reply;
};

export const acceptWorkspaceInvitation: Endpoint<'acceptWorkspaceInvitation'> = (call) => {
  const { world, path, credential } = call;
  requireInvitation(call);
  credential.caller.workspaces.push({ name: path.workspaceName, role: MEMBER });
  removeInvitation(world, path.workspaceName, credential.caller.id);
  return workspaceReply(call);
};

export const declineWorkspaceInvitation: Endpoint<'declineWorkspaceInvitation'> = (call) => {
  requireInvitation(call);
  removeInvitation(call.world, call.path.workspaceName, call.credential.caller.id);
  return workspaceReply(call);
};

export const leaveWorkspace: Endpoint<'leaveWorkspace'> = (call) => {
  const { path, credential } = call;
  const reply = workspaceReply(call);
  if (!endRole(credential.caller, path.workspaceName)) throw notFound('Your role in workspace', path.workspaceName);
  return reply;
};

export const removeFromWorkspace: Endpoint<'removeFromWorkspace'> = (call) => {
  const { world, path } = call;
  const reply = workspaceReply(call);
  requireAdmin(call);
  const user = world.callers.get(path.userId);
  const wasInvited = removeInvitation(world, path.workspaceName, path.userId);
  const hadRole = user !== undefined && endRole(user, path.workspaceName);
  if (!wasInvited && !hadRole) throw notFound('User', path.userId);
  return reply;
};

/** Throws notFound if the workspace does not exist in the account of the caller. */
function workspaceReply<Id extends OfWorkspace>({ world, path, credential }: Call<Id>): Reply<never> {
  const { workspaceName: name } = path;
  const workspace = world.workspaces.get(name);
  const place = workspace?.account === credential.caller.account ? placeOf('workspaces', workspace) : undefined;
  const resource = place && findResource(world, place.key, name);
  if (place === undefined || resource === undefined) throw notFound('Workspace', name);
  return ok(resourceBody(world, place, resource) as never);
}

function requireAdmin<Id extends OfWorkspace>({ world, path, credential }: Call<Id>): void {
  const workspace = world.workspaces.get(path.workspaceName);
  if (workspace !== undefined && administers(credential.caller, workspace)) return;
  throw forbidden(`Only admins of workspace "${path.workspaceName}" may invite and remove users.`);
}

function requireInvitation<Id extends OfWorkspace & OperationId>({ world, path, credential }: Call<Id>): void {
  const { workspaceName: name } = path;
  if (!invited(world, name).includes(credential.caller.id)) throw notFound('Your invitation to workspace', name);
}

function invited({ invitations }: World, workspace: string): readonly string[] {
  return invitations.get(workspace) ?? [];
}

/** Whether the caller was invited. */
function removeInvitation(world: World, workspace: string, caller: string): boolean {
  const before = invited(world, workspace);
  world.invitations.set(
    workspace,
    before.filter((id) => id !== caller),
  );
  return before.includes(caller);
}

function hasRole({ workspaces }: Caller, workspace: string): boolean {
  return workspaces.some(({ name }) => name === workspace);
}

/** Whether the caller had a role. */
function endRole({ workspaces }: Caller, workspace: string): boolean {
  const index = workspaces.findIndex(({ name }) => name === workspace);
  if (index !== -1) workspaces.splice(index, 1);
  return index !== -1;
}
