/**
 * Serializes a resource; caches the JSON while its status does not change. Reading a resource is the hottest path: building
 * and serializing the envelope takes about a third of a GET (`npm run bench`).
 */
import { restsAt } from '../../state/deployments.ts';
import { resourceBody } from './envelope.ts';
import type { Place } from './kind.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

/** A write replaces the resource object, so an entry never becomes stale. */
const texts = new Map<Resource, string>();
const MAX_TEXTS = 1000;
const MAX_LENGTH = 20_000;

export function serializeResource(world: WorldState, place: Place, resource: Resource): string {
  // The body of such a kind may depend on other resources.
  if (place.kind.toBody !== undefined || world.clock.now() < restsAt(resource.deployments))
    return JSON.stringify(resourceBody(world, place, resource));
  const known = texts.get(resource);
  if (known !== undefined) return known;
  const text = JSON.stringify(resourceBody(world, place, resource));
  if (texts.size >= MAX_TEXTS) texts.clear();
  if (text.length <= MAX_LENGTH) texts.set(resource, text);
  return text;
}
