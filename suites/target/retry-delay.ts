/** Which responses mean that the same request may succeed later, and when. */
import type { RefusalLimit } from './refusal-limit.ts';

export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

const MAX_WAITS = 3;
/** With many concurrent requests, the same one may be refused repeatedly. */
const MAX_SHORT_WAITS = 10;
const SHORT_WAIT_SECONDS = 5;
/** After a 429 without Retry-After, or with 0. Doubles each time. */
const INITIAL_BACKOFF_SECONDS = 0.25;
const MAX_BACKOFF_SECONDS = 8;
/** More if the target refuses everything, as until the end of a window of a minute. */
const MAX_BACKOFFS = 5;
/** Other connections of the pool may be idle for as long. */
const MAX_TIMEOUTS = 3;

/** Seconds; 0 if the header is absent or invalid. */
export function retryAfterSeconds(value: string | undefined, now: number = Date.now()): number {
  if (value === undefined) return 0;
  if (/^\d+$/.test(value)) return Number(value);
  const until = Date.parse(value);
  return Number.isNaN(until) ? 0 : Math.max(0, (until - now) / 1000);
}

/** Too many requests, or a server that cannot serve any: others would be refused as well. */
export const refusesAll = (method: string, { status, headers }: ResponseHead): boolean =>
  status === 429 || (status === 503 && idempotentMethods.has(method) && headers['retry-after'] !== undefined);

/**
 * Another request is under way, and the server says when to try again; or the connection was idle for too long or is that of another
 * server (RFC 9110 sections 15.5.9 and 15.5.20). Other requests are not concerned.
 */
export const refusesOnlyThis = ({ status, headers }: ResponseHead): boolean =>
  [408, 421].includes(status) || ([409, 423].includes(status) && headers['retry-after'] !== undefined);

/**
 * Seconds before the request is repeated, after this many waits. Undefined if it is not repeated. 503 may mean that something was
 * done, so only idempotent methods are repeated; the others mean that nothing was. `limit`: knows whether everything is refused.
 */
export function retryDelaySeconds(
  { method }: { readonly method: string },
  response: ResponseHead,
  waits: number,
  limit: Pick<RefusalLimit, 'isWorthWaiting'>,
): number | undefined {
  const { status, headers } = response;
  const seconds = retryAfterSeconds(headers['retry-after']);
  if ([408, 421].includes(status)) return waits < MAX_TIMEOUTS ? waits * INITIAL_BACKOFF_SECONDS : undefined;
  const isOfOne = refusesOnlyThis(response);
  if (!isOfOne && !refusesAll(method, response)) return undefined;
  if (status === 429 && seconds === 0)
    return waits < MAX_BACKOFFS || limit.isWorthWaiting()
      ? Math.min(MAX_BACKOFF_SECONDS, INITIAL_BACKOFF_SECONDS * 2 ** waits)
      : undefined;
  const isShort = status !== 503 && seconds <= SHORT_WAIT_SECONDS;
  if (waits >= (isShort ? MAX_SHORT_WAITS : MAX_WAITS)) return undefined;
  // Not all at the same moment, or they meet again.
  return isOfOne ? seconds * (1 + Math.random()) : seconds;
}
