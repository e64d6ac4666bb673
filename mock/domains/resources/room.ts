/** Refuses writes after which a world would store more than its limits. */
import { requireWithin } from '../../http/limits.ts';
import { countMeterEvents } from '../../state/lifetimes.ts';
import { listResources, type Resource, type Resources } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

/** What was counted when a write last reached a limit, and what writes have added since: at least what there is. */
interface Bounds {
  count: number;
  bytes: number;
  /** By key of the collection and name. Not by the resource, of which each update creates another one. */
  sizes: Map<string, Map<string, number>>;
}

const bounds = new WeakMap<Resources, Bounds>();

/** Throws a problem if there is no room for another resource. */
export function requireRoomForResource(world: WorldState): void {
  const { limits } = world;
  const bound = boundsOf(world);
  if (bound.count >= limits.resources) Object.assign(bound, counted(world, bound.sizes));
  requireWithin(limits, 'resources', bound.count + 1);
}

/** Throws a problem if `bytes` more do not fit. */
export function requireRoomForBytes(world: WorldState, bytes: number): void {
  const { limits } = world;
  const bound = boundsOf(world);
  if (bound.bytes + bytes > limits.resourceBytes) Object.assign(bound, counted(world, bound.sizes));
  requireWithin(limits, 'resourceBytes', bound.bytes + bytes);
}

/** Throws a problem if no more calls and updates can be metered. */
export function requireRoomForMetering(world: WorldState, added = 1): void {
  requireWithin(world.limits, 'meterEvents', countMeterEvents(world) + added);
}

/** Notes a resource that was stored in a collection. `bytes`: of its body. */
export function noteStored(world: WorldState, key: string, resource: Resource, bytes: number): void {
  const bound = boundsOf(world);
  const sizes = sizesOf(bound.sizes, key);
  const before = sizes.get(resource.name);
  const size = sizeWith(resource, bytes);
  sizes.set(resource.name, size);
  bound.bytes += size - (before ?? 0);
  if (before === undefined) bound.count++;
}

/** What a resource needs whose body has this size: each of its deployments can have an earlier spec. */
export function sizeWith({ deployments }: Pick<Resource, 'deployments'>, bytes: number): number {
  return bytes * (1 + deployments.length);
}

function boundsOf(world: WorldState): Bounds {
  const { resources } = world;
  const known = bounds.get(resources) ?? counted(world, new Map());
  bounds.set(resources, known);
  return known;
}

function sizesOf(sizes: Bounds['sizes'], key: string): Map<string, number> {
  const known = sizes.get(key);
  if (known !== undefined) return known;
  const added = new Map<string, number>();
  sizes.set(key, added);
  return added;
}

/** `sizes`: those that are known. Of others, of a world file or a snapshot, the body is not known. */
function counted(world: WorldState, sizes: Bounds['sizes']): Bounds {
  const found: Bounds = { count: 0, bytes: 0, sizes: new Map() };
  for (const key of world.resources.keys()) {
    const own = sizesOf(found.sizes, key);
    // Listing drops those whose deletion is complete.
    for (const resource of listResources(world, key)) {
      const size = sizes.get(key)?.get(resource.name) ?? JSON.stringify(resource).length;
      own.set(resource.name, size);
      found.bytes += size;
      found.count++;
    }
  }
  return found;
}
