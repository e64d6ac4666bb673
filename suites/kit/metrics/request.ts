/** Asks for billing metrics and reads the answers; what is not needed of an answer is left to the rules that judge it. */
import * as fc from 'fast-check';
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import type { Run } from '../../engine/conforms.ts';
import { isFields } from '../../json/fields.ts';
import { Violation } from '../../target/violation.ts';
import type { Mismatch } from '../../target/violation.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { Dimension } from './dimensions.ts';

/** Strings, so that a case can also ask what is not valid. */
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
 * The question by these dimensions. An empty set asks for the single entry, without a limit: that is of grouped results, and
 * elsewhere a target may refuse it.
 */
export function grouped(query: MetricsQuery, set: readonly Dimension[]): MetricsQuery {
  return set.length === 0 ? { ...query, limit: undefined } : { ...query, groupBy: set.join(',') };
}

export function requestMetrics(client: Client, query: MetricsQuery): Promise<Exchange> {
  return client.call('getAccountMetrics', { query: { ...query } });
}

/**
 * The answer as data. Throws a Violation unless it is a 200 whose parts can be walked: summary, data, meta, and each
 * entry's summary and timeseries. Their members are not looked at.
 */
export function parseMetrics(exchange: Exchange): AccountMetricsResponse {
  const { status, json } = exchange.answer;
  if (status !== 200) throw new Violation([{ expected: 'status 200', actual: `status ${status}`, exchange }]);
  const missing = missingPart(json);
  if (missing !== undefined) throw new Violation([{ expected: missing, actual: 'none in the answer', exchange }]);
  return json as AccountMetricsResponse;
}

/** Asks, and reads the answer. */
export async function fetchMetrics(client: Client, query: MetricsQuery): Promise<AccountMetricsResponse> {
  return parseMetrics(await requestMetrics(client, query));
}

/** Asks each of these in turn, if there are any, whatever the number of inputs of the run; a counterexample is the one that failed. */
export async function checkEachQuery(
  run: Run,
  client: Client,
  queries: readonly MetricsQuery[],
  check: (exchange: Exchange) => readonly Mismatch[],
): Promise<void> {
  if (queries.length === 0) return;
  await run.forAll(
    { query: fc.constantFrom(...queries) },
    async ({ query }) => check(await requestMetrics(client, query)),
    { examples: queries.map((query) => ({ query })), runs: 0 },
  );
}

/** For rules about what is refused: says nothing of a target that refuses this valid query as well. */
export async function needAccepted(run: Run, query: MetricsQuery): Promise<void> {
  const { status } = (await requestMetrics(run.client, query)).answer;
  run.need(status === 200, `an answer to valid metrics queries (this one: ${status})`);
}

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
