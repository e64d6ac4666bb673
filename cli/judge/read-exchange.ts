/** Turns a recorded exchange into one that rules can judge, or says why none can. */
import { isSecretField } from '../../spec/secret-names.ts';
import { uncheckedReason } from '../../spec/unchecked-response.ts';
import { listedVersionIn } from '../../spec/operation-versions.ts';
import { replyFindings } from '../../spec/validators.ts';
import { isTooDeep, jsonIn } from '../../suites/json/json-in.ts';
import { weakJson } from '../../suites/json/weak-json.ts';
import { seenOf, Unknown, type Facts, type Part, type Seen } from '../../suites/judge/seen.ts';
import type { Exchange, HttpResponse } from '../../suites/target/exchange.ts';
import type { Secret } from '../../suites/target/target.ts';
import { isCredential } from '../proxy/credentials-of.ts';
import { joinedHeaders } from '../proxy/end-to-end.ts';
import { operationAt, type MatchedOperation } from '../proxy/mounts.ts';
import type { RecordedBody, RecordedExchange, RecordedHeaders } from './recording/recorded-exchange.ts';
import type { TrafficTarget } from './traffic-target.ts';

export interface ReadExchange {
  readonly seen: Seen;
  /** What is known. Unknown bodies are empty. */
  readonly exchange: Exchange;
  readonly unknown: ReadonlySet<Part>;
}

export interface ReadOptions {
  readonly isOnlyStranger: IsOnlyStranger;
  /** Whether the texts of responses are not those of the server, but the values in them are. */
  readonly isReserialized: boolean;
}

/** Whether the credential, which the target file does not have, is the only such one. Others would be taken for the same caller. */
export type IsOnlyStranger = (credential: string) => boolean;

/** Remembers the first credential. */
export function onlyStranger(): IsOnlyStranger {
  let first: string | undefined;
  return (credential) => (first ??= credential) === credential;
}

/** `skipped` is a noun, such as in "2 × HEAD request". */
export function readExchange(
  recorded: RecordedExchange,
  { facts, mounts }: Pick<TrafficTarget, 'facts' | 'mounts'>,
  { isOnlyStranger, isReserialized }: ReadOptions,
): ReadExchange | { readonly skipped: string } {
  const { method, status } = recorded;
  const place = placeOf(recorded, mounts);
  if ('skipped' in place) return place;
  const { origin, path, found } = place;
  const { operation } = found;
  const caller = callerOf(recorded, facts, isOnlyStranger);
  const response = responseOf(recorded);
  const unknown = unknownParts(recorded, caller.isUnknown);
  const headers = headersOf(recorded.requestHeaders);
  const isChecked =
    !unknown.has('the response body') && uncheckedReason(operation.id, status, response.headers) === undefined;
  const exchange: Exchange = {
    surface: operation.surface,
    operation: operation.id,
    ...(caller.credential !== undefined && { credential: caller.credential }),
    request: { method, url: origin + path, headers, ...bodyOf(recorded) },
    response,
    shape: isChecked ? replyFindings(operation.id, status, response.json, listedVersionIn(headers, facts.brand)) : [],
    sentAt: recorded.startedAt,
    durationMs: durationOf(recorded),
    ...(recorded.isConcurrent === true && { isConcurrent: true }),
    repeatedAfter: [],
  };
  const seen = seenOf(guarded(exchange, unknown, isReserialized), facts, unknown);
  return seen === undefined ? { skipped: 'no operation of the interface' } : { seen, exchange, unknown };
}

interface Place {
  readonly origin: string;
  /** Of the whole URL, with the query. */
  readonly path: string;
  readonly found: MatchedOperation;
}

/** The operation of an exchange, or why it shows nothing. */
export function placeOf(
  recorded: RecordedExchange,
  mounts: TrafficTarget['mounts'],
): Place | { readonly skipped: string } {
  const { method, status } = recorded;
  const url = recorded.url.split('#', 1)[0]!;
  const [start = ''] = /^[a-z]+:\/\/[^/?#]*/i.exec(url) ?? [];
  const origin = URL.parse(start)?.origin;
  const own = origin === undefined ? undefined : mounts.get(origin);
  if (origin === undefined || own === undefined) return { skipped: 'another origin' };
  if (isPreflight(recorded)) return { skipped: 'preflight request' };
  const path = url.slice(start.length) || '/';
  const found = operationAt(own, method, path);
  if (found === undefined) return { skipped: 'no operation of the interface' };
  if (!Number.isInteger(status) || status < 200 || status > 599) return { skipped: 'no response' };
  if (recorded.isRepeat) return { skipped: 'repeat of an earlier response' };
  if (method === 'HEAD') return { skipped: 'HEAD request' };
  if (status === 304 || status === 206) return { skipped: `status ${status}` };
  return { origin, path, found };
}

/** Reading an unknown part throws Unknown, because rules may read the exchange itself. */
function guarded(exchange: Exchange, unknown: ReadonlySet<Part>, isReserialized: boolean): Exchange {
  const [request, response] = [{ ...exchange.request }, Object.create(exchange.response) as HttpResponse];
  const guard = (object: object, key: string, part: Part): void =>
    void Object.defineProperty(object, key, {
      get() {
        throw new Unknown(part);
      },
    });
  if (unknown.has('the request body')) guard(request, 'body', 'the request body');
  if (unknown.has('the response body')) guard(response, 'json', 'the response body');
  if (unknown.has('the response body') || isReserialized) guard(response, 'text', 'the response body');
  if (unknown.has('the response headers')) guard(response, 'headers', 'the response headers');
  return { ...exchange, request, response };
}

/** The browser's own request, which is not an operation. */
const isPreflight = ({ method, requestHeaders }: RecordedExchange): boolean =>
  method === 'OPTIONS' && requestHeaders.some(([name]) => name.toLowerCase() === 'access-control-request-method');

const durationOf = ({ startedAt, endedAt }: RecordedExchange): number =>
  startedAt === undefined || endedAt === undefined ? 0 : Math.max(0, endedAt - startedAt);

/** Names in the spelling of their first line. */
export function headersOf(pairs: RecordedHeaders): Record<string, string | string[]> {
  const lines = Map.groupBy(
    pairs.filter(([name]) => !name.startsWith(':')), // HTTP/2 pseudo headers.
    ([name]) => name.toLowerCase(),
  );
  return Object.fromEntries(
    [...lines.values()].map((same) => [same[0]![0], same.length === 1 ? same[0]![1] : same.map(([, value]) => value)]),
  );
}

const isKnown = (body: RecordedBody): body is Extract<RecordedBody, { text: string }> => 'text' in body;

function bodyOf({ requestBody: body }: RecordedExchange): { body?: string; bytes?: true } {
  if (!isKnown(body) || body.text === '') return {};
  return body.bytes === true ? { body: body.text, bytes: true } : { body: body.text };
}

function responseOf({ status, responseHeaders, responseBody: body }: RecordedExchange): HttpResponse {
  const text = isKnown(body) ? body.text : '';
  const json = text.replace(/^\ufeff/, '');
  const jsonOf = weakJson(json, jsonIn(json));
  return {
    status,
    headers: joinedHeaders(responseHeaders.flat()),
    text,
    get json() {
      return jsonOf();
    },
  };
}

function unknownParts(recorded: RecordedExchange, isCallerUnknown: boolean): Set<Part> {
  const { requestBody, responseBody, responseHeaders } = recorded;
  const isReadable = isKnown(responseBody) && responseBody.bytes !== true && !isTooDeep(responseBody.text);
  return new Set<Part>([
    ...(isKnown(requestBody) ? [] : ['the request body' as const]),
    ...(isReadable ? [] : ['the response body' as const]),
    ...(isCallerUnknown ? ['the caller' as const] : []),
    ...(responseHeaders.length > 0 ? [] : ['the response headers' as const]),
  ]);
}

interface Caller {
  /** The variable of a credential of the target file that was sent unchanged. */
  readonly credential?: string;
  readonly isUnknown: boolean;
}

function callerOf(recorded: RecordedExchange, { credentials }: Facts, isOnlyStranger: IsOnlyStranger): Caller {
  if (recorded.isCallerUnknown) return { isUnknown: true };
  const values = recorded.requestHeaders.filter(([name]) => isCredential(name)).map(([, value]) => value);
  if (values.length === 0) return { isUnknown: hasOtherCredential(recorded) };
  const { scoped, ...named } = credentials;
  const secrets: Secret[] = [...Object.values(named), ...Object.values(scoped)];
  const own = secrets.find(({ name, value }) => {
    if (values.length > 1) return false;
    if (recorded.credential !== undefined) return recorded.credential === name;
    return value !== '' && values[0] === `Bearer ${value}`;
  });
  return own === undefined
    ? { isUnknown: !isOnlyStranger(values.join('\n')) }
    : { credential: own.name, isUnknown: false };
}

/** A gateway in front of the service may accept a cookie or a key instead of a token. */
function hasOtherCredential({ url, requestHeaders }: RecordedExchange): boolean {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'));
  return (
    requestHeaders.some(([name]) => /^cookie$|(?:token|key|secret)$/i.test(name)) ||
    [...query.keys()].some(isSecretField)
  );
}

/** Headers without which a request would mean something else. Others, which clients add, may be secret. In lower case. */
const MEANINGFUL = /^(?:if-|mcp-(?!session)|content-encoding$|origin$|last-event-id$|prefer$)/;

export const isMeaningful = (name: string): boolean => MEANINGFUL.test(name.toLowerCase());
