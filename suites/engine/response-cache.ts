/** Sends a request that several rules need only once per run, if its response is always the same: one exchange serves them all. */
import type { OperationId } from '../../spec/generated/types.ts';
import { operation } from '../../spec/operations.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { isFields } from '../json/fields.ts';
import type { Client } from '../target/client.ts';
import type { Exchange } from '../target/exchange.ts';
import type { CallInput, Caller } from '../target/request-types.ts';
import type { Target } from '../target/target.ts';
import { requestOf } from '../target/wire-request.ts';
import { createSizedCache } from './sized-cache.ts';
import type { SizedCache } from './sized-cache.ts';

/** Reads whose responses do not depend on what the run does. */
const sharedReads: readonly OperationId[] = [
  'getAccountMetrics',
  'listMetricsGroupBy',
  'listMetricsResourceTypes',
  'listAccounts',
  'getIntegration',
];

/** Rules about what happens when a request is repeated, or at the same time as others. */
const rulesWithOwnRequests: readonly RequirementId[] = [
  'metrics.sums.past-is-stable',
  'metrics.pagination.cursor-repeatable',
  'metrics.pagination.every-group-once',
  'metrics.accounts.foreign-refused',
  'auth.headers.brand-authorization-accepted-on-every-api',
  'auth.credentials.expired-refused',
  'errors.robustness.never-5xx',
  'versions.default.absent-header-means-earliest-stable',
];

/**
 * Characters of all cached bodies: few enough for a run on the mock in 400 MB. Beyond it, requests with long responses are sent
 * again if they are needed.
 */
const MAX_CACHED = 12 * 2 ** 20;

/** Refusals that do not depend on the moment, unlike 408, 409, 423 and 425. */
const lastingRefusals: readonly number[] = [400, 401, 403, 404, 405, 406, 410, 415, 422];

/** Milliseconds. Half of the shortest lifetime of cursors that is common. */
const MAX_CURSOR_AGE = 30_000;

/** Whether a rule that follows the cursor may get a refusal because of its age. */
const hasOldCursor = ({ sentAt = Date.now(), response: { text } }: Exchange): boolean =>
  Date.now() - sentAt > MAX_CURSOR_AGE && /"nextCursor":\s*"[^"]/.test(text);

/** Only the responses to reads that succeed, and lasting refusals. */
export type ResponseCache = SizedCache<Exchange>;

export const createResponseCache = (maxCached = MAX_CACHED): ResponseCache =>
  createSizedCache(maxCached, ({ request, response: { status, text } }) =>
    (status < 400 && request.method === 'GET') || lastingRefusals.includes(status) ? text.length : undefined,
  );

interface CacheUser {
  readonly target: Target;
  readonly caller: Caller;
  readonly rule: string;
  /** What nothing on the target is ever called. */
  readonly unknownName: string;
  /** Called with each exchange that comes from the cache. */
  readonly onReuse?: (exchange: Exchange) => void;
}

const hasOwnRequests = (rule: string): boolean => rulesWithOwnRequests.some((each) => each === rule);

/** Whether a rule shares the responses of an operation, if the request has no body. */
export const isShared = (rule: string, id: OperationId): boolean => sharedReads.includes(id) && !hasOwnRequests(rule);

/** Whether a management request is refused whatever the run does: it names what never exists, or creates from an empty body. */
function isAlwaysRefused(id: OperationId, { path = {}, body }: CallInput, unknownName: string): boolean {
  const { surface, method } = operation(id);
  const createsFromNothing = method === 'POST' && isFields(body) && Object.keys(body).length === 0;
  return surface === 'management' && (createsFromNothing || Object.values(path).includes(unknownName));
}

/** A client that sends shared requests only once per run and caller, also if several cases need them at the same time. */
export function withResponseCache(client: Client, cache: ResponseCache, user: CacheUser): Client {
  const { target, caller, rule, unknownName, onReuse } = user;
  const mayShare = (id: OperationId, input: CallInput): boolean =>
    (isShared(rule, id) && input.body === undefined) ||
    (!hasOwnRequests(rule) && isAlwaysRefused(id, input, unknownName));
  return {
    ...client,
    async call(id, input = {}) {
      if (!mayShare(id, input)) return await client.call(id, input);
      // How a caller is restricted decides what its refusal means.
      const key = JSON.stringify([caller.credential?.name, id, requestOf(target, caller, id, input)]);
      let isSent = false;
      const send = () => {
        isSent = true;
        return client.call(id, input);
      };
      const exchange = await cache.get(key, send, (kept) => !hasOldCursor(kept));
      if (!isSent) onReuse?.(exchange);
      return exchange;
    },
  };
}
