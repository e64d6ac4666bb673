/** Deletes a workspace that has nothing in it. */
import type { Endpoint } from '../../endpoint.ts';
import { notEmpty } from '../../problems.ts';
import { placeOf } from '../../world/kinds.ts';
import { listResources } from '../../world/resources.ts';
import type { World } from '../../world/world.ts';
import * as uniform from '../uniform.ts';

const remove = uniform.remove<'deleteWorkspace'>('workspaces');

export const deleteWorkspace: Endpoint<'deleteWorkspace'> = async (call) => {
  const { world, path } = call;
  const { name } = uniform.existing(call, placeOf('workspaces', call.workspace));
  const held = collectionsIn(world, name);
  if (held.length > 0) throw notEmpty('Workspace', name, held.join(', '));
  const reply = await remove(call);
  world.workspaces.delete(path.workspaceName);
  return reply;
};

function collectionsIn(world: World, workspace: string): string[] {
  const prefix = `${workspace}/`;
  const own = [...world.resources.keys()].filter((key) => key.startsWith(prefix));
  return own.filter((key) => listResources(world, key).length > 0).map((key) => key.slice(prefix.length));
}
