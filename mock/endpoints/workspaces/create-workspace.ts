/** Creates a workspace, which its creator may use from then on. */
import type { Endpoint } from '../endpoint.ts';
import { alreadyExists } from '../../http/problems.ts';
import * as uniform from '../uniform.ts';

const create = uniform.create<'createWorkspace'>('workspaces');

export const createWorkspace: Endpoint<'createWorkspace'> = async (call) => {
  const { world, body, credential, workspace } = call;
  const { name } = body.metadata;
  // Workspace names are part of workload URLs, so they are unique across accounts.
  if (world.workspaces.has(name)) throw alreadyExists('Workspace', name);
  const reply = await create(call);
  const region = typeof body.spec['region'] === 'string' ? body.spec['region'] : workspace.region;
  world.workspaces.set(name, { name, account: workspace.account, region });
  credential.caller.workspaces.push({ name, role: 'workspace-admin' });
  return reply;
};
