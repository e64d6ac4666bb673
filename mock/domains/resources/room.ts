/** Refuses writes after which a world would store more than its limits. */
import { requireWithin } from '../../http/limits.ts';
import { countMeterEvents } from '../../state/lifetimes.ts';
import type { Resource, Resources } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

/** What was counted when a write last reached a limit, and what writes have added since: at least what there is. */
interface Bounds {
  count: number;
  bytes: number;
}

const bounds = new WeakMap<Resources, Bounds>();
/** Bytes of the JSON of a resource. */
const sizes = new WeakMap<Resource, number>();

/** Throws a problem if there is no room for another resource. */
export function requireRoomForResource({ resources, limits }: WorldState): void {
  const bound = boundsOf(resources);
  if (bound.count >= limits.resources) Object.assign(bound, counted(resources));
  requireWithin(limits, 'resources', bound.count + 1);
}

/** Throws a problem if `bytes` more do not fit. */
export function requireRoomForBytes({ resources, limits }: WorldState, bytes: number): void {
  const bound = boundsOf(resources);
  if (bound.bytes + bytes > limits.resourceBytes) Object.assign(bound, counted(resources));
  requireWithin(limits, 'resourceBytes', bound.bytes + bytes);
}

/** Throws a problem if no more calls and updates can be metered. */
export function requireRoomForMetering(world: WorldState, added = 1): void {
  requireWithin(world.limits, 'meterEvents', countMeterEvents(world) + added);
}

/** Notes a resource that was stored. `bytes`: of its body. */
export function noteStored({ resources }: WorldState, resource: Resource, bytes: number, isNew: boolean): void {
  const bound = boundsOf(resources);
  const size = sizeWith(resource, bytes);
  sizes.set(resource, size);
  bound.bytes += size;
  if (isNew) bound.count++;
}

/** What a resource needs whose body has this size: each of its deployments can have an earlier spec. */
export function sizeWith({ deployments }: Pick<Resource, 'deployments'>, bytes: number): number {
  return bytes * (1 + deployments.length);
}

function boundsOf(resources: Resources): Bounds {
  const known = bounds.get(resources) ?? counted(resources);
  bounds.set(resources, known);
  return known;
}

function counted(resources: Resources): Bounds {
  const found: Bounds = { count: 0, bytes: 0 };
  for (const collection of resources.values()) {
    found.count += collection.size;
    for (const resource of collection.values()) found.bytes += sizeOf(resource);
  }
  return found;
}

/** Of a world file or a snapshot, whose body is not known. */
function sizeOf(resource: Resource): number {
  const known = sizes.get(resource) ?? JSON.stringify(resource).length;
  sizes.set(resource, known);
  return known;
}
