/** Counts requests by operation and by credential. */
import type { Surface } from '../../spec/documents.ts';
import { matchOperation } from '../../spec/match-operation.ts';
import { operation, operations } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { FailedRequest } from '../../suites/target/client.ts';
import type { Exchange } from '../../suites/target/exchange.ts';
import { isSuccess } from '../../suites/target/ledger.ts';
import { secretsOf } from '../../suites/target/target.ts';
import type { Target } from '../../suites/target/target.ts';
import type { WireRequest } from '../../suites/target/transport.ts';

export interface Requests {
  /** undefined: of no operation of the documents. */
  operation?: OperationId;
  surface: Surface;
  method: string;
  /** With parameters in braces; absent for what is off the documents. */
  path?: string;
  /** How many with which credential. */
  credentials: Map<string, number>;
  /** Counts complete successful requests, without those that clean up. */
  succeeded: string[];
}

/** With any credential. */
export const countOf = ({ credentials }: Requests): number =>
  [...credentials.values()].reduce((sum, each) => sum + each, 0);

export interface Counted {
  record: (exchange: Exchange | FailedRequest) => void;
  /** An exchange of the cleanup. */
  recordUndoing: (exchange: Exchange) => void;
  /** A request to the management API that was not sent by a client. */
  wire(request: WireRequest): void;
  /** In document order. Requests that match no operation come last. */
  requests(): Requests[];
}

export function countRequests(target: Target): Counted {
  const rows = new Map<string, Requests>();

  function count(requested: RequestedOperation, credential: string, succeeded: readonly string[] = []): void {
    const row: Requests = rows.get(keyOf(requested)) ?? { ...requested, credentials: new Map(), succeeded: [] };
    row.credentials.set(credential, (row.credentials.get(credential) ?? 0) + 1);
    row.succeeded.push(...succeeded);
    rows.set(keyOf(requested), row);
  }

  const requestedIn = ({
    operation: id,
    surface,
    request: { method, url },
  }: Exchange | FailedRequest): RequestedOperation =>
    id === undefined ? requestedByPath(surface, method, pathBelow(target.addresses[surface], url)) : requestedById(id);

  return {
    record(exchange) {
      const succeeded = 'response' in exchange && isSuccess(exchange.response.status);
      count(requestedIn(exchange), credentialOf(exchange), succeeded ? [exchange.request.url] : []);
    },
    recordUndoing: (exchange) => count(requestedIn(exchange), credentialOf(exchange)),
    wire({ method, origin, path, headers }) {
      const bearer = secretsOf(target).find(({ value }) => headers['Authorization'] === `Bearer ${value}`);
      const below = pathBelow(target.addresses.management, origin + path);
      count(requestedByPath('management', method, below), bearer?.name ?? 'none', [origin + path]);
    },
    requests: () => [...rows.values()].toSorted((a, b) => placeOf(a) - placeOf(b)),
  };
}

type RequestedOperation = Pick<Requests, 'operation' | 'surface' | 'method' | 'path'>;

const keyOf = ({ surface, method, path = '' }: RequestedOperation): string => `${surface} ${method} ${path}`;
const orderOf = new Map<OperationId | undefined, number>(operations.map(({ id }, index) => [id, index]));
const placeOf = ({ operation: id }: RequestedOperation): number => orderOf.get(id) ?? operations.length;

function requestedById(id: OperationId): RequestedOperation {
  const { surface, method, path } = operation(id);
  return { operation: id, surface, method, path };
}

function pathBelow(address: string | undefined, url: string): string {
  const base = address === undefined ? '/' : new URL(address).pathname;
  const { pathname } = new URL(url);
  return base !== '/' && pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
}

/** The operation of a raw request. HEAD is counted separately from GET. */
function requestedByPath(surface: Surface, method: string, pathname: string): RequestedOperation {
  const found = method === 'HEAD' ? undefined : matchOperation(surface, method, pathname);
  return found === undefined ? { surface, method } : requestedById(found.value.id);
}

/** The name of the credential's variable; for altered or composed headers, the placeholders in them. */
function credentialOf({ credential, request }: Exchange | FailedRequest): string {
  if (credential !== undefined) return credential;
  const carried = Object.entries(request.headers).flatMap(([name, value]) =>
    /authorization$/i.test(name) ? [value].flat() : [],
  );
  if (carried.length === 0) return 'none';
  const named = carried.flatMap((value) => [...value.matchAll(/\$(SVC_\w+)/g)].map(([, name = '']) => name));
  if (named.includes('SVC_ALTERED_TOKEN')) return 'altered';
  return named.length === 0 ? 'made up' : [...new Set(named)].join(' and ');
}
