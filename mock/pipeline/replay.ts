/** Recorded traffic that the mock replays, and which requests are the same. */
import { parseJson } from '../http/parse-json.ts';
import type { Surface } from '../../spec/openapi-document.ts';
import { isObject } from '../../spec/json-object.ts';

/** The traffic of one deployment. */
export interface ReplayedTraffic {
  /** In the order in which the requests were sent. */
  readonly exchanges: readonly ReplayedExchange[];
  /** The addresses of the recorded deployment; in responses, they become those of the mock. */
  readonly addresses?: { readonly [S in Surface]?: string };
}

/** The nth request like it gets the nth response; further ones get the last. */
export interface ReplayedExchange {
  readonly method: string;
  readonly surface: Surface;
  /** Below the address of the surface, percent-encoded, with the query: `/agents?limit=2`. */
  readonly path: string;
  /** Only for the surface `sandbox`: the names of the sandbox and its workspace, joined by a hyphen. Default: the sandbox of the target. */
  readonly sandbox?: string;
  readonly body?: string | Uint8Array;
  /** The value of the header `X-Svc-Workspace`. Compared only if the same request was recorded with several values. */
  readonly workspace?: string;
  /**
   * The name of the credential in the target file, such as `admin`, or `none` for a request without a credential. Absent: an unknown
   * credential. Compared only if the same request was recorded with several callers.
   */
  readonly caller?: string;
  readonly response: ReplayedResponse;
}

export interface ReplayedResponse {
  /** From 200 to 599. */
  readonly status: number;
  /** Those of the connection and of the recorded encoding are not sent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Decoded. Addresses in a string become those of the mock. */
  readonly body?: string | Uint8Array;
}

/** Without a credential. */
export const NO_CALLER = 'none';

/** Traffic that can be searched. */
export interface Replay {
  readonly addresses: NonNullable<ReplayedTraffic['addresses']>;
  /** By everything but the body, and by the body. */
  readonly requests: ReadonlyMap<string, ReadonlyMap<string, readonly ReplayedExchange[]>>;
}

/** How often a sequence of responses was used in a world; a sequence is known by its first exchange. */
export type ReplayTurns = Map<ReplayedExchange, number>;

export function createReplay({ exchanges, addresses = {} }: ReplayedTraffic): Replay {
  const byHead = Map.groupBy(exchanges, ({ method, surface, sandbox = '', path: target }) => {
    const [path = '', ...query] = target.split('?');
    return headKey({ method, surface, sandbox, path, query: query.join('?') });
  });
  const byBody = (same: readonly ReplayedExchange[]) =>
    Map.groupBy(same, ({ body = '' }) => bodyKey(Buffer.from(body)));
  return { addresses, requests: new Map([...byHead].map(([head, same]) => [head, byBody(same)])) };
}

interface Head {
  readonly method: string;
  readonly surface: Surface;
  readonly sandbox: string;
  readonly path: string;
  readonly query: string;
}

/** Everything of a request but the body. */
export function headKey({ method, surface, sandbox, path, query }: Head): string {
  const parameters = new URLSearchParams(query);
  // Parameters of the same name keep their order.
  parameters.sort();
  return `${method.toUpperCase()} ${surface} ${sandbox.toLowerCase()} ${path.split('/').map(recode).join('/')}?${parameters.toString()}`;
}

/** One spelling of a segment. */
function recode(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}

/** JSON is compared as a value: spaces and the order of members do not matter. */
export function bodyKey(body: Uint8Array): string {
  const bytes = Buffer.from(body);
  try {
    return JSON.stringify(parseJson(bytes), (_, value: unknown) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
    );
  } catch {
    return bytes.toString('latin1');
  }
}
