/** Counts exchanges by operation and credential, and those that have an effect which no ledger records. */
import type { Surface } from '../../spec/openapi-document.ts';
import { matchOperation } from '../../spec/match-operation.ts';
import { basePathOf } from '../../spec/network/base-path.ts';
import { operation } from '../../spec/operations.ts';
import type { FailedRequest } from '../../suites/target/client.ts';
import type { Exchange } from '../../suites/target/exchange.ts';
import { isSuccess } from '../../suites/target/ledger.ts';
import type { Target } from '../../suites/target/target.ts';
import { effectKey, sentKey } from './request-counts.ts';
import type { Counts, SentRequests } from './request-counts.ts';

export interface ExchangeCounter {
  record(exchange: Exchange | FailedRequest): void;
  counts(): Counts;
}

/** `prefix`: how the names of what the run created begin. */
export function countExchanges(target: Target, prefix: string): ExchangeCounter {
  const counts = new Map<string, number>();
  const add = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    record(exchange) {
      const sent = { ...requestsOf(exchange, target), credential: credentialOf(exchange) };
      add(sentKey(sent));
      if ('response' in exchange && isSuccess(exchange.response.status))
        effectOf(sent, exchange.request.url, prefix, add);
    },
    counts: () => Object.fromEntries(counts),
  };
}

/**
 * Removals of the management API are of resources that the run did not create if no part of the path has its prefix. Elsewhere
 * a DELETE ends an MCP session or an upload.
 */
function effectOf(
  { operation: id, surface, method }: SentRequests,
  url: string,
  prefix: string,
  add: (key: string) => void,
): void {
  if (id === undefined) return;
  if (id === 'updateAgent') add(effectKey('updates', id));
  if (id === 'createJobExecution') add(effectKey('starts', id));
  const isOwn = new URL(url).pathname.split('/').some((part) => part.startsWith(prefix));
  if (surface === 'management' && method === 'DELETE' && !isOwn) add(effectKey('removes', id));
}

/** The operation of a raw request is found by its path. HEAD is counted separately from GET. */
function requestsOf(
  { operation: id, surface, request: { method, url } }: Exchange | FailedRequest,
  target: Target,
): Omit<SentRequests, 'credential'> {
  const found = id ?? (method === 'HEAD' ? undefined : operationAt(target, surface, method, url));
  if (found === undefined) return { surface, method };
  const known = operation(found);
  return { operation: found, surface: known.surface, method: known.method };
}

function operationAt(target: Target, surface: Surface, method: string, url: string): SentRequests['operation'] {
  const address = target.addresses[surface];
  const base = address === undefined ? '' : basePathOf(address);
  const { pathname } = new URL(url);
  const below = pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
  return matchOperation(surface, method, below)?.value.id;
}

/** The name of the credential's variable; for altered or composed headers, the placeholders in them. */
function credentialOf({ credential, request }: Exchange | FailedRequest): string {
  if (credential !== undefined) return credential;
  const carried = Object.entries(request.headers).flatMap(([name, value]) =>
    /authorization$/i.test(name) ? [value].flat() : [],
  );
  if (carried.length === 0) return 'none';
  const named = carried.flatMap((value) => [...value.matchAll(/\$(SVC_\w+)/g)].map(([, name = '']) => name));
  if (named.includes('SVC_ALTERED_TOKEN')) return 'altered';
  return named.length === 0 ? 'made up' : [...new Set(named)].join(' and ');
}
