/** What stands in a 404 for whoever mistyped a path: the served paths that are most alike. */
import { operations, type Surface } from '../../spec/operations.ts';
import type { Context } from './context.ts';
import { isServed, MANAGEMENT_PREFIX, placeOf, type Place } from './routes.ts';
import { pathOfWorld } from '../state/urls.ts';

/** Up to three templates, as a client of the surface asked for writes them. */
export function nearestPaths(ctx: Context): string[] {
  const place = placeOf(ctx);
  const wanted = place.path.split('/').filter(Boolean);
  const likeness = new Map<string, number>();
  for (const each of operations) {
    const prefix = isServed(each, ctx) ? prefixOf(each.surface, place) : undefined;
    if (prefix !== undefined) likeness.set(prefix + each.path, likenessOf(each.path, wanted));
  }
  const alike = [...likeness].filter(([, points]) => points > 0).toSorted(([, a], [, b]) => b - a);
  return alike.slice(0, 3).map(([path]) => pathOfWorld(ctx.state.world) + path);
}

/** Undefined for what is none of a sandbox where a sandbox is asked: it has an address of its own. */
function prefixOf(surface: Surface, requested: Place): string | undefined {
  if (requested.surface === 'sandbox') return surface === 'sandbox' ? requested.prefix : undefined;
  if (surface === 'sandbox') return '/sandbox/{workspace}/{sandboxName}';
  return surface === 'management' ? MANAGEMENT_PREFIX : '';
}

/** Points for each segment that opens like one of the path's, fewer for every segment that one has and the other lacks. */
function likenessOf(template: string, wanted: readonly string[]): number {
  const segments = template.split('/').filter(Boolean);
  const opening = (segment: string) => segment.toLowerCase().slice(0, 4);
  const alike = segments.filter((segment) => wanted.some((each) => opening(each) === opening(segment)));
  return alike.length === 0 ? 0 : 10 * alike.length - Math.abs(segments.length - wanted.length);
}
