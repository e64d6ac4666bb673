/** Requests billing metrics and parses the responses. */
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import type { Run } from '../../engine/conforms.ts';
import type { ForEachOptions } from '../../engine/for-all.ts';
import { isFields } from '../../json/fields.ts';
import { Violation } from '../../target/violation.ts';
import type { Mismatch } from '../../target/violation.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { Dimension } from './dimensions.ts';

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
 * Parses the response. Throws a Violation unless the status is 200 and summary, data, meta and each entry's summary
 * and timeseries exist. Their members are not checked.
 */
export function parseMetrics(exchange: Exchange): AccountMetricsResponse {
  const { status, json } = exchange.response;
  if (status !== 200) throw new Violation([{ expected: 'status 200', actual: `status ${status}`, exchange }]);
  const missing = missingPart(json);
  if (missing !== undefined) throw new Violation([{ expected: missing, actual: 'absent', exchange }]);
  return json as AccountMetricsResponse;
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

/** The control of a case about refusals: throws NotTried if the target refuses this valid query as well. */
export async function needAccepted(run: Run, query: MetricsQuery): Promise<void> {
  const { status } = (await requestMetrics(run.client, query)).response;
  run.need(status === 200, `a 200 response to a valid metrics query (status ${status})`);
}

/** Undefined unless summary, data, meta and each entry's summary and timeseries exist. */
export const readMetrics = (json: unknown): AccountMetricsResponse | undefined =>
  missingPart(json) === undefined ? (json as AccountMetricsResponse) : undefined;

/** Whether summary, data, meta and each entry's summary and timeseries exist. */
export const isReadable = ({ response: { json } }: Exchange): boolean => readMetrics(json) !== undefined;

function missingPart(json: unknown): string | undefined {
  if (!isFields(json)) return 'a JSON object';
  for (const part of ['summary', 'meta']) if (!isFields(json[part])) return `${part}, an object`;
  if (!Array.isArray(json['data'])) return 'data, an array';
  const walkable = json['data'].every(
    (entry) => isFields(entry) && isFields(entry['summary']) && isListOfObjects(entry['timeseries']),
  );
  return walkable ? undefined : 'summary, an object, and timeseries, an array of objects, in every entry of data';
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isFields);
}
