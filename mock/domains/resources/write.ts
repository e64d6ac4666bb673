/** Creates, updates and deletes resources of all kinds, for endpoints and world files. */
import { alreadyExists, beingDeleted, invalidField, isDisabled, isStopped } from '../../http/problems.ts';
import type { Instant } from '../../time/clock.ts';
import { isBeingDeleted, withEnding, type Ending } from '../../state/deployments.ts';
import type { Kind, Place, ResourceInput } from './kind.ts';
import { dropNested, dropResource, findResource, putResource, type Resource } from '../../state/resources.ts';
import { type JsonObject } from '../../../spec/json-object.ts';
import { requireUnused } from './dependants.ts';
import { requireWithin } from '../../http/limits.ts';
import { noteStored, requireRoomForBytes, requireRoomForMetering, requireRoomForResource, sizeWith } from './room.ts';
import { restoreImage } from './rules/image.ts';
import { foreignCallbacks } from './rules/foreign-callbacks.ts';
import { beginCourse, deploy, undeploy, type WriteStamp } from './deploy.ts';
import type { ResourceEvent } from '../../state/events.ts';
import type { WorldState } from '../../state/world-state.ts';

const NAME = /^[a-z0-9-]{1,49}$/;

/** Throws a problem for an invalid or existing name, or if a rule of the kind refuses the spec. */
export function createResource(
  world: WorldState,
  place: Place,
  { metadata, spec }: ResourceInput,
  by: WriteStamp,
): Resource {
  const { name } = metadata;
  const { caller, at } = by;
  const { kind, key } = place;
  if (!NAME.test(name))
    throw invalidField('metadata.name', name, 'lowercase letters, digits and hyphens, 1 to 49 characters');
  const taken = findResource(world, key, name);
  if (taken !== undefined) throw refusal(kind, taken);
  requireRoom(world, place, by);
  const completed = complete(world, place, name, spec, at);
  const uuid = kind.meteredAs && world.random.uuid();
  const resource: Resource = {
    name,
    metadata: writableMetadata(metadata),
    spec: completed,
    createdAt: at,
    createdBy: caller,
    updatedAt: at,
    updatedBy: caller,
    deployments: deploy(world, place, { name, spec: completed, past: [], by }),
    ...(uuid && { uuid }),
    ...foreignCallbacks(world, completed, by.origin),
  };
  putResource(world, key, resource);
  noteStored(world, key, resource, by.bytes ?? 0);
  world.events.emit('created', eventOf(place, resource, at));
  return resource;
}

function withoutCallbacks({ foreignCallbacks: _urls, ...rest }: Resource): Resource {
  return rest;
}

function requireRoom(world: WorldState, { kind }: Place, { bytes = 0 }: WriteStamp): void {
  requireRoomForResource(world);
  requireRoomForBytes(world, 2 * bytes);
  if (!kind.meteredAs) return;
  requireWithin(world.limits, 'meteredResources', world.lifetimes.size + 1);
  requireRoomForMetering(world);
}

/** Replaces the writable members. Throws a problem if the body changes the name (naming.name.immutable). */
export function updateResource(
  world: WorldState,
  place: Place,
  before: Resource,
  { metadata, spec }: ResourceInput,
  by: WriteStamp,
): Resource {
  const { kind, key } = place;
  const { name } = before;
  if (metadata.name !== name)
    throw invalidField('metadata.name', metadata.name, `"${name}", since a name cannot change`);
  if (isBeingDeleted(before.deployments)) throw beingDeleted(kind.noun, name);
  const { bytes = 0 } = by;
  requireRoomForBytes(world, sizeWith(before, bytes));
  if (kind.meteredAs) requireRoomForMetering(world);
  const completed = complete(world, place, name, spec, by.at, before);
  const resource: Resource = {
    ...(before.foreignCallbacks === undefined ? before : withoutCallbacks(before)),
    metadata: writableMetadata(metadata),
    spec: completed,
    updatedAt: by.at,
    updatedBy: by.caller,
    deployments: deploy(world, place, { name, spec: completed, past: before.deployments, by }),
    ...foreignCallbacks(world, completed, by.origin, before),
  };
  putResource(world, key, resource);
  noteStored(world, key, resource, bytes);
  world.events.emit('updated', eventOf(place, resource, by.at));
  return resource;
}

/** Begins the deletion of a deployed resource; deletes any other, and all nested resources, at once. Throws a problem if it is in use. */
export function deleteResource(world: WorldState, place: Place, resource: Resource, at: Instant): Resource {
  const { kind, key } = place;
  const { name, deployments } = resource;
  if (isBeingDeleted(deployments)) return resource;
  requireUnused(world, place, resource);
  world.events.emit('deleted', eventOf(place, resource, at));
  if (kind.course === undefined) {
    dropResource(world, key, name);
    return resource;
  }
  const deleting = { ...resource, deployments: undeploy(world, place, resource, at) };
  putResource(world, key, deleting);
  dropNested(world, key, name);
  return deleting;
}

/** Ends the newest deployment of a resource now, as deployed or failed. Throws a problem if it is being deleted. */
export function endDeployment(world: WorldState, place: Place, resource: Resource, ending: Ending): Resource {
  const { kind, key } = place;
  if (isBeingDeleted(resource.deployments)) throw beingDeleted(kind.noun, resource.name);
  if (ending.status === 'DEPLOYED') {
    requireEnabled(place, resource);
    requireStarted(place, resource);
    restoreImage({ world, workspace: place.workspace, at: ending.at, spec: resource.spec });
  }
  const ended = { ...resource, deployments: withEnding(resource.deployments, ending) };
  putResource(world, key, ended);
  world.events.emit('updated', eventOf(place, ended, ending.at));
  return ended;
}

/** Begins a deployment of a resource as it is: `deactivate` stops it, `deploy` starts it. Throws a problem if it is being deleted. */
export function redeploy(
  world: WorldState,
  place: Place,
  resource: Resource,
  course: 'deploy' | 'deactivate',
): Resource {
  const { kind, key } = place;
  if (isBeingDeleted(resource.deployments)) throw beingDeleted(kind.noun, resource.name);
  if (course === 'deploy') requireEnabled(place, resource);
  requireRoomForMetering(world);
  const at = world.clock.now();
  if (course === 'deploy') restoreImage({ world, workspace: place.workspace, at, spec: resource.spec });
  const begun = { ...resource, deployments: beginCourse(world, place, resource, { course, at }) };
  putResource(world, key, begun);
  world.events.emit('updated', eventOf(place, begun, at));
  return begun;
}

function requireEnabled({ kind }: Place, { name, spec }: Resource): void {
  if (spec['enabled'] === false) throw isDisabled(kind.noun, name);
}

function requireStarted({ kind }: Place, { name, deployments }: Resource): void {
  if (deployments.at(-1)?.course === 'deactivate') throw isStopped(kind.noun, name);
}

function eventOf({ id, key, workspace, kind }: Place, resource: Resource, at: Instant): ResourceEvent {
  return { collection: id, key, workspace, resource, at, ...(kind.meteredAs && { meteredAs: kind.meteredAs }) };
}

function refusal({ noun }: Kind, { name, deployments }: Resource): Error {
  return isBeingDeleted(deployments) ? beingDeleted(noun, name) : alreadyExists(noun, name);
}

function complete(
  world: WorldState,
  { kind, workspace, collection }: Place,
  name: string,
  sent: object,
  at: Instant,
  before?: Resource,
): JsonObject {
  const spec = { ...sent };
  const write = { world, workspace, collection, name, at, sent: sent as JsonObject, spec, ...(before && { before }) };
  for (const rule of kind.rules) rule(write);
  return spec;
}

/** Drops read-only members (resources.read-only.never-taken-from-client). */
function writableMetadata(metadata: object): JsonObject {
  const { name, createdAt, updatedAt, createdBy, updatedBy, plan, url, workspace, ...kept } = metadata as JsonObject;
  return kept;
}
