/** The paths of a target's surfaces below its origins, and the operation of a request to an origin. */
import type { Surface } from '../../spec/openapi-document.ts';
import { surfaces } from '../../spec/openapi-document.ts';
import { basePathOf } from '../../spec/network/base-path.ts';
import { matchOperation } from '../../spec/match-operation.ts';
import type { Operation } from '../../spec/operations.ts';

/** A surface and the path of its address, without a final slash. */
export interface Mount {
  readonly surface: Surface;
  readonly base: string;
}

export type Addresses = { readonly [S in Surface]?: string };

/** The distinct origins of a target with the surfaces of each, in the order of the surfaces. */
export function mountsByOrigin(addresses: Addresses): ReadonlyMap<string, readonly Mount[]> {
  const mounts = surfaces.flatMap((surface) => {
    const address = addresses[surface];
    if (address === undefined) return [];
    return [{ origin: new URL(address).origin, surface, base: basePathOf(address) }];
  });
  return Map.groupBy(mounts, ({ origin }) => origin);
}

export interface MatchedOperation {
  readonly operation: Operation;
  /** Below the surface's address, with the query. */
  readonly path: string;
  /** The path of the surface's address. */
  readonly base: string;
}

/** A segment that a server may resolve before it looks further (RFC 3986 5.2.4). */
const dotSegment = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

/** Undefined if no documented operation matches. `url` is a path with its query. */
export function operationAt(mounts: readonly Mount[], method: string, url: string): MatchedOperation | undefined {
  const [path = '', ...query] = url.split(/(?=\?)/);
  if (dotSegment.test(path)) return undefined;
  const around = mounts.filter(({ base }) => path === base || path.startsWith(`${base}/`));
  // Only the longest match: a path below /v0 is not a workspace of that name.
  const longest = Math.max(...around.map(({ base }) => base.length));
  for (const { surface, base } of around.filter((each) => each.base.length === longest)) {
    const below = path.slice(base.length) || '/';
    const operation = matchOperation(surface, method, below)?.value;
    if (operation !== undefined) return { operation, path: below + query.join(''), base };
  }
  return undefined;
}
