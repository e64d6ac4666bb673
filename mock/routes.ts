/** Finds the operation that a request is for, by host name and path. */
import Router from '@koa/router';
import { operations, type Operation, type Surface } from '../spec/operations.ts';
import type { Context } from './context.ts';
import { findResource } from './world/resources.ts';
import type { World } from './world/world.ts';

export interface Route {
  readonly operation: Operation;
  /** Decoded path values by parameter name. */
  readonly params: Readonly<Record<string, string>>;
}

/** Where on a surface a request points: the path below the surface's own address. */
export interface Place {
  readonly surface: Surface;
  readonly path: string;
  /** The sandbox that host name or path prefix name; on that surface only. */
  readonly sandbox?: { readonly sandboxName: string; readonly workspace: string };
}

const MANAGEMENT_PREFIX = '/v0';
/** Which hyphen ends the sandbox's name, the names alone do not tell: the world's workspaces do. */
const SANDBOX_HOST = /^sbx-(?<names>[a-z0-9-]+)\.[a-z0-9-]+\.localhost(?::\d+)?$/;
const SANDBOX_PATH = /^\/sandbox\/(?<workspace>[^/]+)\/(?<sandboxName>[^/]+)(?<rest>\/.*)?$/;

/** One small router for each first path segment of a surface: @koa/router tries every route of a router in turn. */
const routers = new Map<string, Router>();
const operationsByRouteName = new Map<string, Operation>(operations.map((operation) => [operation.id, operation]));
for (const operation of operations) addRoute(operation);

function addRoute({ id, surface, method, path, pathParameters }: Operation): void {
  const key = routerKey({ surface, path });
  const router = routers.get(key) ?? new Router();
  routers.set(key, router);
  router.register(routePattern(path, pathParameters), method === 'GET' ? ['HEAD', 'GET'] : [method], () => {}, {
    name: id,
  });
}

/** A value that may hold slashes is a wildcard of the router, every other parameter one segment. */
function routePattern(template: string, parameters: Operation['pathParameters']): string {
  return parameters.reduce(
    (pattern, { name, slashes }) => pattern.replace(`{${name}}`, `${slashes ? '*' : ':'}${name}`),
    template,
  );
}

function routerKey({ surface, path }: Place): string {
  const segments = path.split('/', 3);
  // Data-plane paths open with the workspace; what tells their operations apart is the second segment.
  const telling =
    surface === 'inference' || (surface === 'host' && segments[1] !== 'oauth') ? segments[2] : segments[1];
  return `${surface}/${telling ?? ''}`;
}

export function placeOf(ctx: Context): Place {
  const { path } = ctx;
  if (path.startsWith(`${MANAGEMENT_PREFIX}/`))
    return { surface: 'management', path: path.slice(MANAGEMENT_PREFIX.length) };
  const names = SANDBOX_HOST.exec(ctx.headers.host ?? '')?.groups?.['names'];
  if (names !== undefined) return { surface: 'sandbox', path, sandbox: splitNames(names, ctx.state.world) };
  const { workspace, sandboxName, rest } = SANDBOX_PATH.exec(path)?.groups ?? {};
  if (workspace !== undefined && sandboxName !== undefined) {
    return { surface: 'sandbox', path: rest ?? '/', sandbox: { sandboxName, workspace } };
  }
  const isHost = path.startsWith('/oauth/') || path.split('/', 3)[2] === 'jobs';
  return { surface: isHost ? 'host' : 'inference', path };
}

/** Of several readings of `a-b-c` the one whose sandbox exists; else any, which will not be found. */
function splitNames(names: string, world: World): { sandboxName: string; workspace: string } {
  const readings = [...world.workspaces.keys()]
    .filter((workspace) => names.endsWith(`-${workspace}`))
    .map((workspace) => ({ workspace, sandboxName: names.slice(0, -workspace.length - 1) }));
  const exists = readings.find(({ workspace, sandboxName }) =>
    findResource(world, `${workspace}/sandboxes`, sandboxName),
  );
  return exists ?? readings[0] ?? { sandboxName: names, workspace: '' };
}

/** Undefined where nothing is served at that path with that method. */
export function routeOf(ctx: Context): Route | undefined {
  const place = placeOf(ctx);
  const layer = routers.get(routerKey(place))?.match(place.path, ctx.method).pathAndMethod[0];
  if (layer?.name === undefined) return undefined;
  const operation = operationsByRouteName.get(layer.name);
  if (operation === undefined) return undefined;
  const params = layer.params(place.path, layer.captures(place.path));
  return { operation, params: place.sandbox === undefined ? params : { ...params, ...place.sandbox } };
}

/** The methods served at a path; none where the path is unknown. */
export function methodsAt(place: Place): string[] {
  const layers = routers.get(routerKey(place))?.match(place.path, '').path ?? [];
  return [...new Set(layers.flatMap(({ methods }) => methods))];
}

/** Up to three path templates of the surface that share the most segments with a path. */
export function nearestPaths(place: Place): string[] {
  const wanted = new Set(place.path.split('/').filter(Boolean));
  const shared = (template: string) => template.split('/').filter((segment) => wanted.has(segment)).length;
  const templates = new Set(operations.filter(({ surface }) => surface === place.surface).map(({ path }) => path));
  return [...templates]
    .filter((template) => shared(template) > 0)
    .toSorted((a, b) => shared(b) - shared(a))
    .slice(0, 3);
}
