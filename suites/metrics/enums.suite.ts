/** metrics.enums.*: the lists of groupBy values and of resource types. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import { judges, judgesInOrder, refuses } from '../judge/judgement.ts';
import { acceptance } from '../kit/metrics/seen-metrics.ts';
import { judgeTypesAgainstData, judgeTypesByWindow } from './judged-types.ts';
import { hasNoTimestamp, isPlain, isUnclear, lacksWindow } from '../kit/metrics/seen-query.ts';
import type { Run } from '../engine/conforms.ts';
import { fieldsOf } from '../json/fields.ts';
import { scaleRuns } from '../engine/for-all.ts';
import type { Mismatch } from '../target/violation.ts';
import { formatValue } from '../expect/format-value.ts';
import { status } from '../expect/status.ts';
import { impossibleTimestamp, wrongTimestamps } from '../kit/generators/timestamp.ts';
import { windowOfLengths, windowWithin } from '../kit/generators/window.ts';
import { callerVariants, clientFor } from '../kit/provision/caller-variants.ts';
import type { Client, Exchange } from '../target/client.ts';
import { parseMetrics, requestMetrics, checkEachQuery } from '../kit/metrics/request.ts';
import { requestVariants, clientOf } from '../kit/metrics/request-variants.ts';
import { dimensions } from '../kit/metrics/dimensions.ts';
import { everyPair } from './every-pair.ts';
import {
  DAY,
  HOUR,
  SECOND,
  endOf,
  firstOfMonth,
  lastOf,
  pastWindow,
  pastWithData,
  recentDays,
  startOf,
  timestamp,
  windowOf,
} from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

/** The values of a list, or why there are none that can be judged: it is refused or invalid. */
interface ValueList {
  exchange: Exchange;
  values: unknown[];
  mismatches: Mismatch[];
}

function parseValueList(exchange: Exchange): ValueList {
  const { json } = exchange.response;
  const values = fieldsOf(json)?.['values'];
  const wrong = status(exchange, 200);
  if (wrong.length === 0 && Array.isArray(values)) return { exchange, values, mismatches: [] };
  return {
    exchange,
    values: [],
    mismatches:
      wrong.length > 0
        ? wrong
        : [{ expected: 'values, an array', actual: formatValue(fieldsOf(json)?.['values'] ?? json), exchange }],
  };
}

async function groupByValues({ client }: Pick<Run, 'client'>): Promise<ValueList> {
  return parseValueList(await client.call('listMetricsGroupBy'));
}

async function resourceTypes({ client }: Pick<Run, 'client'>, window: Window): Promise<ValueList> {
  return parseValueList(await client.call('listMetricsResourceTypes', { query: { ...window } }));
}

/** A client for every permitted caller, and for each authorization header. */
async function clientsByName(run: Run): Promise<ReadonlyMap<string, Client>> {
  const { each } = await requestVariants(run);
  const byBrand = callerVariants(run).filter(({ header }) => header === 'brand');
  return new Map([
    ...byBrand.map((variant) => [`${variant.caller} by brand header`, clientFor(run, variant)] as const),
    ...each.map(({ caller }) => [caller, clientOf(run, caller)] as const),
  ]);
}

judges('metrics.enums.group-by-values', 'listMetricsGroupBy', (seen, facts) => {
  if (seen.status !== 200 || !isPlain(seen, facts) || seen.json === undefined) return undefined;
  return dimensionMismatches(parseValueList(seen.exchange));
});

conforms('metrics.enums.group-by-values', async (run) => {
  run.check(dimensionMismatches(await groupByValues(run)));
  // Earlier requests must not change the list, and it is the same for every caller that may read it.
  const clients = await clientsByName(run);
  const oneDay = lastOf(pastWindow(run), DAY);
  await run.forEach([...clients.keys()], async (name) => {
    const client = clients.get(name)!;
    await requestMetrics(client, { ...oneDay, groupBy: 'resource_type,resource_name' });
    const listed = await groupByValues({ client });
    return listed.exchange.response.status === 200 ? dimensionMismatches(listed) : [];
  });
});

function dimensionMismatches({ exchange, values, mismatches }: ValueList): Mismatch[] {
  if (mismatches.length > 0) return mismatches;
  const [expected, actual] = [dimensions, values].map((list) =>
    list.length === 0
      ? 'no values'
      : list
          .map((value) => JSON.stringify(value))
          .sort()
          .join(', '),
  );
  return actual === expected ? [] : [{ expected: expected!, actual: actual!, exchange }];
}

judgesInOrder('metrics.enums.group-by-values-accepted', ['listMetricsGroupBy', 'getAccountMetrics'], (facts) => {
  const listed = new Set<unknown>();
  return (seen) => {
    if (seen.operation.id === 'listMetricsGroupBy') {
      const { values, mismatches } = parseValueList(seen.exchange);
      if (mismatches.length === 0 && isPlain(seen, facts)) for (const value of values) listed.add(value);
      return undefined;
    }
    return listed.has(seen.parameter('groupBy')) ? acceptance(seen, facts, ['groupBy']) : undefined;
  };
});

conforms('metrics.enums.group-by-values-accepted', async (run) => {
  const { exchange, values, mismatches } = await groupByValues(run);
  run.check(mismatches);
  const admin = run.target.credentials.admin !== undefined;
  const usable = values.filter((value) => admin || value !== 'workspace');
  const some = usable.length > 0 ? [] : [{ expected: 'values to group by', actual: formatValue(values), exchange }];
  run.check(some);
  const past = pastWindow(run);
  const windows = [recentDays(run), windowOf(endOf(past) - 400 * DAY, endOf(past)), past];
  const queries = everyPair(usable, windows).map(([value, window]) => ({ ...window, groupBy: String(value) }));
  await checkEachQuery(run, run.client, queries, (response) => status(response, 200));
});

refuses('metrics.enums.resource-types-window-required', 'listMetricsResourceTypes', {
  isFlawed: (seen) => lacksWindow(seen) || hasNoTimestamp(seen),
  status: 400,
  unless: isUnclear,
});

conforms('metrics.enums.resource-types-window-required', async (run: Run) => {
  const latest = endOf(pastWindow(run));
  const middle = firstOfMonth(latest, -14) + 30 * HOUR;
  const before = { startTime: timestamp(firstOfMonth(latest, -36)) };
  const after = { endTime: timestamp(latest) };
  const request = (query: Record<string, string>) => run.client.call('listMetricsResourceTypes', { query });
  const valid = await request({ ...before, ...after });
  run.need(valid.response.status === 200, `a 200 response to a valid window (status ${valid.response.status})`);
  const bad = (value: string): Record<string, string>[] => [
    { startTime: value, ...after },
    { ...before, endTime: value },
  ];
  const year = new Date(middle).getUTCFullYear();
  await run.forEach<Record<string, string>>([before, {}, after], async (query) => status(await request(query), 400));
  await run.forAll(
    { mistake: fc.constant<string>('any'), value: impossibleTimestamp(year), side: fc.nat(1) },
    async ({ value, side }) => status(await request(bad(value)[side]!), 400),
    {
      // The most likely mistakes at both ends.
      examples: Object.entries(wrongTimestamps(middle)).flatMap(([mistake, values], at) =>
        (at < 8 ? [0, 1] : [at % 2]).flatMap((side) => values.map((value) => ({ mistake, value, side }))),
      ),
      classOf: ({ mistake, side }) => `${mistake} ${side}`,
    },
  );
});

judgesInOrder(
  'metrics.enums.resource-types-agree-with-data',
  ['listMetricsResourceTypes', 'getAccountMetrics'],
  judgeTypesAgainstData,
);

conforms('metrics.enums.resource-types-agree-with-data', async (run) => {
  const past = await pastWithData(run);
  const windows = fc.oneof(
    windowWithin(past, HOUR, 2 * DAY),
    windowWithin(past, DAY, 62 * DAY),
    windowWithin(windowOf(endOf(past) - 500 * DAY, endOf(past)), DAY, 500 * DAY),
  );
  await run.forAll({ window: windows }, ({ window }) => agreesWithData(run.client, window), {
    examples: [past, recentDays(run), lastOf(recentDays(run), HOUR)].map((window) => ({ window })),
  });
  const clients = await clientsByName(run);
  await run.forEach([...clients.keys()], async (name) => {
    const client = clients.get(name)!;
    return (await mayReadBoth(client, past)) ? agreesWithData(client, past) : [];
  });
});

async function mayReadBoth(client: Client, window: Window): Promise<boolean> {
  const exchanges = [(await resourceTypes({ client }, window)).exchange, await requestMetrics(client, { ...window })];
  return exchanges.every(({ response }) => response.status === 200);
}

async function agreesWithData(client: Client, window: Window): Promise<Mismatch[]> {
  const { exchange, values, mismatches } = await resourceTypes({ client }, window);
  if (mismatches.length > 0) return mismatches;
  const grouped = await requestMetrics(client, { ...window, groupBy: 'resource_type' });
  const metered = parseMetrics(grouped).data.filter(({ summary }) => summary.cost > 0);
  const missing = metered.filter(({ resourceType }) => !values.includes(resourceType));
  const invalidOrRepeated = values.filter((value, at) => typeof value !== 'string' || values.indexOf(value) !== at);
  return [
    ...invalidOrRepeated.map((value) => ({ expected: 'distinct strings', actual: JSON.stringify(value), exchange })),
    ...missing.map(({ resourceType, summary }) => ({
      expected: `${resourceType} (cost ${summary.cost})`,
      actual: JSON.stringify(values),
      exchange,
    })),
  ];
}

/** In the future for every clock. */
const FAR_FUTURE = windowOf(Date.UTC(2300, 0), Date.UTC(2300, 1));

/** Nothing is metered in such a window. The target may refuse it. */
function valueMismatches(exchange: Exchange, what: string): Mismatch[] {
  const values = fieldsOf(exchange.response.json)?.['values'];
  if (exchange.response.status !== 200 || !Array.isArray(values) || values.length === 0) return [];
  return [{ expected: `no values for ${what}`, actual: JSON.stringify(values), exchange }];
}

judgesInOrder('metrics.enums.resource-types-follow-window', 'listMetricsResourceTypes', judgeTypesByWindow);

conforms('metrics.enums.resource-types-follow-window', async (run) => {
  const past = pastWindow(run);
  // Long before anything was metered.
  const unmeteredWindow = windowOfLengths(HOUR, 400 * DAY, Date.UTC(2004, 0));
  await run.forAll(
    { window: unmeteredWindow },
    async ({ window }) =>
      valueMismatches(
        await run.client.call('listMetricsResourceTypes', { query: { ...window } }),
        'a window before anything was metered',
      ),
    { runs: scaleRuns(run, 30) },
  );
  const extraSeconds = fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 3 * 86_400 }),
    fc.integer({ min: 1, max: 900 * 86_400 }),
  );
  const inner = fc.oneof(
    windowWithin(past, HOUR, 2 * DAY),
    windowWithin(past, DAY, 31 * DAY),
    windowOfLengths(HOUR, 100 * DAY, endOf(past)),
  );
  // Windows that begin on the hour, and within it.
  const examples = [1, 7, 30, 90, 365, 800].map((days, index) => ({
    inner: lastOf(past, DAY),
    earlier: days * 86_400 + (index % 2) * 1800,
    later: 0,
  }));
  let types = (await resourceTypes(run, past)).values.length;
  await run.forAll(
    { inner, earlier: extraSeconds, later: extraSeconds },
    async ({ inner: window, earlier, later }) => {
      const outer = windowOf(startOf(window) - earlier * SECOND, Math.min(endOf(window) + later * SECOND, endOf(past)));
      const [narrow, wide] = [await resourceTypes(run, window), await resourceTypes(run, outer)];
      types += narrow.values.length;
      const unreadable = [...narrow.mismatches, ...wide.mismatches];
      if (unreadable.length > 0) return unreadable;
      const missing = narrow.values.filter((value) => !wide.values.includes(value));
      return missing.map((value) => ({
        expected: `${JSON.stringify(value)}, as between ${window.startTime} and ${window.endTime}`,
        actual: JSON.stringify(wide.values),
        exchange: wide.exchange,
      }));
    },
    { examples },
  );
  const empty = {
    'a window in the future': FAR_FUTURE,
    'a window that ends before it starts': windowOf(endOf(past), startOf(past)),
  };
  await run.forEach(Object.keys(empty) as (keyof typeof empty)[], async (what) =>
    valueMismatches(await run.client.call('listMetricsResourceTypes', { query: { ...empty[what] } }), what),
  );
  run.need(types, 'a window in which something was metered');
});
