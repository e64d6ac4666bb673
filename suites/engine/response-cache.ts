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
  'auth.metrics.bearer-required',
  'auth.credentials.expired-refused',
  'errors.robustness.never-5xx',
];

export type ResponseCache = Map<string, Promise<Exchange>>;

/** `undefined` removes a default header, so it counts. */
const keyOf = (parts: unknown): string =>
  JSON.stringify(parts, (_, value: unknown) => (value === undefined ? '\0undefined' : value));

/** A client that sends shared reads only once per run and caller, also if several cases need them at the same time. */
export function withResponseCache(client: Client, cache: ResponseCache, caller: Caller, rule: string): Client {
  if (rulesWithOwnRequests.some((id) => id === rule)) return client;
  return {
    ...client,
    call(id, input = {}) {
      if (!sharedReads.includes(id) || input.body !== undefined) return client.call(id, input);
      const key = keyOf([caller.bearer, caller.credential?.name, id, input]);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const sent = client.call(id, input);
      cache.set(key, sent);
      sent.then(({ response }) => response.status >= 500 && cache.delete(key)).catch(() => cache.delete(key));
      return sent;
    },
  };
}
