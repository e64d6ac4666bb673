/** Counts requests by operation and by credential. */
import type { Surface } from '../../spec/documents.ts';
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
  /** Where those went that were answered with success, whole, without those that undo. */
  succeeded: string[];
}

/** With whatever credential. */
export const countOf = ({ credentials }: Requests): number =>
  [...credentials.values()].reduce((sum, each) => sum + each, 0);

export interface Counted {
  record: (exchange: Exchange | FailedRequest) => void;
  /** One of those that undo what the run did. */
  recordUndoing: (exchange: Exchange) => void;
  /** A request to the management API that no client sent. */
  wire(request: WireRequest): void;
  /** In the order of the documents; what is off them comes last. */
  requests(): Requests[];
}

export function countRequests(target: Target): Counted {
  const rows = new Map<string, Requests>();

  function count(asked: Asked, credential: string, succeeded: readonly string[] = []): void {
    const row: Requests = rows.get(keyOf(asked)) ?? { ...asked, credentials: new Map(), succeeded: [] };
    row.credentials.set(credential, (row.credentials.get(credential) ?? 0) + 1);
    row.succeeded.push(...succeeded);
    rows.set(keyOf(asked), row);
  }

  const askedIn = ({ operation: id, surface, request: { method, url } }: Exchange | FailedRequest): Asked =>
    id === undefined ? askedBy(surface, method, pathBelow(target.addresses[surface], url)) : askedFor(id);

  return {
    record(exchange) {
      const succeeded = 'answer' in exchange && isSuccess(exchange.answer.status);
      count(askedIn(exchange), credentialOf(exchange), succeeded ? [exchange.request.url] : []);
    },
    recordUndoing: (exchange) => count(askedIn(exchange), credentialOf(exchange)),
    wire({ method, origin, path, headers }) {
      const bearer = secretsOf(target).find(({ value }) => headers['Authorization'] === `Bearer ${value}`);
      const below = pathBelow(target.addresses.management, origin + path);
      count(askedBy('management', method, below), bearer?.name ?? 'none', [origin + path]);
    },
    requests: () => [...rows.values()].toSorted((a, b) => placeOf(a) - placeOf(b)),
  };
}

type Asked = Pick<Requests, 'operation' | 'surface' | 'method' | 'path'>;

const keyOf = ({ surface, method, path = '' }: Asked): string => `${surface} ${method} ${path}`;
const orderOf = new Map<OperationId | undefined, number>(operations.map(({ id }, index) => [id, index]));
const placeOf = ({ operation: id }: Asked): number => orderOf.get(id) ?? operations.length;

function askedFor(id: OperationId): Asked {
  const { surface, method, path } = operation(id);
  return { operation: id, surface, method, path };
}

function pathBelow(address: string | undefined, url: string): string {
  const base = address === undefined ? '/' : new URL(address).pathname;
  const { pathname } = new URL(url);
  return base !== '/' && pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
}

/** What a raw request asks for, whatever else is wrong with it. */
function askedBy(surface: Surface, method: string, pathname: string): Asked {
  const found = operations.find(
    (each) => each.surface === surface && each.method === method && patternOf(each.id, each.path).test(pathname),
  );
  return found === undefined ? { surface, method } : askedFor(found.id);
}

const patterns = new Map<OperationId, RegExp>();

function patternOf(id: OperationId, template: string): RegExp {
  const known = patterns.get(id);
  if (known !== undefined) return known;
  const slashes = new Set(operation(id).pathParameters.flatMap(({ name, slashes: may }) => (may ? [`{${name}}`] : [])));
  const parts = template.split(/(\{[^}]+\})/).map((part) => {
    if (!part.startsWith('{')) return part.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
    return slashes.has(part) ? '.*' : '[^/]+';
  });
  const pattern = new RegExp(`^${parts.join('')}$`);
  patterns.set(id, pattern);
  return pattern;
}

/** The name of the variable; what a header carries otherwise is told by the placeholders in it. */
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
