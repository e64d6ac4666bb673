/** Finds the operation that a request to a surface is for, by method and path. */
import type { Operation, Surface } from './operations.ts';
import { operations } from './operations.ts';

interface Template {
  readonly operation: Operation;
  readonly form: RegExp;
  /** Segments that are no parameter. */
  readonly literal: number;
}

const templates: readonly Template[] = operations
  .map((operation) => ({ operation, form: formOf(operation), literal: literalSegments(operation) }))
  .toSorted((a, b) => b.literal - a.literal);

/**
 * The path is what stands below the surface's address, percent-encoded, without the query. Of two templates that fit, the
 * one with fewer parameters counts (OpenAPI 3.1, Paths Object). HEAD is GET without the body (RFC 9110 9.3.2). Undefined
 * where the documents have no such operation.
 */
export function matchOperation(surface: Surface, method: string, path: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return templates.find(
    ({ operation, form }) => operation.surface === surface && operation.method === wanted && form.test(path),
  )?.operation;
}

function formOf({ path, pathParameters, surface }: Operation): RegExp {
  const slashes = new Set(pathParameters.filter((each) => each.slashes).map(({ name }) => name));
  const segments = path.split('/').slice(1);
  const forms = segments.map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return `/${RegExp.escape(segment)}`;
    if (!slashes.has(name)) return '/[^/]+';
    // The empty path of a sandbox's filesystem is its root.
    return surface === 'sandbox' ? '(?:/.*)?' : '/.+';
  });
  return new RegExp(`^${forms.join('')}$`);
}

function literalSegments({ path }: Operation): number {
  return path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{')).length;
}
