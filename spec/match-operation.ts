/** Matches a request to an operation by surface, method and path. */
import type { Operation, Surface } from './operations.ts';
import { operations } from './operations.ts';

interface Template {
  readonly operation: Operation;
  readonly pattern: RegExp;
  /** Number of segments that are not parameters. */
  readonly literalSegmentCount: number;
}

const templates: readonly Template[] = operations
  .map((operation) => ({
    operation,
    pattern: pathPattern(operation),
    literalSegmentCount: countLiteralSegments(operation),
  }))
  .toSorted((a, b) => b.literalSegmentCount - a.literalSegmentCount);

/**
 * The path is relative to the address of the surface, percent-encoded and without the query. If several templates match, the
 * one with the fewest parameters wins (OpenAPI 3.1, Paths Object). HEAD matches GET (RFC 9110 9.3.2). Returns undefined if no
 * operation matches.
 */
export function matchOperation(surface: Surface, method: string, path: string): Operation | undefined {
  const requestMethod = method === 'HEAD' ? 'GET' : method;
  return templates.find(
    ({ operation, pattern }) =>
      operation.surface === surface && operation.method === requestMethod && pattern.test(path),
  )?.operation;
}

function pathPattern({ path, pathParameters, surface }: Operation): RegExp {
  const slashes = new Set(pathParameters.filter((each) => each.slashes).map(({ name }) => name));
  const segments = path.split('/').slice(1);
  const forms = segments.map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return `/${RegExp.escape(segment)}`;
    if (!slashes.has(name)) return '/[^/]+';
    // An empty path is the root of the sandbox filesystem.
    return surface === 'sandbox' ? '(?:/.*)?' : '/.+';
  });
  return new RegExp(`^${forms.join('')}$`);
}

function countLiteralSegments({ path }: Operation): number {
  return path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{')).length;
}
