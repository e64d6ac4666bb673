/** Finds the served paths most similar to an unknown one, as suggestions for a 404. */
import type { Surface } from '../../spec/openapi-document.ts';
import { nearest } from '../../spec/nearest.ts';
import { operations } from '../../spec/operations.ts';
import type { Context } from './context.ts';
import { isServed, MANAGEMENT_PREFIX, placeOf, type Place } from './routes.ts';

/** Up to three path templates, with the prefix that the client used. */
export function nearestPaths(ctx: Context): string[] {
  const place = placeOf(ctx);
  const segments = place.path.split('/').filter(Boolean);
  const like = segmentsLike(segments);
  const likeness = new Map<string, number>();
  for (const each of operations) {
    const prefix = isServed(each, ctx) ? prefixOf(each.surface, place) : undefined;
    if (prefix !== undefined) likeness.set(prefix + each.path, likenessOf(each.path, like, segments.length));
  }
  const alike = [...likeness].filter(([, points]) => points > 0).toSorted(([, a], [, b]) => b - a);
  return alike.slice(0, 3).map(([path]) => ctx.state.world.mount.path + path);
}

/** Undefined for operations of other surfaces if the request is to a sandbox, which has its own address. */
function prefixOf(surface: Surface, requested: Place): string | undefined {
  if (requested.surface === 'sandbox') return surface === 'sandbox' ? requested.prefix : undefined;
  if (surface === 'sandbox') return '/sandbox/{workspace}/{sandboxName}';
  return surface === 'management' ? MANAGEMENT_PREFIX : '';
}

/** More segments are not compared, and no longer ones: a path may be long. */
const MAX_SEGMENTS = 20;
const MAX_SEGMENT_LENGTH = 64;

const knownSegments = [...new Set(operations.flatMap(({ path }) => path.split('/').filter(Boolean)))];

/** The known segments that start like one of the request, or of which one may be a misspelling. */
function segmentsLike(requestedSegments: readonly string[]): Set<string> {
  const compared = requestedSegments.slice(0, MAX_SEGMENTS).filter(({ length }) => length <= MAX_SEGMENT_LENGTH);
  const names = knownSegments.filter((known) => !known.startsWith('{'));
  return new Set(
    compared.flatMap((segment) => [
      ...knownSegments.filter((known) => openingOf(known) === openingOf(segment)),
      ...nearest(segment, names, names.length),
    ]),
  );
}

const openingOf = (segment: string): string => segment.toLowerCase().slice(0, 4);

/** Adds points for each segment that is like one of the request, and subtracts the difference in length. */
function likenessOf(template: string, like: ReadonlySet<string>, requestedCount: number): number {
  const segments = template.split('/').filter(Boolean);
  const alike = segments.filter((segment) => like.has(segment));
  return alike.length === 0 ? 0 : 10 * alike.length - Math.abs(segments.length - requestedCount);
}
