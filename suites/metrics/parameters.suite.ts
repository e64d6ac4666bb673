/** metrics.parameters.*: the window and other parameters. */
import * as fc from 'fast-check';
import type { ObservedValue, WhatOf } from '../../spec/observations/observation.ts';
import { conforms, observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { instantOf } from '../expect/instant.ts';
import { status } from '../expect/status.ts';
import { impossibleTimestamp, wrongTimestamps } from '../kit/generators/timestamp.ts';
import type { Exchange } from '../target/client.ts';
import { needAccepted } from '../kit/metrics/causes.ts';
import { checkEachQuery } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { sendVariant, requestVariants } from '../kit/metrics/request-variants.ts';
import { rotate } from '../kit/rotate.ts';
import type { RequestVariant } from '../kit/metrics/request-variants.ts';
import { dimensionsFor, permutationsOf } from '../kit/metrics/dimensions.ts';
import { refusesQuery } from '../kit/metrics/seen-metrics.ts';
import { groupByOf, hasNoTimestamp, lacksWindow } from '../kit/metrics/seen-query.ts';
import type { Entry } from './entries.ts';
import { everyPair } from './every-pair.ts';
import { fetchFirstPage } from './pages.ts';
import {
  DAY,
  HOUR,
  SECOND,
  endOf,
  firstOfMonth,
  lastOf,
  pastWindow,
  recentDay,
  recentDays,
  timestamp,
  windowOf,
} from '../kit/metrics/windows.ts';

const isRefusal = (exchange: Exchange) => status(exchange, 400);

refusesQuery('metrics.parameters.window-required', lacksWindow);

conforms('metrics.parameters.window-required', async (run) => {
  const { startTime, endTime } = recentDay(run);
  await needAccepted(run, { ...pastWindow(run) });
  const { each, any } = await requestVariants(run);
  const parts: MetricsQuery[] = [{ endTime }, { startTime }, {}];
  await run.forAll(
    { part: fc.constantFrom(...parts), variant: any },
    async ({ part, variant }) => isRefusal(await sendVariant(run, variant, part)),
    {
      examples: everyPair(parts, each).map(([part, variant]) => ({ part, variant })),
    },
  );
  await checkEachQuery(run, run.client, await secondPageQueries(run, parts), isRefusal);
});

/** The window is also required for the next page. Empty if there is none. */
async function secondPageQueries(run: Run, parts: readonly MetricsQuery[]): Promise<MetricsQuery[]> {
  const grouped = { groupBy: 'resource_type', limit: 1 };
  const first = await fetchFirstPage(run, { ...recentDay(run), ...grouped });
  const { hasMore, nextCursor: cursor } = first.metrics.meta;
  return hasMore ? parts.map((part) => ({ ...part, ...grouped, cursor })) : [];
}

refusesQuery('metrics.parameters.timestamps-rfc3339', hasNoTimestamp);

conforms('metrics.parameters.timestamps-rfc3339', async (run) => {
  // More than a year on either side of the bad value: a lenient server gets a valid window.
  const latest = endOf(pastWindow(run));
  const middle = firstOfMonth(latest, -14) + 30 * HOUR;
  const before = { startTime: timestamp(firstOfMonth(latest, -36)) };
  const after = { endTime: timestamp(latest) };
  await needAccepted(run, { ...before, ...after });
  const year = new Date(middle).getUTCFullYear();
  const wrong = Object.entries(wrongTimestamps(middle));
  const bad = (value: string) => [
    { startTime: value, ...after },
    { ...before, endTime: value },
  ];
  // Only the resolution that permits such a long window.
  const { each, any } = await requestVariants(run, { resolutions: ['monthly'], validQuery: { ...before, ...after } });
  await run.forAll(
    { mistake: fc.constant<string>('any'), side: fc.nat(1), value: impossibleTimestamp(year), variant: any },
    async ({ side, value, variant }) => isRefusal(await sendVariant(run, variant, bad(value)[side]!)),
    {
      examples: wrong.flatMap(([mistake, values], at) =>
        [0, 1].flatMap((side) =>
          values.map((value) => ({ mistake, side, value, variant: each[(2 * at + side) % each.length]! })),
        ),
      ),
      classOf: ({ mistake, side }) => `${mistake} ${side}`,
    },
  );
});

refusesQuery('metrics.parameters.end-not-before-start', (seen) => {
  const [start, end] = [instantOf(seen.parameter('startTime')), instantOf(seen.parameter('endTime'))];
  return start !== undefined && end !== undefined && end < start;
});

conforms('metrics.parameters.end-not-before-start', async (run) => {
  const past = pastWindow(run);
  await needAccepted(run, { ...past });
  const seconds = fc.oneof(fc.integer({ min: 1, max: 7200 }), fc.integer({ min: 1, max: 800 * 86_400 }));
  const { each, any } = await requestVariants(run, { validQuery: recentDays(run) });
  const lengths = [1, 60, 3600, 86_400, 31 * 86_400, 366 * 86_400];
  const examples: [number, RequestVariant][] = [
    ...lengths.map((length): [number, RequestVariant] => [length, each[0]!]),
    ...rotate(each, lengths, 1).map(([variant, length]): [number, RequestVariant] => [length, variant]),
  ];
  await run.forAll(
    { earlier: fc.integer({ min: 0, max: 30 * 86_400 }), seconds, variant: any },
    async ({ earlier, seconds: length, variant }) => {
      const start = endOf(past) - earlier * SECOND;
      return isRefusal(await sendVariant(run, variant, { ...windowOf(start, start - length * SECOND) }));
    },
    {
      examples: [
        ...examples.map(([length, variant]) => ({ earlier: 0, seconds: length, variant })),
        // Within a day.
        { earlier: 3600, seconds: 3600, variant: each[0]! },
      ],
    },
  );
});

refusesQuery('metrics.parameters.label-and-unit-unsupported', (seen) =>
  ['label', 'unit'].some((name) => (seen.parameter(name) ?? '') !== '' || groupByOf(seen).includes(name)),
);

conforms('metrics.parameters.label-and-unit-unsupported', async (run) => {
  const window = recentDays(run);
  await needAccepted(run, { ...window, groupBy: 'resource_type' });
  const unsupportedGroupBys = ['label', 'unit'].flatMap((name) => [
    [name],
    ...dimensionsFor(run).flatMap((other) => permutationsOf([name, other])),
    ...permutationsOf([name, 'resource_type', 'billing_dimension']),
  ]);
  const groupBys = [...unsupportedGroupBys, ['label', 'unit'], ['unit', 'label']].map((names) => ({
    groupBy: names.join(','),
  }));
  const parameters = [
    { label: 'team' },
    { label: 'team:demo' },
    { label: 'team=demo' },
    { unit: 'gbs' },
    { unit: 'count' },
    { unit: 'hours' },
    { unit: 'usd' },
  ];
  const queries = [...groupBys, ...parameters].map((rest) => ({ ...window, ...rest }));
  await checkEachQuery(run, run.client, queries, isRefusal, { all: true });
  const { each, any } = await requestVariants(run, { validQuery: window });
  const both: MetricsQuery[] = [{ label: 'env:production' }, { unit: 'gbs' }];
  await run.forAll(
    { unsupported: fc.constantFrom(...both), variant: any },
    async ({ unsupported, variant }) => isRefusal(await sendVariant(run, variant, { ...window, ...unsupported })),
    {
      examples: everyPair(both, each).map(([unsupported, variant]) => ({ unsupported, variant })),
    },
  );
});

type ObservedMetrics = ObservedValue<WhatOf<'metrics.parameters.edge-cases'>>;

observes('metrics.parameters.edge-cases', async (run) => {
  for (const [what, query] of edgeCases(run)) {
    const { response } = await run.client.call('getAccountMetrics', { query });
    run.observe(what, observed(response.status, response.json));
  }
});

type Pairs = readonly (readonly [string, string])[];

function between(startTime: string, endTime: string): Pairs {
  return [
    ['startTime', startTime],
    ['endTime', endTime],
  ];
}

/** A timestamp without its Z. */
function withoutZ(time: string): string {
  return time.slice(0, -1);
}

/** Descriptions and queries; the rest of each query is valid. */
function edgeCases(run: Run): [WhatOf<'metrics.parameters.edge-cases'>, Pairs][] {
  const { startTime, endTime } = lastOf(pastWindow(run), DAY);
  const window: Pairs = [
    ['startTime', startTime],
    ['endTime', endTime],
  ];
  const withParameter = (name: string, value: string): Pairs => [...window, [name, value]];
  const thisHour = Math.floor(Date.now() / HOUR) * HOUR;
  const future = windowOf(thisHour + DAY, thisHour + 3 * DAY);
  const intoFuture = windowOf(thisHour - DAY, thisHour + DAY);
  return [
    ['startTime equal to endTime', between(startTime, startTime)],
    ['offset +00:00', between(`${withoutZ(startTime)}+00:00`, `${withoutZ(endTime)}+00:00`)],
    ['offset -00:00', between(`${withoutZ(startTime)}-00:00`, `${withoutZ(endTime)}-00:00`)],
    ['offset +02:00', between(`${withoutZ(startTime)}+02:00`, `${withoutZ(endTime)}+02:00`)],
    ['offset +0000, without its colon', between(`${withoutZ(startTime)}+0000`, `${withoutZ(endTime)}+0000`)],
    ['lower-case t and z', between(startTime.toLowerCase(), endTime.toLowerCase())],
    ['a space instead of T', between(startTime.replace('T', ' '), endTime.replace('T', ' '))],
    ['fractions .000', between(`${withoutZ(startTime)}.000Z`, `${withoutZ(endTime)}.000Z`)],
    ['fractions .123456789', between(`${withoutZ(startTime)}.123456789Z`, `${withoutZ(endTime)}.123456789Z`)],
    ['a comma before the fraction', between(`${withoutZ(startTime)},5Z`, `${withoutZ(endTime)},5Z`)],
    ['leap second', between('2016-12-31T23:59:60Z', '2017-01-02T00:00:00Z')],
    ['spaces around the timestamps', between(` ${startTime} `, ` ${endTime} `)],
    ['a window in the future', between(future.startTime, future.endTime)],
    ['a window that ends in the future', between(intoFuture.startTime, intoFuture.endTime)],
    ['limit 0', [...window, ['groupBy', 'resource_type'], ['limit', '0']]],
    ['empty limit', withParameter('limit', '')],
    ['empty resolution', withParameter('resolution', '')],
    ['empty groupBy', withParameter('groupBy', '')],
    ['only a comma in groupBy', withParameter('groupBy', ',')],
    ['a comma after the last dimension', withParameter('groupBy', 'resource_type,')],
    ['an empty name between commas', withParameter('groupBy', 'resource_type,,billing_dimension')],
    ['empty workspace', withParameter('workspace', '')],
    ['empty resourceType', withParameter('resourceType', '')],
    ['empty billingDimension', withParameter('billingDimension', '')],
    ['empty cursor', [...window, ['groupBy', 'resource_type'], ['cursor', '']]],
    ['spaces around the commas of groupBy', withParameter('groupBy', 'resource_type , billing_dimension')],
    ['groupBy repeated as a parameter', [...window, ['groupBy', 'resource_type'], ['groupBy', 'billing_dimension']]],
    ['startTime repeated', [['startTime', startTime], ...window]],
    ['resolution repeated with other values', [...window, ['resolution', 'hourly'], ['resolution', 'daily']]],
    ['an unknown parameter', withParameter('colour', 'blue')],
    ['a parameter in other letter case', withParameter('GroupBy', 'resource_type')],
  ];
}

/** What a response contains, independent of the data of the target; of a refusal the status and its error. */
function observed(code: number, json: unknown): ObservedMetrics {
  if (typeof json !== 'object' || json === null) return { status: code };
  if (code !== 200)
    return 'error' in json && typeof json.error === 'string' ? { status: code, error: json.error } : { status: code };
  const { resolution, data = [] } = json as { resolution?: unknown; data?: readonly Partial<Entry>[] };
  return {
    status: code,
    resolution:
      typeof resolution === 'string' ? resolution : resolution === undefined ? null : JSON.stringify(resolution),
    entries: data.length === 0 ? 'none' : data.length === 1 ? 'one' : 'several',
    by: Object.keys(data[0] ?? {})
      .filter((name) => name !== 'summary' && name !== 'timeseries')
      .toSorted(),
    buckets: data[0]?.timeseries?.length ?? null,
  };
}
