/** Which workload a call is for, and whether it takes requests now. */
import { notFound, Problem } from '../problems.ts';
import type { Workspace } from '../world/accounts.ts';
import { servesAt, statusAt } from '../world/deployments.ts';
import { placeOf } from '../world/kinds.ts';
import { findResource, type Resource } from '../world/resources.ts';
import type { World } from '../world/world.ts';

export interface Workload {
  readonly workspace: Workspace;
  readonly collection: 'agents' | 'models';
  readonly resource: Resource;
}

/** `agents/demo-agent`. */
export function nameOf({ collection, resource }: Workload): string {
  return `${collection}/${resource.name}`;
}

/** Undefined where there is none. */
export function findWorkload(
  world: World,
  workspace: Workspace,
  collection: Workload['collection'],
  name: string,
): Workload | undefined {
  const resource = findResource(world, placeOf(collection, workspace).key, name);
  return resource && { workspace, collection, resource };
}

/** Throws notFound where there is no such workload, and notServing where none of its revisions takes requests. */
export function servingWorkload(
  world: World,
  workspace: Workspace,
  collection: Workload['collection'],
  name: string,
): Workload {
  const workload = findWorkload(world, workspace, collection, name);
  const noun = collection === 'agents' ? 'Agent' : 'Model';
  if (workload === undefined) throw notFound(noun, name);
  requireServing(world, noun, workload);
  return workload;
}

function requireServing(world: World, noun: string, { resource: { name, spec, deployments } }: Workload): void {
  const now = world.clock.now();
  if (spec['enabled'] === false) throw notServing(`${noun} "${name}" is disabled (spec.enabled is false)`);
  if (!servesAt(deployments, now)) {
    throw notServing(
      `${noun} "${name}" is ${statusAt(deployments, now) ?? 'TERMINATED'}, and takes requests when it is DEPLOYED`,
    );
  }
}

export function notServing(reason: string): Problem {
  return new Problem(503, 'not_serving', `${reason}.`);
}
