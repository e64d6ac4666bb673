/** Removes the images of the workspace's registry that no active deployment runs. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { usedImages } from '../../domains/resources/dependants.ts';
import { kindIds, kinds, placeOf } from '../../domains/resources/kinds.ts';
import { dropResource, listResources } from '../../state/resources.ts';
import type { Workspace } from '../../state/accounts.ts';
import type { World } from '../../world/world.ts';

export const deleteUnusedImages: Endpoint<'deleteUnusedImages'> = ({ world, workspace }) => {
  const { key } = placeOf('images', workspace);
  const inUse = referencedImages(world, workspace);
  const unused = listResources(world, key).filter(({ spec }) => !inUse.has(spec['reference']));
  for (const { name } of unused) dropResource(world, key, name);
  const message =
    unused.length === 0
      ? 'No image is unused.'
      : `Deleted ${unused.length} unused image${unused.length > 1 ? 's' : ''}.`;
  return ok({ deleted: unused.length, message });
};

function referencedImages(world: World, workspace: Workspace): Set<unknown> {
  const now = world.clock.now();
  const deployed = kindIds.filter((id) => kinds[id].course === 'deploy');
  const resources = deployed.flatMap((id) => listResources(world, placeOf(id, workspace).key));
  return new Set(resources.flatMap((resource) => usedImages(resource, now)));
}
