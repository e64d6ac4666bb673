/** metrics.group-by.*: which groupings are taken, and which fields they fill. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import { resolutions } from '../../spec/values.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import { isRefused, status } from '../expect/status.ts';
import { shareOf } from '../engine/for-all.ts';
import { listWithUnknown, nearMisses } from '../kit/generators/unknown-dimension.ts';
import { windowWithin } from '../kit/generators/window.ts';
import { askMetrics, answerOf, needAnswered } from '../kit/metrics/ask.ts';
import type { MetricsQuery } from '../kit/metrics/ask.ts';
import { askBeside, askings, dimensionsOf, groupedInTurn } from '../kit/metrics/beside.ts';
import type { Asking, Askings } from '../kit/metrics/beside.ts';
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
import { groupedQuestions } from './grouped-questions.ts';
import type { GroupedQuestion } from './grouped-questions.ts';
import { knownBeside, untrueFields } from './enriched-values.ts';
import { onEveryEntry, shown } from './every-entry.ts';
import type { Flaw } from '../target/violation.ts';
import { matchingFilters } from './matching-filters.ts';
import { anyDays, meteredDays } from './metered-days.ts';
import { entriesOf, firstPageOf, pagesOf, walk } from './pages.ts';
import type { Page } from './pages.ts';
import { sameFirstPage, sameGroups } from './same-answer.ts';
import { DAY, HOUR, endOf, windowOf } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

/** A valid question about few buckets, which hold cost. */
async function validQuery(run: Run): Promise<MetricsQuery> {
  const query = { ...(await meteredDays(run, 2)), resolution: 'daily' };
  await needAnswered(run, { ...query, groupBy: 'resource_type' });
  return query;
}

/** Every way of asking beside which a groupBy that is refused is no better. */
const besideGroupBy = (run: Run, refusedIn?: Window): Promise<Askings> =>
  askings(run, { without: ['groupBy'], ...(refusedIn && { refusedIn }) });

/** For what is refused whatever the figures are. */
async function fewDays(run: Run): Promise<Window> {
  const days = await anyDays(run, 2);
  await needAnswered(run, { ...days, groupBy: 'resource_type' });
  return days;
}

/** By somebody who may group by every name that is one. */
function askedBy(run: Run, any: fc.Arbitrary<Asking>, listOf: (names: readonly Dimension[]) => fc.Arbitrary<string>) {
  return any.chain((asking) =>
    fc.record({ groupBy: listOf(dimensionsOf(run, asking.caller)), asking: fc.constant(asking) }),
  );
}

conforms('metrics.group-by.unknown-refused', async (run) => {
  const days = await fewDays(run);
  const { each, any } = await besideGroupBy(run, days);
  const examples = [...nearMisses, ...nearMisses.slice(0, 8).map((name) => `resource_type,billing_dimension,${name}`)];
  await run.forAll(
    { asked: askedBy(run, any, listWithUnknown) },
    async ({ asked: { groupBy, asking } }) => status(await askBeside(run, asking, { ...days, groupBy }), 400),
    {
      examples: [
        ...groupedInTurn(examples, each),
        ...each.slice(-1).map((asking) => ['resource_type,name', asking] as const),
      ].map(([groupBy, asking]) => ({ asked: { groupBy, asking } })),
    },
  );
});

conforms('metrics.group-by.at-most-three', async (run) => {
  const days = await fewDays(run);
  const { each, any } = await besideGroupBy(run, days);
  const names = dimensionsFor(run);
  const most = requirement('metrics.group-by.at-most-three').values.maxDimensions;
  const fours = names.map((left) => names.filter((name) => name !== left)).filter(({ length }) => length > most);
  const lists = [[...names], ...fours].map((list) => list.join(','));
  const open = dimensions.filter((name) => name !== 'workspace').join(',');
  const examples = [
    ...groupedInTurn(lists, each.slice(0, 1)),
    ...each.map((asking): [string, Asking] => [open, asking]),
  ];
  const tooMany = (from: readonly Dimension[]) =>
    fc.shuffledSubarray([...from], { minLength: most + 1 }).map((list) => list.join(','));
  await run.forAll(
    { asked: askedBy(run, any, tooMany) },
    async ({ asked: { groupBy, asking } }) => status(await askBeside(run, asking, { ...days, groupBy }), 400),
    {
      examples: examples.map(([groupBy, asking]) => ({ asked: { groupBy, asking } })),
      runs: shareOf(run, 60),
    },
  );
});

conforms('metrics.group-by.no-duplicates', async (run) => {
  const days = await fewDays(run);
  const { each } = await besideGroupBy(run, days);
  const names = dimensionsFor(run);
  const pairs = names.flatMap((name) => names.filter((other) => other !== name).map((other) => [name, other] as const));
  const twice = pairs.flatMap(([name, other]) => [
    `${name},${name},${other}`,
    `${name},${other},${name}`,
    `${other},${name},${name}`,
  ]);
  // Four with one twice are too many as well; a name with a blank is unknown to whoever does not take it for the name.
  const either = names.flatMap((name, at) => {
    const [second, third] = [names[(at + 1) % names.length], names[(at + 2) % names.length]];
    return [`${name},${second},${third},${name}`, `${name}, ${name}`];
  });
  const alone = names.flatMap((name) => [`${name},${name}`, `${name},${name},${name}`]);
  const groupBys = [...alone, ...twice, ...either];
  for (const [groupBy, asking] of groupedInTurn(groupBys, each)) {
    run.check(status(await askBeside(run, asking, { ...days, groupBy }), 400));
  }
});

conforms('metrics.group-by.absent-one-entry', async (run) => {
  const week = await anyDays(run, 7);
  const types = entriesOf(await pagesOf(run, { ...week, resolution: 'daily', groupBy: 'resource_type' })).map((entry) =>
    valueOf(entry, 'resourceType'),
  );
  await run.forAll(
    {
      window: windowWithin(week, HOUR, 7 * DAY),
      resolution: fc.constantFrom(undefined, 'hourly', 'daily', 'weekly', 'monthly'),
      limit: fc.constantFrom(undefined, 1, 2, 100),
      resourceType: fc.constantFrom(undefined, ...types),
    },
    async ({ window, ...options }) => {
      // A filter that matches nothing just then may leave no entry.
      const query = options.resourceType === undefined ? { ...window, ...options } : { ...week, ...options };
      const exchange = await askMetrics(run.client, query);
      // A limit is of grouped results: here a target may refuse it.
      return options.limit !== undefined && isRefused(exchange) ? [] : oneEntry(exchange);
    },
    {
      examples: [{ window: week, resolution: undefined, limit: undefined, resourceType: undefined }],
      runs: shareOf(run, 60),
    },
  );
  const long = [90, 400].map((days) => ({ ...windowOf(endOf(week) - days * DAY, endOf(week)) }));
  const filtered = (await matchingFilters(run, week)).map((filter) => ({ ...week, ...filter }));
  for (const query of [...resolutions.map((resolution) => ({ ...week, resolution })), ...long, ...filtered])
    run.check(oneEntry(await askMetrics(run.client, query)));
});

function oneEntry(exchange: Exchange): Mismatch[] {
  const { data, meta } = answerOf(exchange);
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
        run.check(status(await askMetrics(run.client, { ...days, ...options, groupBy: order.join(',') }), 200));
      }
    }
  }
  const { each } = await besideGroupBy(run);
  const lists = groupings(run).map((set) => set.join(','));
  for (const [groupBy, asking] of [...groupedInTurn(lists, each), ...groupedInTurn(lists.toReversed(), each)]) {
    run.check(status(await askBeside(run, asking, { ...days, groupBy }), 200));
  }
});

conforms('metrics.group-by.order-irrelevant', async (run) => {
  const query = { ...(await meteredDays(run, 2)), resolution: 'daily' };
  for (const set of groupings(run).filter(({ length }) => length > 1)) await checkOrders(run, query, set);
  // And where there are pages though there are few groups.
  await checkOrders(run, { ...query, limit: 50 }, finestGrouping(run));
  const { each, any } = await besideGroupBy(run);
  const pairs = groupings(run).filter(({ length }) => length > 1);
  const ofWeaker = pairs.filter((set) => !set.includes('workspace'));
  const examples = each.map((asking, at) => {
    const sets = asking.caller === 'strongest' ? pairs : ofWeaker;
    return { asking, set: sets[at % sets.length]! };
  });
  await run.forAll(
    {
      asked: any.chain((asking) =>
        fc.record({
          asking: fc.constant(asking),
          set: fc.constantFrom(...(asking.caller === 'strongest' ? pairs : ofWeaker)),
        }),
      ),
    },
    ({ asked: { asking, set } }) => turnedRound(run, asking, query, set),
    { runs: shareOf(run, 30), examples: examples.map((asked) => ({ asked })) },
  );
});

/** The first page of the set in one order and in the other. */
async function turnedRound(
  run: Run,
  asking: Asking,
  query: MetricsQuery,
  set: readonly Dimension[],
): Promise<Mismatch[]> {
  const { resolution: _, ...days } = query;
  const ask = (order: readonly Dimension[]) => askBeside(run, asking, { ...days, groupBy: order.join(',') });
  const [first, exchange] = [await ask(set), await ask(set.toReversed())];
  return sameFirstPage(answerOf(first), { exchange, answer: answerOf(exchange) }, filledFields(set));
}

/** Every order of the set, page by page to the end. */
async function checkOrders(run: Run, query: MetricsQuery, set: readonly Dimension[]): Promise<void> {
  const [canonical = [], ...others] = permutationsOf(set);
  const pages = await pagesOf(run, { ...query, groupBy: canonical.join(',') });
  const [first, of] = [pages[0]!.answer, filledFields(set)];
  for (const order of others) {
    const { pages: found, trouble } = await walk(run.client, { ...query, groupBy: order.join(',') });
    const same = found.slice(0, 1).flatMap((page) => sameFirstPage(first, page, of));
    run.check(same, trouble === undefined ? sameGroups(pages, found, of) : [trouble]);
  }
}

/** The first page of every grouping, at the resolutions but daily in turn. */
const elsewhere = (run: Run): Promise<GroupedQuestion[]> =>
  groupedQuestions(run, ['monthly', 'weekly', 'hourly', undefined]);

/** Walks every page of every grouping, looks at some of other resolutions, and reports what `flawsOf` says of their entries. */
async function checkEveryGrouping(
  run: Run,
  flawsOf: (entry: Entry, set: readonly Dimension[]) => Flaw[],
): Promise<void> {
  const query = await validQuery(run);
  for (const set of groupings(run)) {
    const pages = await pagesOf(run, { ...query, groupBy: set.join(',') });
    run.check(onEveryEntry(pages, (entry) => flawsOf(entry, set)));
  }
  for (const { set, query: other } of await elsewhere(run))
    run.check(onEveryEntry([await firstPageOf(run, other)], (entry) => flawsOf(entry, set)));
}

function unfilled(entry: Entry, wanted: readonly Field[]): Flaw[] {
  return wanted
    .filter((field) => valueOf(entry, field) === '')
    .map((field) => ({ expected: `${field}, a text that is not empty`, actual: shown(entry[field]) }));
}

conforms('metrics.group-by.requested-fields-filled', async (run) => {
  await checkEveryGrouping(run, (entry, set) =>
    unfilled(
      entry,
      requestedFields(set).filter((field) => field !== 'resourceUuid'),
    ),
  );
  await checkUuids(run);
});

/**
 * resourceUuid is best effort: some entry has one where all six types have cost, and every grouping by it shows those that
 * have cost; what has none need not be an entry of each.
 */
async function checkUuids(run: Run): Promise<void> {
  const query = await validQuery(run);
  const byType = entriesOf(await pagesOf(run, { ...query, groupBy: 'resource_type' }));
  const types = new Set(byType.map((entry) => valueOf(entry, 'resourceType')));
  const allTypes = new Set(
    Object.values(requirement('metrics.group-by.dimension-belongs-to-type').values.table).map(
      ({ resourceType }) => resourceType,
    ),
  );
  const all = await uuidsBy(run, query, ['resource_uuid']);
  if ([...allTypes].every((type) => types.has(type))) {
    const none = { expected: 'a resourceUuid in some entry', actual: 'none in any', ...all.shown };
    run.check(all.uuids.size > 0 ? [] : [none]);
  }
  for (const set of groupings(run).filter((each) => each.includes('resource_uuid'))) {
    const found = await uuidsBy(run, query, set);
    const lost = [...all.metered].find((uuid) => !found.uuids.has(uuid));
    const expected = `resourceUuid ${lost} with groupBy=${set.join(',')} as without`;
    run.check(lost === undefined ? [] : [{ expected, actual: 'in no entry', ...found.shown }]);
  }
}

interface Uuids {
  readonly uuids: ReadonlySet<string>;
  /** Of those whose cost is not 0. */
  readonly metered: ReadonlySet<string>;
  /** All pages, the last as the one that shows it. */
  readonly shown: Pick<Mismatch, 'exchange' | 'before'>;
}

async function uuidsBy(run: Run, query: MetricsQuery, set: readonly Dimension[]): Promise<Uuids> {
  const pages = await pagesOf(run, { ...query, groupBy: set.join(',') });
  const entries = entriesOf(pages).filter((entry) => valueOf(entry, 'resourceUuid') !== '');
  const uuidsOf = (some: readonly Entry[]) => new Set(some.map((entry) => valueOf(entry, 'resourceUuid')));
  const before = pages.map(({ exchange }) => exchange);
  const exchange = run.need(before.pop(), 'a page');
  const metered = uuidsOf(entries.filter(({ summary }) => summary.cost > 0));
  return { uuids: uuidsOf(entries), metered, shown: { before, exchange } };
}

conforms('metrics.group-by.enriched-fields-filled', async (run) => {
  // Whoever may not group by workspace may perhaps not see it either.
  const visible = dimensionsFor(run).map((dimension) => fieldOf[dimension]);
  const known = await knownBeside(run, await validQuery(run));
  await checkEveryGrouping(run, (entry, set) => {
    // What has no uuid, or has it in common with nothing, cannot be enriched by it.
    const certain = set.filter((dimension) => dimension !== 'resource_uuid' || valueOf(entry, 'resourceUuid') !== '');
    const enriched = new Set(certain.flatMap((dimension) => enrichmentOf[dimension]));
    const wanted = visible.filter((field) => enriched.has(field) && !requestedFields(set).includes(field));
    return [...unfilled(entry, wanted), ...untrueFields(entry, set, known)];
  });
});

/** Fields that are neither requested nor enriched. */
function strayFields(entry: Entry, set: readonly Dimension[]): Flaw[] {
  return fields
    .filter((field) => field in entry && !filledFields(set).includes(field))
    .map((field) => ({ expected: `no ${field}`, actual: shown(entry[field]) }));
}

conforms('metrics.group-by.other-fields-absent', async (run) => {
  await checkEveryGrouping(run, strayFields);
  const query = await validQuery(run);
  const groups = entriesOf(await pagesOf(run, { ...query, groupBy: 'resource_name,billing_dimension' }));
  const first = run.need(groups[0], 'a group with cost');
  const filters = (['resourceType', 'resourceName', 'billingDimension'] as const).map((field) => ({
    [field]: valueOf(first, field),
  }));
  for (const filter of [{}, ...filters]) {
    run.check(onEveryEntry([await firstPageOf(run, { ...query, ...filter })], (entry) => strayFields(entry, [])));
    const grouped = await firstPageOf(run, { ...query, ...filter, groupBy: 'resource_type' });
    run.check(onEveryEntry([grouped], (entry) => strayFields(entry, ['resource_type'])));
  }
});

conforms('metrics.group-by.entries-distinct', async (run) => {
  const query = await validQuery(run);
  let most = 0;
  for (const set of groupings(run)) {
    const pages = await pagesOf(run, { ...query, groupBy: set.join(',') });
    most = Math.max(most, entriesOf(pages).length);
    // That no group comes again on a later page is metrics.pagination.every-group-once, but pages of one tell nothing else.
    const together = pages.some(({ answer }) => answer.data.length > 1) ? pages.map((page) => [page]) : [pages];
    for (const some of together) run.check(repeatedEntries(some, set));
  }
  for (const { set, query: other } of await elsewhere(run))
    run.check(repeatedEntries([await firstPageOf(run, other)], set));
  run.need(most > 1, 'a grouping with several groups');
});

function repeatedEntries(pages: readonly Page[], set: readonly Dimension[]): Mismatch[] {
  const seen = new Set<string>();
  return onEveryEntry(pages, (entry) => {
    const key = keyOf(entry, filledFields(set));
    const before = seen.has(key);
    seen.add(key);
    // Resources without a uuid have nothing that must tell them apart.
    const nameless = set.includes('resource_uuid') && valueOf(entry, 'resourceUuid') === '';
    return before && !nameless ? [{ expected: `one entry of groupBy=${set.join(',')}`, actual: 'a second one' }] : [];
  });
}

conforms('metrics.group-by.dimension-belongs-to-type', async (run) => {
  const { table } = requirement('metrics.group-by.dimension-belongs-to-type').values;
  await checkEveryGrouping(run, (entry, set) => {
    if (!set.includes('billing_dimension')) return [];
    const dimension = valueOf(entry, 'billingDimension');
    const type = valueOf(entry, 'resourceType');
    if (!Object.hasOwn(table, dimension))
      return [{ expected: 'one of the twelve billing dimensions', actual: shown(dimension) }];
    const wanted = table[dimension as keyof typeof table].resourceType;
    // Whether it is there at all is the rule of enrichment.
    return type === '' || type === wanted
      ? []
      : [{ expected: `resourceType ${wanted} beside ${dimension}`, actual: type }];
  });
});
