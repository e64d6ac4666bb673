/** Which function a call is for, and whether it takes requests now. */
import { notServing } from '../inference/serving.ts';
import { notFound } from '../problems.ts';
import type { Workspace } from '../world/accounts.ts';
import { servesAt, statusAt } from '../world/deployments.ts';
import { findResource, type Resource } from '../world/resources.ts';
import type { World } from '../world/world.ts';

/** Throws notFound where there is none, and notServing where none of its revisions takes requests. */
export function servingFunction(world: World, workspace: Workspace, name: string): Resource {
  const resource = findResource(world, `${workspace.name}/functions`, name);
  if (resource === undefined) throw notFound('Function', name);
  const { spec, deployments } = resource;
  const now = world.clock.now();
  if (spec['enabled'] === false) throw notServing(`Function "${name}" is disabled (spec.enabled is false)`);
  if (!servesAt(deployments, now)) {
    const status = statusAt(deployments, now) ?? 'TERMINATED';
    throw notServing(`Function "${name}" is ${status}, and takes requests when it is DEPLOYED`);
  }
  return resource;
}
