/** The operation router: finds the operation of a request by surface, method and path. */
import type { Surface } from './openapi-document.ts';
import { operations, type Operation } from './operations.ts';
import { createPathRouter, type PathMatch, type PathRouter } from './path-router.ts';

export interface OperationRouter {
  /** Undefined if no operation matches. HEAD matches GET (RFC 9110 section 9.3.2). */
  find(surface: Surface, method: string, path: string): PathMatch<Operation> | undefined;
  /** The operations at a path, with any method. */
  at(surface: Surface, path: string): ReturnType<PathRouter<Operation>['at']>;
}

/** In order of precedence: templates with fewer parameters first (OpenAPI 3.1, Paths Object). */
const operationsByKey = Map.groupBy(
  operations.toSorted((a, b) => a.pathParameters.length - b.pathParameters.length),
  keyOf,
);

/**
 * Paths are relative to the address of the surface, percent-encoded and without the query. `strict`: a trailing slash or
 * another letter case makes another path.
 */
export function createOperationRouter({ strict }: { readonly strict: boolean }): OperationRouter {
  // One small router per key, because @koa/router tries every route of a router in turn. Created on first use: creating all of
  // them takes a tenth of the mock's start.
  const routers = new Map<string, PathRouter<Operation>>();
  function routerFor(surface: Surface, path: string): PathRouter<Operation> | undefined {
    const key = keyOf({ surface, path });
    const known = routers.get(key);
    if (known !== undefined) return known;
    const own = operationsByKey.get(key);
    if (own === undefined) return undefined;
    const routes = own.map((each) => ({ method: each.method, pattern: patternOf(each), value: each }));
    const router = createPathRouter(routes, { strict });
    routers.set(key, router);
    return router;
  }
  return {
    find: (surface, method, path) => routerFor(surface, path)?.find(method, path),
    at: (surface, path) => routerFor(surface, path)?.at(path) ?? [],
  };
}

const strictRouter = createOperationRouter({ strict: true });

/** The documented form of a path only: a trailing slash or another letter case does not match. */
export function matchOperation(surface: Surface, method: string, path: string): PathMatch<Operation> | undefined {
  return strictRouter.find(surface, method, path);
}

/** A parameter whose value may contain slashes becomes a wildcard; any other matches one segment. */
function patternOf({ surface, path, pathParameters }: Operation): string {
  return pathParameters.reduce((pattern, { name, slashes }) => {
    // An empty path means the root of the sandbox's filesystem.
    if (slashes && surface === 'sandbox') return pattern.replace(`/{${name}}`, `{/*${name}}`);
    return pattern.replace(`{${name}}`, `${slashes ? '*' : ':'}${name}`);
  }, path);
}

/** The surface and the first literal segment. Paths of inference and jobs start with the workspace. */
function keyOf({ surface, path }: Pick<Operation, 'surface' | 'path'>): string {
  const segments = path.split('/', 3);
  const startsWithWorkspace = surface === 'inference' || (surface === 'host' && segments[1] !== 'oauth');
  return `${surface}/${segments[startsWithWorkspace ? 2 : 1] ?? ''}`;
}
