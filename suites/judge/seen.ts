/** An exchange as the rules see it, whoever sent it: the operation, its parameters, the caller, and the response. */
import { headerNames } from '../../spec/brand.ts';
import type { CredentialName } from '../../spec/formats/target-values.ts';
import { matchOperation } from '../../spec/match-operation.ts';
import { operation, type Operation } from '../../spec/operations.ts';
import { jsonIn } from '../json/json-in.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Target } from '../target/target.ts';

/** What is known about the deployment whose exchanges are judged. Without an account or a workspace, rules about them decide nothing. */
export type Facts = Pick<Target, 'addresses' | 'brand' | 'account' | 'workspace' | 'credentials'> &
  Partial<Pick<Target, 'resources'>>;

/** Parts of an exchange that a recording may lack. */
export type Part = 'the request body' | 'the response body' | 'the caller' | 'the response headers';

/** A recording lacks what a rule needs to decide. */
export class Unknown extends Error {
  readonly part: Part;
  constructor(part: Part) {
    super(`${part} is unknown`);
    this.part = part;
  }
}

/** `none`: no credential. `other`: one that the target file does not have, so nobody knows whether it is valid. */
export type SeenCaller = CredentialName | { readonly scope: string } | 'none' | 'other';

/** Getters throw Unknown if the recording lacks the part. */
export interface Seen {
  readonly operation: Operation;
  /** Percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Percent-decoded, in the order of the URL. A name may occur several times. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The value of a query parameter. Undefined if it is absent; the first one if it is repeated. */
  parameter(name: string): string | undefined;
  /** The value of a request header, by its name in any letter case; repeated lines are joined with ", ". */
  header(name: string): string | undefined;
  /** As sent; undefined without a body. */
  readonly sentText: string | undefined;
  /** The body that was sent, as JSON. Undefined if there is none, or if it is no JSON. */
  readonly sent: unknown;
  readonly caller: SeenCaller;
  readonly status: number;
  /** The value of a response header, by its name in any letter case. */
  responseHeader(name: string): string | undefined;
  readonly text: string;
  /** The response body. Undefined if it is no JSON. */
  readonly json: unknown;
  /** When the request was sent, by the clock of the recording. For comparisons with others. Undefined if it does not say. */
  readonly sentAt: number | undefined;
  /** For mismatches. */
  readonly exchange: Exchange;
}

/** Undefined if no operation has the path and the method of the request; none has HEAD. `unknown`: what a recording lacks. */
export function seenOf(exchange: Exchange, facts: Facts, unknown?: ReadonlySet<Part>): Seen | undefined {
  const { request, response } = exchange;
  const found = operationAt(exchange, facts);
  if (found === undefined || request.method.toUpperCase() === 'HEAD') return undefined;
  const search = request.url.split('#', 1)[0]!.split('?').slice(1).join('?');
  const query = [...new URLSearchParams(search)];
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(request.headers))
    headers.set(name.toLowerCase(), [value].flat().join(', '));
  const known = <T>(part: Part, value: T): T => {
    if (unknown?.has(part) === true) throw new Unknown(part);
    return value;
  };
  return {
    operation: found.value,
    path: found.params,
    query,
    parameter: (name) => query.find(([each]) => each === name)?.[1],
    header: (name) => headers.get(name.toLowerCase()),
    get sentText() {
      return known('the request body', request.body);
    },
    get sent() {
      return known('the request body', request.body === undefined ? undefined : jsonIn(request.body));
    },
    get caller() {
      return known('the caller', callerOf(exchange, headers, facts));
    },
    status: response.status,
    responseHeader: (name) => known('the response headers', response.headers[name.toLowerCase()]),
    get text() {
      return known('the response body', response.text);
    },
    get json() {
      return known('the response body', response.json);
    },
    sentAt: exchange.sentAt,
    exchange,
  };
}

/**
 * When the response was made, by the clock of the server, in milliseconds since the epoch. Undefined without a Date header: the
 * clock that recorded the exchange may be days off.
 */
export function serverTimeOf(seen: Seen): number | undefined {
  const time = Date.parse(seen.responseHeader('date') ?? '');
  return Number.isNaN(time) ? undefined : time;
}

interface Found {
  readonly value: Operation;
  readonly params: Readonly<Record<string, string>>;
}

function operationAt({ surface, operation: id, request }: Exchange, { addresses }: Facts): Found | undefined {
  const address = addresses[surface];
  const isBelow = address !== undefined && request.url.startsWith(address);
  const [below = ''] = isBelow ? request.url.slice(address.length).split(/[?#]/, 1) : [''];
  const found = isBelow ? matchOperation(surface, request.method, below) : undefined;
  if (found !== undefined && (id === undefined || found.value.id === id)) return found;
  return id === undefined ? undefined : { value: operation(id), params: {} };
}

function callerOf(exchange: Exchange, headers: ReadonlyMap<string, string>, { brand, credentials }: Facts): SeenCaller {
  const carried = ['authorization', headerNames(brand).authorization.toLowerCase()].some((name) => headers.has(name));
  if (!carried) return 'none';
  const { scoped, ...named } = credentials;
  const own = Object.entries(named).find(([, secret]) => secret.name === exchange.credential);
  if (own !== undefined) return own[0] as CredentialName;
  const scope = Object.entries(scoped).find(([, { name }]) => name === exchange.credential)?.[0];
  return scope === undefined ? 'other' : { scope };
}
