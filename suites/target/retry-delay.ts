/** Which refusals are temporary, and when their requests are sent again. */
import type { Dispatcher } from 'undici';
import { fieldsOf } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import type { WireRequest } from './request-types.ts';
import type { RefusalLimit } from './refusal-limit.ts';

export interface Head {
  status: number;
  headers: Record<string, string>;
}

export const headOf = ({ statusCode, headers }: Dispatcher.ResponseData): Head => ({
  status: statusCode,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')])),
});

export const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

export const MAX_WAITS = 3;
/** A rate limiter with many concurrent clients may refuse the same one repeatedly. */
const MAX_SHORT_WAITS = 10;
const SHORT_WAIT_SECONDS = 5;
/** After a 429 without Retry-After, or with 0. Doubles each time. */
const INITIAL_BACKOFF_SECONDS = 0.25;
const MAX_BACKOFF_SECONDS = 8;
/** More if the target refuses everything, as until the end of a window of a minute. */
const MAX_BACKOFFS = 5;

/** Seconds; 0 if the header is absent or invalid. */
export function retryAfterSeconds(value: string | undefined, now: number = Date.now()): number {
  if (value === undefined) return 0;
  if (/^\d+$/.test(value)) return Number(value);
  const until = Date.parse(value);
  return Number.isNaN(until) ? 0 : Math.max(0, (until - now) / 1000);
}

/** The target refuses a request because of other requests of the run. */
export const isConflict = ({ status }: Head): boolean => status === 409 || status === 423;

/** A rate limit: some servers send another client error with Retry-After instead of 429, such as 403. */
export const isRateLimit = (head: Head): boolean =>
  head.status === 429 || (isClientError(head) && !isConflict(head) && head.headers['retry-after'] !== undefined);

const isClientError = ({ status }: Head): boolean => status >= 400 && status < 500;

/** The target refuses everything for a while. */
export const asksToWait = ({ method, isOfWorkload = false }: Repeatable, head: Head): boolean =>
  isRateLimit(head) ||
  (head.status === 503 &&
    head.headers['retry-after'] !== undefined &&
    (idempotentMethods.has(method) || !isOfWorkload));

/** What decides whether a request may be sent again. */
export type Repeatable = Pick<WireRequest, 'method' | 'isOfWorkload'>;

/**
 * Seconds before the request is repeated, after this many waits. Undefined if it is not repeated. `limit`: knows whether everything is refused.
 */
export function retryDelaySeconds(
  request: Repeatable,
  response: Head,
  waits: number,
  limit: Pick<RefusalLimit, 'isWorthWaiting'>,
): number | undefined {
  const retryAfter = response.headers['retry-after'];
  if (!asksToWait(request, response)) return undefined;
  const seconds = retryAfterSeconds(retryAfter);
  if (isRateLimit(response) && seconds === 0)
    return waits < MAX_BACKOFFS || (response.status === 429 && limit.isWorthWaiting())
      ? Math.min(MAX_BACKOFF_SECONDS, INITIAL_BACKOFF_SECONDS * 2 ** waits)
      : undefined;
  return waits < (isRateLimit(response) && seconds <= SHORT_WAIT_SECONDS ? MAX_SHORT_WAITS : MAX_WAITS)
    ? seconds
    : undefined;
}

const MAX_QUOTED = 200;

/** What a request that is refused again and again would need. */
export function describeLimit(
  { method, origin, path }: { readonly method: string; readonly origin: string; readonly path: string },
  { headers, text = '' }: Head & { readonly text?: string },
): string {
  const retryAfter = headers['retry-after'];
  const { message } = fieldsOf(jsonIn(text)) ?? {};
  const later = retryAfter === undefined ? '' : `, Retry-After: ${retryAfter}`;
  const quoted = typeof message === 'string' ? `: ${message.slice(0, MAX_QUOTED)}` : '';
  return `${method} ${origin}${path.split('?', 1)[0]}: too many requests (429)${later}${quoted}`;
}

/**
 * The server did not process the request because of its connection (RFC 9110 sections 15.5.9 and 15.5.20, RFC 8470): 408 is often
 * sent when an idle connection is closed.
 */
export const isRefusedConnection = ({ status }: Head): boolean => status === 408 || status === 421 || status === 425;
