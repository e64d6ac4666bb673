/** Sends a read that several rules need only once per run: the exchange serves all of them. */
import type { OperationId } from '../../spec/generated/types.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Client } from '../target/client.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Caller } from '../target/request-types.ts';

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

interface Entry {
  readonly sent: Promise<Exchange>;
  /** Characters of the body. 0 until the response is there. */
  length: number;
}

export interface ResponseCache {
  /** The cached exchange, otherwise what `send` returns. Failures and server errors are not cached. */
  get(key: string, send: () => Promise<Exchange>): Promise<Exchange>;
}

export function createResponseCache(maxCached = MAX_CACHED): ResponseCache {
  /** The least recently used first. */
  const cached = new Map<string, Entry>();
  let total = 0;
  const remove = (key: string): void => {
    total -= cached.get(key)?.length ?? 0;
    cached.delete(key);
  };
  function start(key: string, send: () => Promise<Exchange>): Entry {
    const entry: Entry = { sent: measured(), length: 0 };
    async function measured(): Promise<Exchange> {
      try {
        const exchange = await send();
        const { status, text } = exchange.response;
        if (status >= 500) remove(key);
        else total += entry.length = text.length;
        for (const oldest of cached.keys()) if (total > maxCached) remove(oldest);
        return exchange;
      } catch (error) {
        remove(key);
        throw error;
      }
    }
    return entry;
  }
  return {
    get(key, send) {
      const entry = cached.get(key) ?? start(key, send);
      cached.delete(key);
      cached.set(key, entry);
      return entry.sent;
    },
  };
}

/** `undefined` removes a default header, so it counts. */
const keyOf = (parts: unknown): string =>
  JSON.stringify(parts, (_, value: unknown) => (value === undefined ? '\0undefined' : value));

interface CacheUser {
  readonly caller: Caller;
  readonly rule: string;
  /** Called with each exchange that comes from the cache. */
  readonly onReuse?: (exchange: Exchange) => void;
}

/** A client that sends shared reads only once per run and caller, also if several cases need them at the same time. */
export function withResponseCache(client: Client, cache: ResponseCache, { caller, rule, onReuse }: CacheUser): Client {
  if (rulesWithOwnRequests.some((id) => id === rule)) return client;
  return {
    ...client,
    async call(id, input = {}) {
      if (!sharedReads.includes(id) || input.body !== undefined) return await client.call(id, input);
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
