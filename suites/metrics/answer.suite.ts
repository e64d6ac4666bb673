/** metrics.answer.*: the parts of a metrics response. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import { acceptance, pagesBefore } from '../kit/metrics/seen-metrics.ts';
import { isPlain, windowIn } from '../kit/metrics/seen-query.ts';
import type { Run } from '../engine/conforms.ts';
import { fieldsOf, isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import type { Mismatch } from '../target/violation.ts';
import { instantOf } from '../expect/instant.ts';
import { formatValue } from '../expect/format-value.ts';
import { status } from '../expect/status.ts';
import { groupByOf } from '../kit/generators/dimension-set.ts';
import { resolvedWindow } from '../kit/generators/window.ts';
import type { Exchange } from '../target/client.ts';
import { UNUSED_NAME, requestMetrics } from '../kit/metrics/request.ts';
import { isResolution } from './buckets.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import { edgeCaseWindows } from './edge-case-windows.ts';
import { HOUR, endOf, lastOf, pastWindow, recentDays } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

judges('metrics.answer.shape-and-echo', 'getAccountMetrics', (seen, facts) => {
  // What a filter or a limit may refuse is not judged here.
  if (seen.status !== 200)
    return seen.query.every(([name]) => plainParameters.includes(name)) ? acceptance(seen, facts) : undefined;
  if (!isPlain(seen, facts) || windowIn(seen)?.isExact !== true) return undefined;
  void seen.json; // Throws if the body is not known.
  // The window of a later page may be that of its cursor.
  const isOfQuery = pagesBefore(seen, facts) !== undefined;
  const [startTime, endTime] = [seen.parameter('startTime')!, seen.parameter('endTime')!];
  return shapeMismatches(seen.exchange, isOfQuery ? { startTime, endTime } : undefined);
});

const plainParameters: readonly string[] = ['startTime', 'endTime', 'resolution'];

conforms('metrics.answer.shape-and-echo', async (run) => {
  await run.forAll(
    {
      requested: resolvedWindow(pastWindow(run)),
      grouping: fc.option(
        fc.record({ groupBy: groupByOf(dimensionsFor(run)), limit: fc.integer({ min: 1, max: 20 }) }),
      ),
    },
    async ({ requested: { window, resolution }, grouping }) => {
      const query = { ...window, resolution, ...grouping };
      const exchange = await requestMetrics(run.client, query);
      const mismatches = shapeMismatches(exchange, window);
      const cursor =
        grouping === null ? '' : fieldsOrEmpty(fieldsOrEmpty(exchange.response.json)['meta'])['nextCursor'];
      if (mismatches.length > 0 || typeof cursor !== 'string' || cursor === '') return mismatches;
      // metrics.pagination.every-group-once checks whether the cursor is accepted.
      const next = await requestMetrics(run.client, { ...query, cursor });
      return next.response.status === 200 ? [...shapeMismatches(next, window), ...sameResolution(exchange, next)] : [];
    },
    { examples: edgeCaseWindows(endOf(pastWindow(run))).map((requested) => ({ requested, grouping: null })) },
  );
  run.check(await withoutGroups(run));
  await checkConcurrentRequests(run);
});

/** A query without matching groups returns an empty list. */
async function withoutGroups(run: Run): Promise<Mismatch[]> {
  const window = recentDays(run);
  const noMatch = { resolution: 'daily', groupBy: 'resource_type', resourceName: UNUSED_NAME };
  const exchange = await requestMetrics(run.client, { ...window, ...noMatch });
  // metrics.filters.nothing-matches-nothing checks whether the query is accepted.
  return exchange.response.status === 200 ? shapeMismatches(exchange, window) : [];
}

/** Concurrent requests, which no other rule sends: each response belongs to its own request. */
async function checkConcurrentRequests(run: Run): Promise<void> {
  const windows = [11, 19, 23, 35].map((hours) => lastOf(pastWindow(run), hours * HOUR));
  const exchanges = await Promise.all(
    windows.map((window, at) =>
      requestMetrics(run.client, { ...window, ...(at % 2 === 1 && { groupBy: 'resource_type' }) }),
    ),
  );
  run.check(...exchanges.map((exchange, at) => shapeMismatches(exchange, windows[at])));
}

function sameResolution(exchange: Exchange, next: Exchange): Mismatch[] {
  const [expected, actual] = [exchange, next].map(({ response }) =>
    formatValue(fieldsOrEmpty(response.json)['resolution']),
  );
  return expected === actual ? [] : [{ expected: `resolution ${expected}`, actual: actual!, exchange: next }];
}

/** Without a window, its echo is not checked. */
function shapeMismatches(exchange: Exchange, window?: Window): Mismatch[] {
  if (exchange.response.status !== 200) return status(exchange, 200);
  const body = fieldsOrEmpty(exchange.response.json);
  const summary = fieldsOrEmpty(body['summary']);
  const meta = fieldsOrEmpty(body['meta']);
  const data = body['data'];
  const echoes = (['startTime', 'endTime'] as const).map((name): [string, boolean, unknown] => {
    const [sent, value] = [window?.[name], body[name]];
    const expected = sent === undefined ? 'an RFC 3339 timestamp' : `the instant ${sent}`;
    return [`${name}, ${expected} in UTC`, isInUtc(value) && (sent === undefined || isSameInstant(value, sent)), value];
  });
  const rows: [string, boolean, unknown][] = [
    ...echoes,
    ['resolution, one of the four', isResolution(body['resolution']), body['resolution']],
    ['summary.totalCost, a number', typeof summary['totalCost'] === 'number', summary['totalCost']],
    ['summary.totalUsage, a number if present', isNumberOrAbsent(summary['totalUsage']), summary['totalUsage']],
    ['data, an array of objects', Array.isArray(data) && data.every(isFields), data],
    ['meta.hasMore, a boolean', typeof meta['hasMore'] === 'boolean', meta['hasMore']],
    // Without a next page, metrics.pagination.has-more-and-cursor-agree checks the value.
    [
      'meta.nextCursor, a string',
      typeof meta['nextCursor'] === 'string' || meta['hasMore'] === false,
      meta['nextCursor'],
    ],
  ];
  return rows
    .filter(([, fits]) => !fits)
    .map(([expected, , value]) => ({ expected, actual: formatValue(value, 80), exchange }));
}

const isSameInstant = (value: unknown, requested: string): boolean => instantOf(value) === instantOf(requested);

const isInUtc = (value: unknown): boolean => instantOf(value) !== undefined && UTC.test(String(value));

/** Any spelling of an offset of zero (RFC 3339 section 5.6). */
const UTC = /(z|[+-]00:00)$/i;

function isNumberOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'number';
}

const fieldsOrEmpty = (value: unknown): Fields => fieldsOf(value) ?? {};
