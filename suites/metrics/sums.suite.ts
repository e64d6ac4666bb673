/** metrics.sums.*: totals, groups and buckets of one window add up. */
import { everyGrouping, groupedAfterUngrouped, judgedOnRepeated, judgedOnWalks } from './related-queries.ts';
import type { RelatedQueries } from './related-queries.ts';
import { innerWindows, repeatedQueries, resolutionsOfDays, splitWindows } from './sums-over-time.ts';
import { needFineFigures } from './fine-figures.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { ifConclusive, judges } from '../judge/judgement.ts';
import type { Judged } from '../judge/judgement.ts';
import { parseMetrics, requestMetrics, grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { judgesPages, judgesWalks, relatedWalks, seenMetrics, seenWalk } from '../kit/metrics/seen-metrics.ts';
import {
  hasOtherResolution,
  higherCosts,
  isCoarser,
  isGroupedToo,
  isNested,
  isOfOtherWindow,
  isRepeated,
  otherBucketSums,
  otherSums,
  otherTotal,
  sameWalk,
  splitMismatches,
} from './compared-walks.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { entryMismatches } from './entry-mismatches.ts';
import { cost, nearInOneResponse, sumOfPrintedFigures, sumFlaws, sumOfEntries, sumOfItems, usage } from './figures.ts';
import type { Sum } from './figures.ts';
import { filteredQueries } from './matching-filters.ts';
import { singleDimensionQueries } from './single-dimension-queries.ts';
import type { SingleDimensionQuery } from './single-dimension-queries.ts';
import { entriesOf, fetchFirstPage } from './pages.ts';
import type { Page } from './pages.ts';

judges('metrics.sums.total-is-sum-of-groups', 'getAccountMetrics', (seen, facts) => {
  const page = seenMetrics(seen, facts);
  if (page?.metrics.meta.hasMore !== false) return undefined;
  if (seen.parameter('cursor') === undefined) return totalMismatches([page]);
  const walk = seenWalk(seen, facts);
  return walk && totalMismatches(walk.pages);
});

conforms('metrics.sums.total-is-sum-of-groups', async (run) => {
  await needFineFigures(run);
  await judgedOnWalks(groupedOrFiltered, 'a grouping with more than one group')(run);
});

const groupedOrFiltered = async (run: Run): Promise<RelatedQueries[]> => [
  ...(await groupedAfterUngrouped(run)),
  ...(await filteredQueries(run)).map((query) => [query]),
];

/**
 * With several pages, totalCost is either the sum of each page or the sum of all pages on every page. Undefined if it is the cost
 * of the only group, which shows no sum.
 */
function totalMismatches(pages: readonly Page[]): Judged {
  const entries = entriesOf(pages);
  const all = sumOfEntries(entries);
  const differing = (sumFor: (page: Page) => Sum): Mismatch[] =>
    pages.flatMap((page, at) => {
      const { totalCost } = page.metrics.summary;
      const { cost: sum } = sumFor(page);
      if (nearInOneResponse(cost(totalCost), sum)) return [];
      return [{ expected: `page ${at + 1}: totalCost ${sum.value}`, actual: `${totalCost}`, exchange: page.exchange }];
    });
  const asWhole = differing(() => all);
  const asOwn = differing(({ metrics: response }) => sumOfEntries(response.data));
  return ifConclusive(asWhole.length < asOwn.length ? asWhole : asOwn, entries.length > 1);
}

judgesPages('metrics.sums.group-is-sum-of-buckets', (page) => bucketTotals([page]));

conforms('metrics.sums.group-is-sum-of-buckets', async (run) => {
  await needFineFigures(run);
  await judgedOnWalks(groupedOrFiltered, 'a group with more than one bucket')(run);
});

/** Undefined if every group has at most one bucket, which shows no sum. */
function bucketTotals(pages: readonly Page[]): Judged {
  const mismatches = entryMismatches(pages, (entry) =>
    sumFlaws('the sum of its buckets', sumOfItems(entry.timeseries, [entry]), sumOfEntries([entry]), {
      relation: 'equal in one response',
    }),
  );
  return ifConclusive(
    mismatches,
    entriesOf(pages).some(({ timeseries }) => timeseries.length > 1),
  );
}

judgesWalks('metrics.sums.total-independent-of-group-by', isGroupedToo, otherTotal);

conforms('metrics.sums.total-independent-of-group-by', async (run) => {
  await needFineFigures(run);
  await judgedOnWalks(groupedAfterUngrouped, 'a grouping with more than one group')(run);
});

judgesWalks('metrics.sums.coarser-is-sum-of-finer', isCoarser, otherSums);

conforms('metrics.sums.coarser-is-sum-of-finer', async (run) => {
  await needFineFigures(run);
  await judgedOnWalks(coarseAndFine, 'a grouping that divides groups of another')(run);
});

/** Every grouping, each after the same query without one of its dimensions. */
const coarseAndFine = async (run: Run): Promise<RelatedQueries[]> =>
  (await everyGrouping(run)).flatMap((query) => {
    const set = query.groupBy!.split(',') as Dimension[];
    return set.map((dropped) => [
      grouped(
        { ...query, groupBy: undefined },
        set.filter((name) => name !== dropped),
      ),
      query,
    ]);
  });

judgesPages('metrics.sums.total-usage', (page, seen) => {
  const dimension = seen.parameter('billingDimension');
  const isWhole = page.metrics.meta.hasMore === false && seen.parameter('cursor') === undefined;
  return dimension !== undefined && isWhole ? totalUsageMismatches(page, dimension) : undefined;
});

/**
 * Undefined without usage: metrics.usage.with-billing-dimension checks that both are present. Also if it is the usage of the only
 * group, which shows no sum.
 */
function totalUsageMismatches({ exchange, metrics: { summary, data } }: Page, dimension: string): Judged {
  const { usage: sum } = sumOfPrintedFigures(data);
  if (summary.totalUsage === undefined || sum === undefined) return undefined;
  const expected = `totalUsage ${sum.value}, the sum of ${dimension}`;
  const isNear = nearInOneResponse(usage(summary.totalUsage, dimension), sum);
  return ifConclusive(isNear ? [] : [{ expected, actual: `${summary.totalUsage}`, exchange }], data.length > 1);
}

conforms('metrics.sums.total-usage', async (run) => {
  const { ofOneGroup, ofSeveralGroups } = await singleDimensionQueries(run);
  run.need(ofOneGroup.length > 0, 'a billing dimension with usage');
  let compared = 0;
  const compareTotal = async (query: SingleDimensionQuery): Promise<readonly Mismatch[]> => {
    const page = await fetchFirstPage(run, query);
    const mismatches = totalUsageMismatches(page, query.billingDimension);
    if (mismatches === undefined || !(await hasAllGroups(run, query, page))) return [];
    compared += 1;
    return mismatches;
  };
  for (const queries of [ofOneGroup, ofSeveralGroups]) await run.forEach(queries, compareTotal);
  run.need(compared > 0, 'a single page with totalUsage and the usage of more than one group');
});

/** Whether the first page is the only one, or only an empty page follows. */
async function hasAllGroups(run: Run, query: MetricsQuery, { metrics: { meta } }: Page): Promise<boolean> {
  if (!meta.hasMore) return true;
  const next = await requestMetrics(run.client, { ...query, cursor: meta.nextCursor });
  if (next.response.status !== 200) return false;
  const { data, meta: after } = parseMetrics(next);
  return data.length === 0 && !after.hasMore;
}

judges('metrics.sums.split-windows-add-up', 'getAccountMetrics', (seen, facts) => {
  const walk = seenWalk(seen, facts);
  return walk && splitMismatches(relatedWalks(walk, facts, isOfOtherWindow), walk);
});
judgesWalks('metrics.sums.resolutions-agree', hasOtherResolution, otherBucketSums);
judgesWalks('metrics.sums.past-is-stable', isRepeated, sameWalk);
judgesWalks('metrics.sums.inner-window-not-more', isNested, higherCosts);

conforms('metrics.sums.split-windows-add-up', async (run) => {
  await needFineFigures(run);
  await judgedOnWalks(splitWindows, 'a window and its parts')(run);
});

conforms('metrics.sums.resolutions-agree', async (run) => {
  await needFineFigures(run);
  await judgedOnWalks(resolutionsOfDays, 'a window at two resolutions')(run);
});

conforms('metrics.sums.past-is-stable', judgedOnRepeated(repeatedQueries, 'a settled window'));
conforms('metrics.sums.inner-window-not-more', judgedOnWalks(innerWindows, 'a window inside another'));
