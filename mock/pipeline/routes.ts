/** Finds the operation that a request is for, by host name and path. */
import type { Surface } from '../../spec/openapi-document.ts';
import type { Operation } from '../../spec/operations.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { endpoints } from '../endpoints/index.ts';
import { createOperationRouter } from '../../spec/match-operation.ts';
import { findResource } from '../state/resources.ts';
import { sandboxNamesIn } from '../state/urls.ts';
import type { World } from '../world/world.ts';

/** What is read of a request to find its operation. */
export interface RoutedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly state: { readonly world: World };
}

export interface Route {
  readonly operation: Operation;
  /** Decoded path values by parameter name. */
  readonly params: Readonly<Record<string, string>>;
}

/** The surface of a request and its path below the address of that surface. */
export interface Place {
  readonly surface: Surface;
  /** Between the world's address and `path`; empty if the surface is at the root or has its own host name. */
  readonly prefix: string;
  readonly path: string;
  /** The sandbox that the host name or path prefix names; absent on other surfaces. */
  readonly sandbox?: { readonly sandboxName: string; readonly workspace: string };
}

export const MANAGEMENT_PREFIX = '/v0';
const SANDBOX_PATH = /^(?<prefix>\/sandbox\/(?<workspace>[^/]+)\/(?<sandboxName>[^/]+))(?<rest>\/.*)?$/;

/** Accepts a trailing slash and any letter case. */
const router = createOperationRouter({ strict: false });

export function placeOf(ctx: RoutedRequest): Place {
  const { path } = ctx;
  // OAuth is also served below the management prefix, for clients that know only that address.
  if (path.startsWith(`${MANAGEMENT_PREFIX}/`)) {
    const surface = path.startsWith(`${MANAGEMENT_PREFIX}/oauth/`) ? 'host' : 'management';
    return { surface, prefix: MANAGEMENT_PREFIX, path: path.slice(MANAGEMENT_PREFIX.length) };
  }
  const names = sandboxNamesIn(ctx.headers.host);
  if (names !== undefined) return { surface: 'sandbox', prefix: '', path, sandbox: splitNames(names, ctx.state.world) };
  const { prefix = '', workspace, sandboxName, rest } = SANDBOX_PATH.exec(path)?.groups ?? {};
  if (workspace !== undefined && sandboxName !== undefined) {
    return { surface: 'sandbox', prefix, path: rest ?? '/', sandbox: { sandboxName, workspace } };
  }
  const [, first, second] = path.split('/', 3);
  const isHost = first === 'oauth' || first === '.well-known' || second === 'jobs';
  return { surface: isHost ? 'host' : 'inference', prefix: '', path };
}

/**
 * Names may contain hyphens, so the world's workspaces decide which hyphen ends the sandbox's name: so that the sandbox exists if
 * possible; otherwise anyhow, because the result is 404.
 */
export function splitNames(names: string, world: World): { sandboxName: string; workspace: string } {
  const readings = [...world.workspaces.keys()]
    .filter((workspace) => names.endsWith(`-${workspace}`))
    .map((workspace) => ({ workspace, sandboxName: names.slice(0, -workspace.length - 1) }));
  const exists = readings.find(({ workspace, sandboxName }) =>
    findResource(world, `${workspace}/sandboxes`, sandboxName),
  );
  return exists ?? readings[0] ?? { sandboxName: names, workspace: '' };
}

/** Undefined if nothing is served at that path with that method. */
export function routeOf(ctx: RoutedRequest): Route | undefined {
  const place = placeOf(ctx);
  const match = router.find(place.surface, ctx.method, place.path);
  if (match === undefined || !isServed(match.value, ctx)) return undefined;
  const { value: found, params } = match;
  if (place.sandbox === undefined) return { operation: found, params };
  return { operation: found, params: { ...emptyValues(found), ...params, ...place.sandbox } };
}

function emptyValues({ pathParameters }: Operation): Record<string, string> {
  return Object.fromEntries(pathParameters.map(({ name }) => [name, '']));
}

export function isServed({ id, documented }: Operation, { state: { world } }: Pick<RoutedRequest, 'state'>): boolean {
  return (documented || !world.onlyDocumented) && Object.hasOwn(endpoints, id);
}

/** The methods served at the request's path; empty if the path is unknown. */
export function methodsAt(ctx: RoutedRequest): string[] {
  const place = placeOf(ctx);
  const served = router.at(place.surface, place.path).filter(({ value }) => isServed(value, ctx));
  return [...new Set(served.flatMap(({ methods }) => methods))];
}
