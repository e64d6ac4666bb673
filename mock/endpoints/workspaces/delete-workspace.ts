/** Deletes an empty workspace. */
import type { Endpoint } from '../endpoint.ts';
import { notEmpty } from '../../http/problems.ts';
import { placeOf } from '../../domains/resources/kinds.ts';
import { listResources } from '../../state/resources.ts';
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
  world.invitations.delete(name);
  endRoles(world, name);
  return reply;
};

/** Removes all roles, so that a later workspace of this name starts without them. */
function endRoles({ callers }: World, workspace: string): void {
  for (const { workspaces } of callers.values()) {
    const index = workspaces.findIndex(({ name }) => name === workspace);
    if (index !== -1) workspaces.splice(index, 1);
  }
}

function collectionsIn(world: World, workspace: string): string[] {
  const prefix = `${workspace}/`;
  const own = [...world.resources.keys()].filter((key) => key.startsWith(prefix));
  return own.filter((key) => listResources(world, key).length > 0).map((key) => key.slice(prefix.length));
}
