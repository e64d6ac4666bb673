/** Finds the served paths most similar to an unknown one, as suggestions for a 404. */
import type { Surface } from '../../spec/openapi-document.ts';
import { operations } from '../../spec/operations.ts';
import type { Context } from './context.ts';
import { isServed, MANAGEMENT_PREFIX, placeOf, type Place } from './routes.ts';
import { pathOfWorld } from '../state/urls.ts';

/** Up to three path templates, with the prefix that the client used. */
export function nearestPaths(ctx: Context): string[] {
  const place = placeOf(ctx);
  const segments = place.path.split('/').filter(Boolean);
  const likeness = new Map<string, number>();
  for (const each of operations) {
    const prefix = isServed(each, ctx) ? prefixOf(each.surface, place) : undefined;
    if (prefix !== undefined) likeness.set(prefix + each.path, likenessOf(each.path, segments));
  }
  const alike = [...likeness].filter(([, points]) => points > 0).toSorted(([, a], [, b]) => b - a);
  return alike.slice(0, 3).map(([path]) => pathOfWorld(ctx.state.world) + path);
}

/** Undefined for operations of other surfaces if the request is to a sandbox, which has its own address. */
function prefixOf(surface: Surface, requested: Place): string | undefined {
  if (requested.surface === 'sandbox') return surface === 'sandbox' ? requested.prefix : undefined;
  if (surface === 'sandbox') return '/sandbox/{workspace}/{sandboxName}';
  return surface === 'management' ? MANAGEMENT_PREFIX : '';
}

/** Adds points for each segment that starts like one of the path, and subtracts the difference in length. */
function likenessOf(template: string, requestedSegments: readonly string[]): number {
  const segments = template.split('/').filter(Boolean);
  const opening = (segment: string) => segment.toLowerCase().slice(0, 4);
  const alike = segments.filter((segment) => requestedSegments.some((each) => opening(each) === opening(segment)));
  return alike.length === 0 ? 0 : 10 * alike.length - Math.abs(segments.length - requestedSegments.length);
}
