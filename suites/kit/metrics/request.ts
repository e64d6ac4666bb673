/** Requests billing metrics and parses the responses. */
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import type { Run } from '../../engine/conforms.ts';
import type { ForEachOptions } from '../../engine/for-all.ts';
import { Violation } from '../../target/violation.ts';
import type { Mismatch } from '../../target/violation.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { Dimension } from './dimensions.ts';
import { costFlaw, shapeFlaw, type ShapeFlaw } from './shape-flaw.ts';

/** Strings, so that a case can also send invalid values. */
export interface MetricsQuery {
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  readonly resolution?: string | undefined;
  /** Comma-separated. */
  readonly groupBy?: string | undefined;
  readonly workspace?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceName?: string | undefined;
  readonly resourceUuid?: string | undefined;
  readonly billingDimension?: string | undefined;
  readonly limit?: number | string | undefined;
  readonly cursor?: string | undefined;
  readonly [undocumented: string]: string | number | undefined;
}

/**
 * Groups the query by these dimensions. An empty set removes the limit: it applies to grouped results, and a target
 * may refuse it elsewhere.
 */
export function grouped(query: MetricsQuery, set: readonly Dimension[]): MetricsQuery {
  return set.length === 0 ? { ...query, limit: undefined } : { ...query, groupBy: set.join(',') };
}

/** As reasons name it. */
export const METRICS_ROUTE = 'GET /accounts/{accountId}/metrics';
export const TYPES_ROUTE = `${METRICS_ROUTE}/enums/resource-types`;

/** A valid name that no resource has: nothing matches it. */
export const UNUSED_NAME = 'assay-nothing-has-this-name';

/** The first parameters of every query, in this order. */
const firstParameters: readonly string[] = ['startTime', 'endTime', 'resolution', 'groupBy'];

/** Queries that mean the same are equal, so that rules share their responses: in one order and without absent parameters. */
export function inOneOrder(query: MetricsQuery): Readonly<Record<string, string>> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const position = (name: string): string => {
    const at = firstParameters.indexOf(name);
    return at < 0 ? name : String(at);
  };
  return Object.fromEntries(given.toSorted(([one], [other]) => (position(one!) < position(other!) ? -1 : 1)));
}

export function requestMetrics(client: Client, query: MetricsQuery): Promise<Exchange> {
  return client.call('getAccountMetrics', { query: inOneOrder(query) });
}

/**
 * Parses the response. Throws a Violation unless the status is 200 and the body can be read (see shape-flaw.ts): then only the
 * rules that this breaks fail.
 */
export function parseMetrics(exchange: Exchange): AccountMetricsResponse {
  const { status, json } = exchange.response;
  if (status !== 200) throw new Violation([{ expected: 'status 200', actual: `status ${status}`, exchange }]);
  const flaw = flawMismatch(exchange);
  if (flaw !== undefined) throw new Violation([flaw]);
  return json as AccountMetricsResponse;
}

/** What makes a successful response unreadable. Undefined if it can be read. */
export const flawMismatch = (exchange: Exchange): Mismatch | undefined =>
  mismatchOf(exchange, shapeFlaw(exchange.response.json, exchange.response.text));

/** A cost of a readable response that is not a number, without which rules about figures cannot compare it. */
export const costMismatch = (exchange: Exchange): Mismatch | undefined =>
  mismatchOf(exchange, costFlaw(parseMetrics(exchange)));

function mismatchOf(exchange: Exchange, flaw: ShapeFlaw | undefined): Mismatch | undefined {
  if (flaw === undefined) return undefined;
  const { where, expected, actual, rules } = flaw;
  const missing = `${where}, ${expected}, in the response to ${METRICS_ROUTE}`;
  return {
    expected: `${where}, ${expected}`,
    actual,
    exchange,
    cause: { rules, missing: `${missing}: it is ${actual}, which breaks ${rules.join(' and ')}` },
  };
}

/** Sends the request and parses its response. */
export async function fetchMetrics(client: Client, query: MetricsQuery): Promise<AccountMetricsResponse> {
  return parseMetrics(await requestMetrics(client, query));
}

/** Checks the response to each query of the current round. */
export const checkEachQuery = (
  run: Run,
  client: Client,
  queries: readonly MetricsQuery[],
  check: (exchange: Exchange) => readonly Mismatch[],
  options: ForEachOptions = {},
): Promise<void> => run.forEach(queries, async (query) => check(await requestMetrics(client, query)), options);

/** Undefined unless the body can be read. */
export const readMetrics = (json: unknown): AccountMetricsResponse | undefined =>
  shapeFlaw(json) === undefined ? (json as AccountMetricsResponse) : undefined;

/** Whether the body can be read. */
export const isReadable = ({ response: { json } }: Exchange): boolean => readMetrics(json) !== undefined;
