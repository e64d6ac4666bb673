/** Tells a 404 of the router from one about a name: the router answers a path that no operation has in the same way. */
import { sameApartFromRequest } from '../../spec/missing-operation.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import type { Exchange } from '../target/exchange.ts';
import type { RawRequest } from '../target/request-types.ts';

export interface DoubtfulOperations {
  /** Of a valid request that got 404: the operation may be missing, or what it names. Only the first of an operation counts. */
  note(id: OperationId, exchange: Exchange): void;
  /**
   * After such an exchange: a request with the same method to a path that no operation has. Undefined if one was sent, or is being
   * sent.
   */
  requestAfter(exchange: Exchange, operation: Operation): RawRequest | undefined;
  /** The response to such a request. */
  seeUnknownPath(exchange: Exchange): void;
  /** The noted exchange, if its response looks like that to an unknown path. */
  missing(id: OperationId): Exchange | undefined;
}

/** `unknownName`: what nothing on the target is called. */
export function createDoubtfulOperations(
  addresses: Readonly<Record<string, string>>,
  unknownName: string,
): DoubtfulOperations {
  const noted = new Map<OperationId, Exchange>();
  const sent = new Set<string>();
  const ofUnknownPath = new Map<string, Exchange>();
  const keyOf = ({ surface, request: { method } }: Exchange): string => `${surface} ${method}`;

  function requestAfter(exchange: Exchange, { id, path: template }: Operation): RawRequest | undefined {
    const { surface, request } = exchange;
    if (noted.get(id) !== exchange || sent.has(keyOf(exchange))) return undefined;
    sent.add(keyOf(exchange));
    const { method, body } = request;
    const [path = ''] = request.url.slice(addresses[surface]?.length).split('?', 1);
    const fixed = template.split('/').findIndex((segment) => segment !== '' && !segment.startsWith('{'));
    const unknown = path.split('/').with(fixed, unknownName).join('/');
    const json = { headers: { 'Content-Type': 'application/json' }, body: '{}' };
    return { surface, method, path: unknown, ...(body !== undefined && json) };
  }

  return {
    note: (id, exchange) => void (noted.has(id) || noted.set(id, exchange)),
    requestAfter,
    seeUnknownPath: (exchange) => void ofUnknownPath.set(keyOf(exchange), exchange),
    missing(id) {
      const exchange = noted.get(id);
      const other = exchange && ofUnknownPath.get(keyOf(exchange));
      return other !== undefined && sameApartFromRequest(textOf(exchange!), textOf(other)) ? exchange : undefined;
    },
  };
}

const textOf = ({ request: { url }, response: { status, text } }: Exchange) => ({ status, text, url });
