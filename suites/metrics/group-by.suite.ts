/** metrics.group-by.*: accepted groupings and the fields they fill. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import { resolutions } from '../../spec/values.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import { isRefused, status } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { listWithUnknown, nearMisses } from '../kit/generators/unknown-dimension.ts';
import { windowWithin } from '../kit/generators/window.ts';
import { requestMetrics, parseMetrics, needAccepted } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { sendVariant, requestVariants, dimensionsOf, assignVariants } from '../kit/metrics/request-variants.ts';
import type { RequestVariant, RequestVariants } from '../kit/metrics/request-variants.ts';
import { dimensions, dimensionsFor, permutationsOf } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import {
  enrichmentOf,
  fieldOf,
  fields,
  filledFields,
  finestGrouping,
  groupings,
  keyOf,
  requestedFields,
  valueOf,
} from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { groupedQueries } from './grouped-queries.ts';
import type { GroupedQuery } from './grouped-queries.ts';
import { knownEnrichments, wrongEnrichments } from './enriched-values.ts';
import { entryMismatches, formatValue } from './entry-mismatches.ts';
import type { Difference } from '../target/violation.ts';
import { matchingFilters } from './matching-filters.ts';
import { anyDays, meteredDays } from './metered-days.ts';
import { entriesOf, fetchFirstPage, fetchPages, walk } from './pages.ts';
import type { Page } from './pages.ts';
import { sameFirstPage, sameGroups } from './same-response.ts';
import { DAY, HOUR, endOf, windowOf } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

/** A valid query with few buckets that contain cost. */
async function validQuery(run: Run): Promise<MetricsQuery> {
  const query = { ...(await meteredDays(run, 2)), resolution: 'daily' };
  await needAccepted(run, { ...query, groupBy: 'resource_type' });
  return query;
}

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

conforms('metrics.group-by.unknown-refused', async (run) => {
  const days = await fewDays(run);
  const { each, any } = await groupByVariants(run, days);
  const examples = [...nearMisses, ...nearMisses.slice(0, 8).map((name) => `resource_type,billing_dimension,${name}`)];
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
      runs: scaleRuns(run, 60),
    },
  );
});

conforms('metrics.group-by.no-duplicates', async (run) => {
  const days = await fewDays(run);
  const { each } = await groupByVariants(run, days);
  const names = dimensionsFor(run);
  const pairs = names.flatMap((name) => names.filter((other) => other !== name).map((other) => [name, other] as const));
  const repeated = pairs.flatMap(([name, other]) => [
    `${name},${name},${other}`,
    `${name},${other},${name}`,
    `${other},${name},${name}`,
  ]);
  // Four dimensions with one repeated are also too many; a name with a space may also be unknown.
  const doublyInvalid = names.flatMap((name, at) => {
    const [second, third] = [names[(at + 1) % names.length], names[(at + 2) % names.length]];
    return [`${name},${second},${third},${name}`, `${name}, ${name}`];
  });
  const onlyRepeated = names.flatMap((name) => [`${name},${name}`, `${name},${name},${name}`]);
  const groupBys = [...onlyRepeated, ...repeated, ...doublyInvalid];
  for (const [groupBy, variant] of assignVariants(groupBys, each)) {
    run.check(status(await sendVariant(run, variant, { ...days, groupBy }), 400));
  }
});

conforms('metrics.group-by.absent-one-entry', async (run) => {
  const week = await anyDays(run, 7);
  const types = entriesOf(await fetchPages(run, { ...week, resolution: 'daily', groupBy: 'resource_type' })).map(
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
      const query = options.resourceType === undefined ? { ...window, ...options } : { ...week, ...options };
      const exchange = await requestMetrics(run.client, query);
      // A limit needs groupBy: without it a target may refuse the limit.
      return options.limit !== undefined && isRefused(exchange) ? [] : oneEntry(exchange);
    },
    {
      examples: [{ window: week, resolution: undefined, limit: undefined, resourceType: undefined }],
      runs: scaleRuns(run, 60),
    },
  );
  const long = [90, 400].map((days) => ({ ...windowOf(endOf(week) - days * DAY, endOf(week)) }));
  const filtered = (await matchingFilters(run, week)).map((filter) => ({ ...week, ...filter }));
  for (const query of [...resolutions.map((resolution) => ({ ...week, resolution })), ...long, ...filtered])
    run.check(oneEntry(await requestMetrics(run.client, query)));
});

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

conforms('metrics.group-by.every-set-accepted', async (run) => {
  const days = await anyDays(run, 2);
  for (const set of groupings(run)) {
    for (const order of [set, set.toReversed()]) {
      for (const options of [{ limit: 1 }, { resolution: 'daily' }]) {
        run.check(status(await requestMetrics(run.client, { ...days, ...options, groupBy: order.join(',') }), 200));
      }
    }
  }
  const { each } = await groupByVariants(run);
  const lists = groupings(run).map((set) => set.join(','));
  for (const [groupBy, variant] of [...assignVariants(lists, each), ...assignVariants(lists.toReversed(), each)]) {
    run.check(status(await sendVariant(run, variant, { ...days, groupBy }), 200));
  }
});

conforms('metrics.group-by.order-irrelevant', async (run) => {
  const query = { ...(await meteredDays(run, 2)), resolution: 'daily' };
  for (const set of groupings(run).filter(({ length }) => length > 1)) await checkOrders(run, query, set);
  // Also with several pages.
  await checkOrders(run, { ...query, limit: 50 }, finestGrouping(run));
  const { each, any } = await groupByVariants(run);
  const pairs = groupings(run).filter(({ length }) => length > 1);
  const pairsForMembers = pairs.filter((set) => !set.includes('workspace'));
  const examples = each.map((variant, at) => {
    const sets = variant.caller === 'strongest' ? pairs : pairsForMembers;
    return { variant, set: sets[at % sets.length]! };
  });
  await run.forAll(
    {
      request: any.chain((variant) =>
        fc.record({
          variant: fc.constant(variant),
          set: fc.constantFrom(...(variant.caller === 'strongest' ? pairs : pairsForMembers)),
        }),
      ),
    },
    ({ request: { variant, set } }) => reversedMismatches(run, variant, query, set),
    { runs: scaleRuns(run, 30), examples: examples.map((request) => ({ request })) },
  );
});

/** Compares the first page of the set in both orders. */
async function reversedMismatches(
  run: Run,
  variant: RequestVariant,
  query: MetricsQuery,
  set: readonly Dimension[],
): Promise<Mismatch[]> {
  const { resolution: _, ...days } = query;
  const request = (order: readonly Dimension[]) => sendVariant(run, variant, { ...days, groupBy: order.join(',') });
  const [first, exchange] = [await request(set), await request(set.toReversed())];
  return sameFirstPage(parseMetrics(first), { exchange, metrics: parseMetrics(exchange) }, filledFields(set));
}

/** Compares all pages of every order of the set. */
async function checkOrders(run: Run, query: MetricsQuery, set: readonly Dimension[]): Promise<void> {
  const [canonical = [], ...otherOrders] = permutationsOf(set);
  const pages = await fetchPages(run, { ...query, groupBy: canonical.join(',') });
  const [first, of] = [pages[0]!.metrics, filledFields(set)];
  for (const order of otherOrders) {
    const { pages: found, failure: trouble } = await walk(run.client, { ...query, groupBy: order.join(',') });
    const same = found.slice(0, 1).flatMap((page) => sameFirstPage(first, page, of));
    run.check(same, trouble === undefined ? sameGroups(pages, found, of) : [trouble]);
  }
}

/** The first page of every grouping, rotating the resolutions except daily. */
const otherResolutions = (run: Run): Promise<GroupedQuery[]> =>
  groupedQueries(run, ['monthly', 'weekly', 'hourly', undefined]);

/** Checks every entry of every grouping, and of the first page at other resolutions. */
async function checkEveryGrouping(
  run: Run,
  findFlaws: (entry: Entry, set: readonly Dimension[]) => Difference[],
): Promise<void> {
  const query = await validQuery(run);
  for (const set of groupings(run)) {
    const pages = await fetchPages(run, { ...query, groupBy: set.join(',') });
    run.check(entryMismatches(pages, (entry) => findFlaws(entry, set)));
  }
  for (const { set, query: other } of await otherResolutions(run))
    run.check(entryMismatches([await fetchFirstPage(run, other)], (entry) => findFlaws(entry, set)));
}

function emptyFields(entry: Entry, wanted: readonly Field[]): Difference[] {
  return wanted
    .filter((field) => valueOf(entry, field) === '')
    .map((field) => ({ expected: `a non-empty ${field}`, actual: formatValue(entry[field]) }));
}

conforms('metrics.group-by.requested-fields-filled', async (run) => {
  await checkEveryGrouping(run, (entry, set) =>
    emptyFields(
      entry,
      requestedFields(set).filter((field) => field !== 'resourceUuid'),
    ),
  );
  await checkUuids(run);
});

/**
 * resourceUuid is best effort: some entry must have one if all six types have cost, and every grouping by it must
 * contain the uuids with cost. Resources without one may be omitted.
 */
async function checkUuids(run: Run): Promise<void> {
  const query = await validQuery(run);
  const byType = entriesOf(await fetchPages(run, { ...query, groupBy: 'resource_type' }));
  const types = new Set(byType.map((entry) => valueOf(entry, 'resourceType')));
  const allTypes = new Set(
    Object.values(requirement('metrics.group-by.dimension-belongs-to-type').values.table).map(
      ({ resourceType }) => resourceType,
    ),
  );
  const all = await uuidsGroupedBy(run, query, ['resource_uuid']);
  if ([...allTypes].every((type) => types.has(type))) {
    const none = { expected: 'a resourceUuid in some entry', actual: 'none in any', ...all.evidence };
    run.check(all.uuids.size > 0 ? [] : [none]);
  }
  for (const set of groupings(run).filter((each) => each.includes('resource_uuid'))) {
    const found = await uuidsGroupedBy(run, query, set);
    const missing = [...all.metered].find((uuid) => !found.uuids.has(uuid));
    const expected = `resourceUuid ${missing} with groupBy=${set.join(',')}, as with resource_uuid alone`;
    run.check(missing === undefined ? [] : [{ expected, actual: 'in no entry', ...found.evidence }]);
  }
}

interface Uuids {
  readonly uuids: ReadonlySet<string>;
  /** Uuids with a cost above 0. */
  readonly metered: ReadonlySet<string>;
  /** All pages; the last one is the reported exchange. */
  readonly evidence: Pick<Mismatch, 'exchange' | 'before'>;
}

async function uuidsGroupedBy(run: Run, query: MetricsQuery, set: readonly Dimension[]): Promise<Uuids> {
  const pages = await fetchPages(run, { ...query, groupBy: set.join(',') });
  const entries = entriesOf(pages).filter((entry) => valueOf(entry, 'resourceUuid') !== '');
  const uuidsOf = (pageGroup: readonly Entry[]) => new Set(pageGroup.map((entry) => valueOf(entry, 'resourceUuid')));
  const before = pages.map(({ exchange }) => exchange);
  const exchange = run.need(before.pop(), 'a page');
  const metered = uuidsOf(entries.filter(({ summary }) => summary.cost > 0));
  return { uuids: uuidsOf(entries), metered, evidence: { before, exchange } };
}

conforms('metrics.group-by.enriched-fields-filled', async (run) => {
  // A caller that may not group by workspace may not see it either.
  const visible = dimensionsFor(run).map((dimension) => fieldOf[dimension]);
  const known = await knownEnrichments(run, await validQuery(run));
  await checkEveryGrouping(run, (entry, set) => {
    // A resource without a uuid cannot be enriched by it.
    const certain = set.filter((dimension) => dimension !== 'resource_uuid' || valueOf(entry, 'resourceUuid') !== '');
    const enriched = new Set(certain.flatMap((dimension) => enrichmentOf[dimension]));
    const wanted = visible.filter((field) => enriched.has(field) && !requestedFields(set).includes(field));
    return [...emptyFields(entry, wanted), ...wrongEnrichments(entry, set, known)];
  });
});

/** Fields that are neither requested nor enriched. */
function unexpectedFields(entry: Entry, set: readonly Dimension[]): Difference[] {
  return fields
    .filter((field) => field in entry && !filledFields(set).includes(field))
    .map((field) => ({ expected: `no ${field}`, actual: formatValue(entry[field]) }));
}

conforms('metrics.group-by.other-fields-absent', async (run) => {
  await checkEveryGrouping(run, unexpectedFields);
  const query = await validQuery(run);
  const groups = entriesOf(await fetchPages(run, { ...query, groupBy: 'resource_name,billing_dimension' }));
  const first = run.need(groups[0], 'a group with cost');
  const filters = (['resourceType', 'resourceName', 'billingDimension'] as const).map((field) => ({
    [field]: valueOf(first, field),
  }));
  for (const filter of [{}, ...filters]) {
    run.check(
      entryMismatches([await fetchFirstPage(run, { ...query, ...filter })], (entry) => unexpectedFields(entry, [])),
    );
    const grouped = await fetchFirstPage(run, { ...query, ...filter, groupBy: 'resource_type' });
    run.check(entryMismatches([grouped], (entry) => unexpectedFields(entry, ['resource_type'])));
  }
});

conforms('metrics.group-by.entries-distinct', async (run) => {
  const query = await validQuery(run);
  let max = 0;
  for (const set of groupings(run)) {
    const pages = await fetchPages(run, { ...query, groupBy: set.join(',') });
    max = Math.max(max, entriesOf(pages).length);
    // metrics.pagination.every-group-once compares pages; only if every page has one entry are they compared here.
    const pageGroups = pages.some(({ metrics: response }) => response.data.length > 1)
      ? pages.map((page) => [page])
      : [pages];
    for (const pageGroup of pageGroups) run.check(repeatedEntries(pageGroup, set));
  }
  for (const { set, query: other } of await otherResolutions(run))
    run.check(repeatedEntries([await fetchFirstPage(run, other)], set));
  run.need(max > 1, 'a grouping with several groups');
});

function repeatedEntries(pages: readonly Page[], set: readonly Dimension[]): Mismatch[] {
  const keys = new Set<string>();
  return entryMismatches(pages, (entry) => {
    const key = keyOf(entry, filledFields(set));
    const before = keys.has(key);
    keys.add(key);
    // Resources without a uuid need not be distinguishable.
    const hasNoUuid = set.includes('resource_uuid') && valueOf(entry, 'resourceUuid') === '';
    return before && !hasNoUuid ? [{ expected: `one entry of groupBy=${set.join(',')}`, actual: 'a second one' }] : [];
  });
}

conforms('metrics.group-by.dimension-belongs-to-type', async (run) => {
  const { table } = requirement('metrics.group-by.dimension-belongs-to-type').values;
  await checkEveryGrouping(run, (entry, set) => {
    if (!set.includes('billing_dimension')) return [];
    const dimension = valueOf(entry, 'billingDimension');
    const type = valueOf(entry, 'resourceType');
    if (!Object.hasOwn(table, dimension))
      return [{ expected: 'one of the twelve billing dimensions', actual: formatValue(dimension) }];
    const wanted = table[dimension as keyof typeof table].resourceType;
    // metrics.group-by.enriched-fields-filled checks whether it is present.
    return type === '' || type === wanted
      ? []
      : [{ expected: `resourceType ${wanted} for ${dimension}`, actual: type }];
  });
});
