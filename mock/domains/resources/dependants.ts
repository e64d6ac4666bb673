/** Resources that others use cannot be deleted: one policy for all kinds. Nested resources are deleted with their parent. */
import { inUse } from '../../http/problems.ts';
import { isObject, type JsonObject } from '../../../spec/json-object.ts';
import { isBeingDeleted, type Deployment } from '../../state/deployments.ts';
import { imagesInUse, servedVolumes } from '../../state/revisions.ts';
import { listResources, type Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import type { Instant } from '../../time/clock.ts';
import type { KindId, Place } from './kind.ts';
import { mountedVolumes } from './mounted-volumes.ts';

/** Names that a resource refers to. */
type References = (resource: Resource, now: Instant) => readonly unknown[];

const listed =
  (member: string): References =>
  ({ spec }) =>
    Array.isArray(spec[member]) ? (spec[member] as readonly unknown[]) : [];

/** The volumes of its spec, of the revision that serves, and of the revisions that its spec names. */
const usedVolumes: References = (resource, now) => [
  ...mountedVolumes(resource.spec),
  ...servedVolumes(resource.deployments, now),
  ...namedRevisions(resource).flatMap(({ volumes }) => volumes ?? []),
];

/** The images of its newest deployment, and of the revisions that its spec names; none once its deletion has begun. */
export function usedImages(resource: Resource, now: Instant): string[] {
  if (isBeingDeleted(resource.deployments)) return [];
  return [...imagesInUse(resource.deployments, now), ...namedRevisions(resource).flatMap(({ image }) => image ?? [])];
}

/** The deployments of the active and the canary revision. */
function namedRevisions({ spec, deployments }: Resource): Deployment[] {
  const { active, canary }: JsonObject = isObject(spec['revision']) ? spec['revision'] : {};
  return deployments.filter(({ revision }) => revision === active || revision === canary);
}

/** By kind: the collections whose resources may use it, and how they refer to it. */
const users: { readonly [Id in KindId]?: Readonly<Record<string, References>> } = {
  volumes: {
    agents: usedVolumes,
    functions: usedVolumes,
    models: usedVolumes,
    sandboxes: usedVolumes,
    jobs: usedVolumes,
  },
  'integrations/connections': { functions: listed('integrationConnections') },
  policies: {
    agents: listed('policies'),
    functions: listed('policies'),
    models: listed('policies'),
    sandboxes: listed('policies'),
    jobs: listed('policies'),
  },
  images: { agents: usedImages, functions: usedImages, sandboxes: usedImages, jobs: usedImages },
};

/** Throws a 409 problem that names the users. A user whose deletion has begun does not count. */
export function requireUnused(world: WorldState, { id, kind, workspace }: Place, resource: Resource): void {
  const now = world.clock.now();
  // Others refer to an image by its reference, not by its name.
  const name = id === 'images' ? resource.spec['reference'] : resource.name;
  const found = Object.entries(users[id] ?? {}).flatMap(([collection, referencesOf]) =>
    listResources(world, `${workspace.name}/${collection}`)
      .filter((user) => !isBeingDeleted(user.deployments) && referencesOf(user, now).includes(name))
      .map((user) => `${collection}/${user.name}`),
  );
  if (found.length > 0) throw inUse(kind.noun, resource.name, found);
}
