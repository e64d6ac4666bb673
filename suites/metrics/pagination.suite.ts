/** metrics.pagination.*: the length of pages and the walk over all of them. */
import { judgedOn } from '../engine/traffic.ts';
import { metricsTraffic } from './metrics-traffic.ts';
import {
  checkForeignCursorRefused,
  checkCursorRepeatable,
  checkCursorSurvivesEncoding,
  observeCursorWithOtherParameters,
} from './cursors.ts';
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import { conforms, observes } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, status } from '../expect/status.ts';
import { nonCount, nonCounts } from '../generators/non-count.ts';
import { alsoJudges, alsoJudgesInOrder, judges, judgesInOrder } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import {
  acceptance,
  compareWalks,
  judgesPages,
  judgesWalks,
  refusesQuery,
  seenMetrics,
} from '../kit/metrics/seen-metrics.ts';
import { hasOtherLimit, otherFigures, otherGroups } from './compared-walks.ts';
import { judgeClampedPages, judgeContinuation, judgeUsedCursors } from './judged-cursors.ts';
import { groupByOf } from '../kit/metrics/seen-query.ts';
import { needAccepted } from '../kit/metrics/causes.ts';
import { parseMetrics, requestMetrics } from '../kit/metrics/request.ts';
import { sendVariant, requestVariants } from '../kit/metrics/request-variants.ts';
import { isStableDuringCreates, walkDuringChanges } from './walk-during-changes.ts';
import { filledFields, keyOf } from './entries.ts';
import { formatValue } from './entry-mismatches.ts';
import { limitWalks } from './limit-walks.ts';
import { judgedOnDerivedWalks, judgedOnWalks } from './related-queries.ts';
import {
  brokenPagination,
  largestGrouping,
  MAX_SMALL_GROUPS,
  moreGroups,
  queryAbove,
  smallGrouping,
} from './sized-groupings.ts';
import type { PagedGrouping } from './sized-groupings.ts';
import { inThreePages, variedQueries } from './varied-walks.ts';
import { anyDays, meteredDays } from './metered-days.ts';
import { entriesOf, fetchFirstPage, sharedPages, walk } from './pages.ts';
import type { Page } from './pages.ts';
import { sameFirstPage } from './same-response.ts';
import { HOUR, timestamp } from '../kit/metrics/windows.ts';

const { defaultLimit } = requirement('metrics.pagination.page-within-limit').values;

const { maxLimit, largestTried } = requirement('metrics.pagination.limit-clamped').values;

// A limit needs groupBy: without it the limit may be ignored.
refusesQuery('metrics.pagination.limit-is-a-count', (seen) => {
  const limit = seen.parameter('limit')?.trim() ?? '';
  const isCount = Number.isInteger(Number(limit)) && Number(limit) >= 0;
  return limit !== '' && !isCount && groupByOf(seen).length > 0;
});

conforms('metrics.pagination.limit-is-a-count', async (run) => {
  // A limit needs groupBy: without it the limit may be ignored.
  const days = { ...(await anyDays(run, 2)), resolution: 'daily' };
  const groupings = ['resource_type', 'resource_name', 'resource_type,billing_dimension'];
  for (const groupBy of groupings) await needAccepted(run, { ...days, groupBy, limit: 1 });
  const { each, any } = await requestVariants(run, { excluded: ['groupBy', 'limit'], validQuery: days });
  const mistakes = Object.entries(nonCounts);
  const ofMistakes = mistakes.flatMap(([mistake, limits], at) =>
    limits.map((limit) => ({ mistake, limit, variant: each[at % each.length]! })),
  );
  const ofVariants = each.map((variant) => ({ mistake: JSON.stringify(variant), limit: '-1', variant }));
  await run.forAll(
    { mistake: fc.constant<string>('any'), variant: any, limit: nonCount, groupBy: fc.constantFrom(...groupings) },
    async ({ variant, limit, groupBy }) => status(await sendVariant(run, variant, { ...days, groupBy, limit }), 400),
    {
      examples: [...ofMistakes, ...ofVariants].map((example) => ({ ...example, groupBy: 'resource_type' })),
      classOf: ({ mistake }) => mistake,
    },
  );
});

function lengthMismatches({ metrics: response, exchange }: Page, limit: number): Mismatch[] {
  const { length } = response.data;
  return length <= limit ? [] : [{ expected: `at most ${limit} entries`, actual: `${length}`, exchange }];
}

/** Undefined if the query is not grouped, and for values that not every reading takes for a count. */
function limitOf(seen: Seen): number | undefined {
  const limit = seen.parameter('limit');
  if (limit === undefined) return seen.parameter('groupBy') === undefined ? undefined : defaultLimit;
  return /^[1-9]\d*$/.test(limit) ? Number(limit) : undefined;
}

judgesPages('metrics.pagination.page-within-limit', (page, seen) => {
  const limit = limitOf(seen);
  return limit === undefined ? undefined : lengthMismatches(page, Math.min(limit, maxLimit));
});

conforms('metrics.pagination.page-within-limit', async (run) => {
  const largest = await largestGrouping(run);
  for (const page of await sharedPages(run, largest.query)) run.check(lengthMismatches(page, defaultLimit));
  if (largest.entries.length <= defaultLimit) run.skipInput(moreGroups(largest, defaultLimit));
  await judgedOn(metricsTraffic, 'a page of groups')(run);
});

/** Only if two requests that mean the same return pages of equal length. */
function sameLengthMismatches({ exchange, metrics: { data } }: Page, first: Page, repeated: Page): Mismatch[] {
  const { length } = first.metrics.data;
  if (length !== repeated.metrics.data.length || length === data.length) return [];
  return [{ expected: `${length} entries, as with limit ${maxLimit}`, actual: `${data.length}`, exchange }];
}

judges('metrics.pagination.limit-clamped', 'getAccountMetrics', (seen, facts) => {
  const page = seenMetrics(seen, facts);
  const isAbove = (limitOf(seen) ?? 0) > maxLimit;
  return isAbove ? (page ? lengthMismatches(page, maxLimit) : acceptance(seen, facts)) : undefined;
});
alsoJudgesInOrder('metrics.pagination.limit-clamped', judgeClampedPages);

conforms('metrics.pagination.limit-clamped', async (run) => {
  const largest = await largestGrouping(run);
  const groupings = [largest.query, (await smallGrouping(run)).query];
  const maxPages = await Promise.all(groupings.map((query) => fetchFirstPage(run, { ...query, limit: maxLimit })));
  // The default is the same limit.
  const repeated = await Promise.all(groupings.map((query) => fetchFirstPage(run, query)));
  const fields = groupings.map(({ groupBy }) => filledFields(groupBy.split(',') as never));
  const names = ['largest', 'small'] as const;
  const clampMismatches = async (limit: number, grouping: (typeof names)[number]): Promise<Mismatch[]> => {
    const which = names.indexOf(grouping);
    const exchange = await requestMetrics(run.client, { ...groupings[which], limit });
    const refusalMismatches = status(exchange, 200);
    if (refusalMismatches.length > 0) return refusalMismatches;
    const response = parseMetrics(exchange);
    return [
      ...lengthMismatches({ exchange, metrics: response }, maxLimit),
      ...sameFirstPage(maxPages[which]!.metrics, { exchange, metrics: response }, fields[which]!),
      ...sameLengthMismatches({ exchange, metrics: response }, maxPages[which]!, repeated[which]!),
    ];
  };
  const boundaries = [
    [maxLimit + 1, largestTried, 1001, 65_536, 2 ** 31, 200, 256, 10_000, 128, 32_768, 1_000_000],
    [102, 110, 127, 150, 199, 201, 255, 500, 999, 1000],
  ].flat();
  await run.forAll(
    {
      limit: fc.integer({ min: maxLimit + 1, max: largestTried }),
      grouping: fc.constantFrom(...names),
    },
    ({ limit, grouping }) => clampMismatches(limit, grouping),
    { examples: boundaries.map((limit) => ({ limit, grouping: 'largest' as const })) },
  );
  await judgedOn(metricsTraffic, 'a limit above the largest one')(run);
  const ofSeveralPages = await queryAbove(run, maxLimit);
  const { pages, failure: trouble } = await walk(run.client, { ...ofSeveralPages, limit: maxLimit + 1 });
  run.check(trouble === undefined ? [] : [trouble]);
  for (const page of pages) run.check(lengthMismatches(page, maxLimit));
  // That such a limit is accepted shows without them, too.
  run.need(largest.entries.length > maxLimit, moreGroups(largest, maxLimit));
});

function cursorMismatches({ metrics: response, exchange }: Page): Mismatch[] {
  const { hasMore, nextCursor } = response.meta;
  const agree = hasMore ? typeof nextCursor === 'string' && nextCursor !== '' : hasMore === false && nextCursor === '';
  const expected = hasMore ? 'a non-empty nextCursor with hasMore true' : 'nextCursor "" with hasMore false';
  return agree
    ? []
    : [{ expected, actual: `hasMore ${formatValue(hasMore)}, nextCursor ${formatValue(nextCursor)}`, exchange }];
}

judgesPages('metrics.pagination.has-more-and-cursor-agree', cursorMismatches);

conforms('metrics.pagination.has-more-and-cursor-agree', async (run) => {
  const days = { ...(await meteredDays(run, 2)), resolution: 'daily' };
  await judgedOnWalks(limitWalks, 'a metrics response')(run);
  await judgedOn(metricsTraffic, 'a metrics response')(run);
  // A limit needs groupBy: without it a target may refuse the limit.
  const exchange = await requestMetrics(run.client, { ...days, limit: 1 });
  run.check(isRefused(exchange) ? [] : cursorMismatches({ exchange, metrics: parseMetrics(exchange) }));
});

judges('metrics.pagination.every-group-once', 'getAccountMetrics', judgeContinuation);
alsoJudges('metrics.pagination.every-group-once', compareWalks(hasOtherLimit, otherGroups));

conforms('metrics.pagination.every-group-once', async (run) => {
  run.check(await brokenPagination(run));
  const needed = 'a second page of a query';
  await judgedOnWalks(limitWalks, needed)(run);
  await judgedOnDerivedWalks(variedQueries, inThreePages, needed)(run);
  await walkDuringChanges(run, await smallGrouping(run));
});

judgesWalks('metrics.pagination.limit-changes-nothing-else', hasOtherLimit, otherFigures);

conforms('metrics.pagination.limit-changes-nothing-else', judgedOnWalks(limitWalks, 'a query with two limits'));

observes('metrics.pagination.pages-full', async (run) => {
  const small = await smallGrouping(run);
  const count = small.entries.length;
  // One group on each page only if there are few.
  const pageCounts = [3, 4, 5, 7, 2, ...(count <= MAX_SMALL_GROUPS ? [count] : [])];
  const pageCount = pageCounts.find((each) => count % each === 0 && count / each <= maxLimit);
  const limit = count / run.need(pageCount, `groups that fill 2, 3, 4, 5 or 7 pages of at most ${maxLimit}`);
  const pages = await sharedPages(run, { ...small.query, limit });
  run.need(pages.length > 1, 'a grouping with more than one page');
  const full = pages.slice(0, -1).every(({ metrics }) => metrics.data.length === limit);
  run.observe('pages before the last one', full ? 'all full' : 'some not full');
  const last = pages.at(-1)?.metrics.data.length;
  run.observe(
    'the last page if the groups fill all pages',
    last === 0 ? 'empty: hasMore was true on the last full page' : 'has groups',
  );
});

function isAscending(list: readonly (string | number)[]): boolean {
  return list.every((value, at) => at === 0 || list[at - 1]! <= value);
}

observes('metrics.pagination.order', async (run) => {
  const large = await largestGrouping(run);
  const keys = large.entries.map((entry) => keyOf(entry, filledFields(large.set)));
  const costs = large.entries.map(({ summary }) => summary.cost);
  const orders = [
    ['by names, ascending', isAscending(keys)],
    ['by names, descending', isAscending(keys.toReversed())],
    ['by cost, descending', isAscending(costs.toReversed())],
    ['by cost, ascending', isAscending(costs)],
  ] as const;
  run.observe('the order of groups', orders.find(([, holds]) => holds)?.[0] ?? 'neither names nor cost');
  const current = await currentGrouping(run, large);
  const isStable = current && (await isStableDuringCreates(run, current));
  if (isStable === undefined) return;
  const observation = isStable ? 'each once' : 'some repeated or missing';
  run.observe('groups of a window until now while resources are created', observation);
});

/**
 * A window that includes resources created during the case; undefined if a window that ends within the hour is
 * refused.
 */
async function currentGrouping(run: Run, { query, set }: PagedGrouping): Promise<PagedGrouping | undefined> {
  const endTime = timestamp((Math.floor(Date.now() / HOUR) + 1) * HOUR);
  const queries = { ...query, endTime, resolution: 'monthly' };
  const { pages, failure: trouble } = await walk(run.client, queries);
  return trouble === undefined ? { query: queries, set, entries: entriesOf(pages) } : undefined;
}

conforms('metrics.pagination.foreign-cursor-refused', checkForeignCursorRefused);
judgesInOrder('metrics.pagination.cursor-repeatable', 'getAccountMetrics', judgeUsedCursors(true));
judgesInOrder('metrics.pagination.cursor-survives-encoding', 'getAccountMetrics', judgeUsedCursors(false));
conforms('metrics.pagination.cursor-repeatable', checkCursorRepeatable);
conforms('metrics.pagination.cursor-survives-encoding', checkCursorSurvivesEncoding);
observes('metrics.pagination.cursor-with-other-parameters', observeCursorWithOtherParameters);
