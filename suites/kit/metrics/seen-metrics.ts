/** Metrics queries and their responses as rules see them in anybody's traffic. */
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import type { Seen } from '../../judge/seen.ts';
import type { Exchange } from '../../target/exchange.ts';
import type { Dimension } from './dimensions.ts';
import { dimensions } from './dimensions.ts';
import { isReadable, parseMetrics } from './request.ts';

export interface SeenMetrics {
  readonly exchange: Exchange;
  readonly metrics: AccountMetricsResponse;
  /** In the order of the query; empty without groupBy. */
  readonly groupBy: readonly Dimension[];
}

/**
 * A successful response to a query whose parameters occur once. Undefined for any other, and for a body that cannot be read as
 * metrics, which metrics.answer.shape-and-echo judges.
 */
export function seenMetrics(seen: Seen): SeenMetrics | undefined {
  const groupBy = groupByOf(seen);
  if (seen.status !== 200 || isRepeated(seen) || !groupBy.every(isDimension)) return undefined;
  if (seen.json === undefined || !isReadable(seen.exchange)) return undefined;
  return {
    exchange: seen.exchange,
    groupBy,
    get metrics() {
      return parseMetrics(seen.exchange);
    },
  };
}

/** The dimensions of the query, valid or not. Empty without groupBy. */
export function groupByOf(seen: Seen): string[] {
  const list = seen.parameter('groupBy');
  return list === undefined ? [] : list.split(',');
}

export const isDimension = (name: string): name is Dimension => (dimensions as readonly string[]).includes(name);

/** Whether a parameter occurs twice: which value counts is not documented. */
export const isRepeated = ({ query }: Seen): boolean => new Set(query.map(([name]) => name)).size < query.length;

/** The query in one order, with some values replaced: equal for two requests that ask for the same. */
export const sortedQuery = ({ query }: Seen, replaced: Readonly<Record<string, string>> = {}): [string, string][] =>
  Object.entries({ ...Object.fromEntries(query), ...replaced }).toSorted(([one], [other]) => (one < other ? -1 : 1));

/** Equal for two requests of the same caller to the same account. */
export const callerKey = (seen: Seen): string => JSON.stringify([seen.caller, seen.path['accountId']]);
