/** Sends a read that several rules need only once per run: the exchange serves all of them. */
import type { OperationId } from '../../spec/generated/types.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Client } from '../target/client.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Caller } from '../target/request-types.ts';
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
];

/** Characters of all cached bodies. Beyond it, those that were used least recently are sent again if they are needed. */
const MAX_CACHED = 4 * 2 ** 20;

/** Failures and server errors are not kept. */
export type ResponseCache = SizedCache<Exchange>;

export const createResponseCache = (maxCached = MAX_CACHED): ResponseCache =>
  createSizedCache(maxCached, ({ response }) => (response.status >= 500 ? undefined : response.text.length));

/** `undefined` removes a default header, so it counts. */
const keyOf = (parts: unknown): string =>
  JSON.stringify(parts, (_, value: unknown) => (value === undefined ? '\0undefined' : value));

interface CacheUser {
  readonly caller: Caller;
  readonly rule: string;
  /** Called with each exchange that comes from the cache. */
  readonly onReuse?: (exchange: Exchange) => void;
}

/** Whether a rule shares the responses of an operation, if the request has no body. */
export const isShared = (rule: string, id: OperationId): boolean =>
  sharedReads.includes(id) && !rulesWithOwnRequests.some((each) => each === rule);

/** A client that sends shared reads only once per run and caller, also if several cases need them at the same time. */
export function withResponseCache(client: Client, cache: ResponseCache, { caller, rule, onReuse }: CacheUser): Client {
  return {
    ...client,
    async call(id, input = {}) {
      if (!isShared(rule, id) || input.body !== undefined) return await client.call(id, input);
      const key = keyOf([caller.bearer, caller.credential?.name, id, input]);
      let isSent = false;
      const exchange = await cache.get(key, () => {
        isSent = true;
        return client.call(id, input);
      });
      if (!isSent) onReuse?.(exchange);
      return exchange;
    },
  };
}
