/** metrics.group-by.*: which sets and orders of dimensions are accepted. */
import { judgedOn } from '../engine/traffic.ts';
import { baseQueries, everyGrouping, fewGroups, judgedOnWalks } from './related-queries.ts';
import type { RelatedQueries } from './related-queries.ts';
import { metricsTraffic } from './metrics-traffic.ts';
import {
  checkRequestedFieldsFilled,
  checkEnrichedFieldsFilled,
  checkEntriesDistinct,
  judgeDimension,
  judgeDistinctEntries,
  judgeEnrichedFields,
  judgeOtherFields,
  judgeRequestedFields,
  judgeUuids,
} from './grouped-fields.ts';
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import { resolutions } from '../../spec/values.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import { isRefused, status } from '../expect/status.ts';
import { listWithUnknown, nearMisses } from '../kit/generators/unknown-dimension.ts';
import { windowWithin } from '../kit/generators/window.ts';
import { needAccepted } from '../kit/metrics/causes.ts';
import { UNUSED_NAME, checkEachQuery, grouped, requestMetrics, parseMetrics } from '../kit/metrics/request.ts';
import { sendVariant, requestVariants, dimensionsOf, assignVariants } from '../kit/metrics/request-variants.ts';
import type { RequestVariant, RequestVariants } from '../kit/metrics/request-variants.ts';
import { alsoJudges, equals, judges } from '../judge/judgement.ts';
import {
  acceptance,
  compareWalks,
  judgesPages,
  refusesQuery,
  seenMetrics,
  withEach,
} from '../kit/metrics/seen-metrics.ts';
import { groupByOf, isDimension, isPast, isSameCaller, isSettled, queryKey } from '../kit/metrics/seen-query.ts';
import { dimensions, dimensionsFor, permutationsOf } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { isReordered, sameWalk } from './compared-walks.ts';
import { filledFields, finestGrouping, valueOf } from './entries.ts';
import { matchingFilters } from './matching-filters.ts';
import { anyDays } from './metered-days.ts';
import { entriesOf, fetchPages } from './pages.ts';
import { sameFirstPage } from './same-response.ts';
import { DAY, HOUR, endOf, windowOf } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

/** Request variants in which a groupBy must be treated the same way. */
const groupByVariants = (run: Run, query?: Window): Promise<RequestVariants> =>
  requestVariants(run, { excluded: ['groupBy'], ...(query && { validQuery: query }) });

/** A window for refusals, which do not depend on the data. */
async function fewDays(run: Run): Promise<Window> {
  const days = await anyDays(run, 2);
  await needAccepted(run, { ...days, groupBy: 'resource_type' });
  return days;
}

/** A variant whose caller may group by every dimension of the list. */
function permittedVariant(
  run: Run,
  any: fc.Arbitrary<RequestVariant>,
  listFrom: (names: readonly Dimension[]) => fc.Arbitrary<string>,
) {
  return any.chain((variant) =>
    fc.record({ groupBy: listFrom(dimensionsOf(run, variant.caller)), variant: fc.constant(variant) }),
  );
}

refusesQuery('metrics.group-by.unknown-refused', (seen) => !groupByOf(seen).every(isDimension));

conforms('metrics.group-by.unknown-refused', async (run) => {
  const days = await fewDays(run);
  const { each, any } = await groupByVariants(run, days);
  const among = [
    (name: string) => `resource_type,billing_dimension,${name}`,
    (name: string) => `${name},resource_type`,
    (name: string) => `resource_type,${name},billing_dimension`,
  ];
  const examples = [...nearMisses, ...nearMisses.slice(0, 8).map((name, at) => among[at % among.length]!(name))];
  await run.forAll(
    { request: permittedVariant(run, any, listWithUnknown) },
    async ({ request: { groupBy, variant } }) => status(await sendVariant(run, variant, { ...days, groupBy }), 400),
    {
      examples: [
        ...assignVariants(examples, each),
        ...each.slice(-1).map((variant) => ['resource_type,name', variant] as const),
      ].map(([groupBy, variant]) => ({ request: { groupBy, variant } })),
    },
  );
});

refusesQuery(
  'metrics.group-by.at-most-three',
  (seen) => groupByOf(seen).length > requirement('metrics.group-by.at-most-three').values.maxDimensions,
);

conforms('metrics.group-by.at-most-three', async (run) => {
  const days = await fewDays(run);
  const { each, any } = await groupByVariants(run, days);
  const names = dimensionsFor(run);
  const max = requirement('metrics.group-by.at-most-three').values.maxDimensions;
  const listsOfFour = names
    .map((omitted) => names.filter((name) => name !== omitted))
    .filter(({ length }) => length > max);
  const lists = [[...names], ...listsOfFour].map((list) => list.join(','));
  const memberList = dimensions.filter((name) => name !== 'workspace').join(',');
  const examples = [
    ...assignVariants(lists, each.slice(0, 1)),
    ...each.map((variant): [string, RequestVariant] => [memberList, variant]),
  ];
  const tooMany = (from: readonly Dimension[]) =>
    fc.shuffledSubarray([...from], { minLength: max + 1 }).map((list) => list.join(','));
  await run.forAll(
    { request: permittedVariant(run, any, tooMany) },
    async ({ request: { groupBy, variant } }) => status(await sendVariant(run, variant, { ...days, groupBy }), 400),
    {
      examples: examples.map(([groupBy, variant]) => ({ request: { groupBy, variant } })),
    },
  );
});

refusesQuery('metrics.group-by.no-duplicates', (seen) => new Set(groupByOf(seen)).size < groupByOf(seen).length);

conforms('metrics.group-by.no-duplicates', async (run) => {
  const days = await fewDays(run);
  const { each } = await groupByVariants(run, days);
  const names = dimensionsFor(run);
  const triples = names.flatMap((name, at) =>
    names.slice(1).map((_, shift): string[] => [0, 1, 2].map((nth) => names[(at + nth * (shift + 1)) % names.length]!)),
  );
  const forms: Readonly<Record<string, (names: readonly string[]) => string>> = {
    'outer ones of three': ([one, other]) => `${one},${other},${one}`,
    'last ones of three': ([one, other]) => `${other},${one},${one}`,
    'first ones of three': ([one, other]) => `${one},${one},${other}`,
    // Four dimensions are also too many.
    'two of four': ([one, other, third]) => `${one},${other},${third},${one}`,
    'three times': ([one]) => `${one},${one},${one}`,
    // A name with a space may also be unknown.
    'after a space': ([one]) => `${one}, ${one}`,
  };
  const twice = names.map((name) => ({ mistake: `${name} twice`, groupBys: [`${name},${name}`] }));
  const others = Object.entries(forms).map(([mistake, form]) => ({ mistake, groupBys: triples.map(form) }));
  const mistakes = [...twice, ...others];
  const memberPair = 'resource_type,resource_type';
  const requests = [
    ...mistakes.flatMap(({ mistake, groupBys }) =>
      groupBys.map((groupBy) => ({ mistake, groupBy, variant: each[0]! })),
    ),
    ...each.map((variant) => ({ mistake: JSON.stringify(variant), groupBy: memberPair, variant })),
  ];
  await run.forEach(
    requests,
    async ({ groupBy, variant }) => status(await sendVariant(run, variant, { ...days, groupBy }), 400),
    { classOf: ({ mistake }) => mistake },
  );
});

judges('metrics.group-by.absent-one-entry', 'getAccountMetrics', (seen, facts) => {
  // A cursor, or a limit of 0, may select other entries.
  const isWhole = ['groupBy', 'cursor', 'limit'].every((name) => seen.parameter(name) === undefined);
  return isWhole && seenMetrics(seen, facts) !== undefined && isPast(seen) ? oneEntry(seen.exchange) : undefined;
});

conforms('metrics.group-by.absent-one-entry', async (run) => {
  const [days, week] = [await anyDays(run, 2), await anyDays(run, 7)];
  const types = entriesOf(await fetchPages(run, { ...days, resolution: 'daily', groupBy: 'resource_type' })).map(
    (entry) => valueOf(entry, 'resourceType'),
  );
  await run.forAll(
    {
      window: windowWithin(week, HOUR, 7 * DAY),
      resolution: fc.constantFrom(undefined, 'hourly', 'daily', 'weekly', 'monthly'),
      limit: fc.constantFrom(undefined, 1, 2, 100),
      resourceType: fc.constantFrom(undefined, ...types),
    },
    async ({ window, ...options }) => {
      // In a shorter window a filter may match nothing.
      const query = options.resourceType === undefined ? { ...window, ...options } : { ...days, ...options };
      const exchange = await requestMetrics(run.client, query);
      // A limit needs groupBy: without it a target may refuse the limit.
      return options.limit !== undefined && isRefused(exchange) ? [] : oneEntry(exchange);
    },
    {
      examples: [{ window: week, resolution: undefined, limit: undefined, resourceType: undefined }],
    },
  );
  const long = [400, 90].map((length) => ({ ...windowOf(endOf(days) - length * DAY, endOf(days)) }));
  const filtered = (await matchingFilters(run, days)).map((filter) => ({ ...days, ...filter }));
  const byResolution = resolutions.map((resolution) => ({ ...days, resolution }));
  const filteredByResolution = resolutions.map((resolution) => ({ ...days, resolution, resourceType: types[0] }));
  // If nothing matches, the entry has no cost.
  const queries = [
    { ...days, resolution: 'daily', resourceName: UNUSED_NAME },
    ...long,
    ...byResolution,
    ...filtered,
    ...filteredByResolution,
  ];
  await checkEachQuery(run, run.client, queries, oneEntry);
  const longAgo = await requestMetrics(run.client, { ...LONG_AGO, resolution: 'daily' });
  run.check(isRefused(longAgo) ? [] : oneEntry(longAgo));
});

/** Before anything was metered: without activity the cost of the entry is 0. A target may refuse times before it existed. */
const LONG_AGO = windowOf(Date.UTC(2004, 0), Date.UTC(2004, 0, 3));

function oneEntry(exchange: Exchange): Mismatch[] {
  const { data, meta } = parseMetrics(exchange);
  return [
    ...(data.length === 1 ? [] : [{ expected: 'one entry', actual: `${data.length} entries`, exchange }]),
    ...(meta.hasMore === false ? [] : [{ expected: 'hasMore false', actual: String(meta.hasMore), exchange }]),
    ...(meta.nextCursor === ''
      ? []
      : [{ expected: 'nextCursor ""', actual: JSON.stringify(meta.nextCursor) ?? 'none', exchange }]),
  ];
}

judges('metrics.group-by.every-set-accepted', 'getAccountMetrics', (seen, facts) =>
  groupByOf(seen).length > 0 ? acceptance(seen, facts) : undefined,
);

conforms('metrics.group-by.every-set-accepted', async (run) => {
  await judgedOnWalks(async () => (await everyGrouping(run)).map((query) => [query]), 'a grouped query')(run);
  await judgedOn(metricsTraffic, 'a grouped query')(run);
});

equals('metrics.group-by.order-irrelevant', 'getAccountMetrics', {
  keyOf: (seen, facts) => {
    // A cursor may belong to the order in which it was given out.
    const isOrdered = groupByOf(seen).length > 1 && seen.parameter('cursor') === undefined && isSettled(seen);
    return isOrdered && seenMetrics(seen, facts) !== undefined ? queryKey(seen, facts) : undefined;
  },
  formOf: (seen) => seen.parameter('groupBy') ?? '',
  compare: (first, second) => {
    const set = groupByOf(first).filter(isDimension);
    if (!isSameCaller(first, second)) return undefined;
    return sameFirstPage(
      parseMetrics(first.exchange),
      { exchange: second.exchange, metrics: parseMetrics(second.exchange) },
      filledFields(set),
    );
  },
});

alsoJudges('metrics.group-by.order-irrelevant', compareWalks(isReordered, sameWalk));

conforms('metrics.group-by.order-irrelevant', judgedOnWalks(otherOrders, 'a grouping in two orders'));

/** Every grouping in the reverse order, and the finest one in every order, in several pages. */
async function otherOrders(run: Run): Promise<RelatedQueries[]> {
  const finest = finestGrouping(run);
  const { always } = await baseQueries(run);
  const ofDays = { ...(await fewGroups(run, always[0], finest)), limit: 50 };
  const reversed = (await everyGrouping(run)).map((query) => [
    query,
    { ...query, groupBy: query.groupBy!.split(',').toReversed().join(',') },
  ]);
  const permuted = permutationsOf(finest)
    .slice(1)
    .map((order) => [grouped(ofDays, finest), grouped(ofDays, order)]);
  return [...reversed.filter(([query, other]) => query!.groupBy !== other!.groupBy), ...permuted];
}

judgesPages('metrics.group-by.requested-fields-filled', judgeRequestedFields, withEach('groupBy', dimensions));
alsoJudges('metrics.group-by.requested-fields-filled', judgeUuids);
conforms('metrics.group-by.requested-fields-filled', checkRequestedFieldsFilled);
judgesPages('metrics.group-by.enriched-fields-filled', judgeEnrichedFields);
conforms('metrics.group-by.enriched-fields-filled', checkEnrichedFieldsFilled);
judgesPages('metrics.group-by.other-fields-absent', judgeOtherFields);
conforms('metrics.group-by.other-fields-absent', judgedOn(metricsTraffic, 'a metrics response'));
judgesPages('metrics.group-by.entries-distinct', judgeDistinctEntries);
conforms('metrics.group-by.entries-distinct', checkEntriesDistinct);
judgesPages('metrics.group-by.dimension-belongs-to-type', judgeDimension);
conforms(
  'metrics.group-by.dimension-belongs-to-type',
  judgedOn(metricsTraffic, 'a response grouped by billing_dimension'),
);
