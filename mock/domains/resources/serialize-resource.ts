/**
 * The JSON text of a resource, kept while the resource rests. Special because reading one is the hottest path there is: making the
 * envelope and its events anew and printing them takes about a third of a GET (`npm run bench`).
 */
import { restsAt } from '../../state/deployments.ts';
import { resourceBody } from './envelope.ts';
import type { Place } from './kind.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

/** A write puts another object in the resource's place, so a text never goes stale. */
const texts = new Map<Resource, string>();
const MAX_TEXTS = 1000;

export function serializeResource(world: WorldState, place: Place, resource: Resource): string {
  // What is shown of a kind with a form of its own may hang on other resources too.
  if (place.kind.toBody !== undefined || world.clock.now() < restsAt(resource.deployments))
    return JSON.stringify(resourceBody(world, place, resource));
  const known = texts.get(resource);
  if (known !== undefined) return known;
  const text = JSON.stringify(resourceBody(world, place, resource));
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(resource, text);
  return text;
}
