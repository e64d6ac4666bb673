/** Finds the documented elements that a run has exercised, exchange by exchange. */
import type { ElementName } from '../../spec/case-outcome.ts';
import type { Surface } from '../../spec/openapi-document.ts';
import type { Call, Element } from '../../spec/elements/element.ts';
import { elements } from '../../spec/elements/elements.ts';
import { matchOperation } from '../../spec/match-operation.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import type { PathMatch } from '../../spec/path-router.ts';
import { jsonIn } from '../json/json-in.ts';
import type { Exchange } from '../target/exchange.ts';

export interface ElementTracker {
  /** Returns the elements that this exchange is the first of the run to exercise. */
  newlyExercised(exchange: Exchange): ElementName[];
}

const elementsByOperation = Map.groupBy(elements, ({ operation }) => operation);

/** `addresses`: the target's, to find the operation of a request that was not sent as a call. */
export function createElementTracker(addresses: Readonly<Partial<Record<Surface, string>>>): ElementTracker {
  const pending = new Map(elementsByOperation);
  return {
    newlyExercised(exchange) {
      const operation = exchange.operation ?? matchOf(exchange, addresses[exchange.surface])?.value.id;
      if (operation === undefined) return [];
      const unexercised = pending.get(operation) ?? [];
      const found = exercisedIn(callOf(exchange), operation, unexercised);
      if (found.length === 0) return [];
      pending.set(
        operation,
        unexercised.filter((each) => !found.includes(each)),
      );
      return found.map(({ element }) => ({ operation, element }));
    },
  };
}

/** The operation of a request, and its path parameters. Undefined if it has another address, or matches none. */
export function matchOf(
  { surface, request }: Pick<Exchange, 'surface' | 'request'>,
  address: string | undefined,
): PathMatch<Operation> | undefined {
  if (address === undefined || !request.url.startsWith(address)) return undefined;
  const [path = ''] = request.url.slice(address.length).split('?', 1);
  return matchOperation(surface, request.method, path);
}

function exercisedIn(call: Call, operation: OperationId, pending: readonly Element[]): Element[] {
  const found = pending.filter((each) => each.isIn(call));
  const isAccepted = call.status < 400;
  const isAuthorized = call.status !== 401 && call.status !== 403;
  // Counted only if needed: most requests are valid.
  const isOnlyError = (): boolean =>
    elementsByOperation.get(operation)?.filter(({ kind, isIn }) => kind === 'invalid' && isIn(call)).length === 1;
  return found.filter(({ kind }) => {
    if (kind === 'response') return true;
    return kind === 'valid' ? isAccepted : isAuthorized && isOnlyError();
  });
}

export function callOf({ request, response }: Exchange): Call {
  const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return {
    query: new URLSearchParams(request.url.split('?', 2)[1] ?? ''),
    headers,
    body: bodyOf(request.body, headers.get('content-type') ?? ''),
    status: response.status,
    responseHeaders: response.headers,
    responseBody: response.json,
  };
}

function bodyOf(text: string | undefined, type: string): unknown {
  if (text === undefined) return undefined;
  return type.startsWith('application/x-www-form-urlencoded')
    ? Object.fromEntries(new URLSearchParams(text))
    : jsonIn(text);
}
