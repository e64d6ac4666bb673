/** Tells a 404 of the router from one about a name: the router answers a path that no operation has in the same way. */
import { sameApartFromRequest } from '../../spec/missing-operation.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import type { Exchange } from '../target/exchange.ts';
import type { RawRequest } from '../target/request-types.ts';

export interface DoubtfulOperations {
  /** Of a valid request that got 404: the operation may be missing, or what it names. */
  note(id: OperationId, exchange: Exchange): void;
  /** A request like the noted one, to a path that no operation has. Undefined if one with its method was sent before. */
  requestAfter(operation: Operation): RawRequest | undefined;
  /** The response to such a request. */
  seeUnknownPath(exchange: Exchange): void;
  /** The first noted exchange, if all look like that to an unknown path. */
  missing(id: OperationId): Exchange | undefined;
}

/** `unknownName`: what nothing on the target is called. */
export function createDoubtfulOperations(
  addresses: Readonly<Record<string, string>>,
  unknownName: string,
): DoubtfulOperations {
  /** The first exchange. Null if others look different, so that the operation tells names apart. */
  const noted = new Map<OperationId, Exchange | null>();
  const sent = new Set<string>();
  const ofUnknownPath = new Map<string, Exchange>();
  const keyOf = ({ surface, request: { method } }: Exchange): string => `${surface} ${method}`;

  function requestAfter({ id, path: template }: Operation): RawRequest | undefined {
    const exchange = noted.get(id);
    if (exchange === undefined || exchange === null || sent.has(keyOf(exchange))) return undefined;
    sent.add(keyOf(exchange));
    const { surface, request } = exchange;
    const { method, body } = request;
    const [path = ''] = request.url.slice(addresses[surface]?.length).split('?', 1);
    const fixed = template.split('/').findIndex((segment) => segment !== '' && !segment.startsWith('{'));
    const unknown = path.split('/').with(fixed, unknownName).join('/');
    const json = { headers: { 'Content-Type': 'application/json' }, body: '{}' };
    return { surface, method, path: unknown, ...(body !== undefined && json) };
  }

  return {
    note(id, exchange) {
      const first = noted.get(id);
      if (first === undefined) noted.set(id, exchange);
      else if (first !== null && !areAlike(first, exchange)) noted.set(id, null);
    },
    requestAfter,
    seeUnknownPath: (exchange) => void ofUnknownPath.set(keyOf(exchange), exchange),
    missing(id) {
      const exchange = noted.get(id) ?? undefined;
      const other = exchange && ofUnknownPath.get(keyOf(exchange));
      return other !== undefined && areAlike(exchange!, other) ? exchange : undefined;
    },
  };
}

const areAlike = (one: Exchange, other: Exchange): boolean => sameApartFromRequest(textOf(one), textOf(other));

const textOf = ({ request: { url }, response: { status, text } }: Exchange) => ({ status, text, url });
