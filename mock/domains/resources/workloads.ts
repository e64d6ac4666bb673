/** Finds the workload of a call, and checks whether it is serving. */
import { notFound, Problem } from '../../http/problems.ts';
import type { Workspace } from '../../state/accounts.ts';
import { statusAt } from '../../state/deployments.ts';
import { servedSpec, servesAt } from '../../state/revisions.ts';
import { respondingSpecOf } from './canaries.ts';
import { kinds, placeOf } from './kinds.ts';
import { findResource, type Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

export interface Workload {
  readonly workspace: Workspace;
  readonly collection: 'agents' | 'models' | 'functions' | 'jobs' | 'sandboxes';
  readonly resource: Resource;
}

/** `agents/demo-agent`. */
export function nameOf({ collection, resource }: Workload): string {
  return `${collection}/${resource.name}`;
}

/** Undefined if there is none. */
export function findWorkload(
  world: WorldState,
  workspace: Workspace,
  collection: Workload['collection'],
  name: string,
): Workload | undefined {
  const resource = findResource(world, placeOf(collection, workspace).key, name);
  return resource && { workspace, collection, resource };
}

/** With the runtime of the revision that serves. Throws notFound, or notServing if none does. */
export function servingWorkload(
  world: WorldState,
  workspace: Workspace,
  collection: Workload['collection'],
  name: string,
): Workload {
  const workload = findWorkload(world, workspace, collection, name);
  if (workload === undefined) throw notFound(kinds[collection].noun, name);
  requireServing(world, workload);
  return withServedSpec(world, workload);
}

/**
 * With the runtime of the revision that serves; as it is if none does. Of an agent, a canary counts only if it gets all
 * requests.
 */
export function withServedSpec(world: WorldState, workload: Workload): Workload {
  const { workspace, collection, resource } = workload;
  const now = world.clock.now();
  const spec =
    collection === 'agents'
      ? respondingSpecOf(world, workspace, resource, now)
      : servedSpec(resource.spec, resource.deployments, now);
  return { ...workload, resource: { ...resource, spec } };
}

function requireServing(world: WorldState, { collection, resource: { name, spec, deployments } }: Workload): void {
  const { noun } = kinds[collection];
  const now = world.clock.now();
  if (spec['enabled'] === false) throw notServing(`${noun} "${name}" is disabled (spec.enabled is false)`);
  if (!servesAt(deployments, now)) {
    throw notServing(
      `${noun} "${name}" is ${statusAt(deployments, now) ?? 'TERMINATED'}; it serves requests when it is DEPLOYED`,
    );
  }
}

export function notServing(reason: string): Problem {
  return new Problem(503, 'not_serving', `${reason}.`);
}
