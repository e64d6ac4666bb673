/** metrics.sums.*: totals, groups and buckets of one window add up. */
import { judgedOn } from '../engine/traffic.ts';
import { metricsTraffic } from './metrics-traffic.ts';
import {
  checkSplitWindowsAddUp,
  checkResolutionsAgree,
  checkPastIsStable,
  checkInnerWindowNotMore,
} from './sums-over-time.ts';
import { needFineFigures } from './fine-figures.ts';
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import type { Judged } from '../judge/judgement.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { queryWithin } from '../kit/generators/metrics-query.ts';
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
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { differentGroupings } from './different-groupings.ts';
import { requestedFields, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { everyPair } from './every-pair.ts';
import { entryMismatches } from './entry-mismatches.ts';
import {
  cost,
  figureMismatches,
  figuresBy,
  nearInOneResponse,
  sumOfPrintedFigures,
  sumFlaws,
  sumMismatches,
  sumOfEntries,
  sumOfItems,
  usage,
} from './figures.ts';
import type { Sum } from './figures.ts';
import { filteredQueries } from './matching-filters.ts';
import { meteredDays, meteredMonth, meteredQueries } from './metered-days.ts';
import { singleDimensionQueries } from './single-dimension-queries.ts';
import type { SingleDimensionQuery } from './single-dimension-queries.ts';
import { entriesOf, fetchFirstPage, fetchPages, sharedPages } from './pages.ts';
import type { Page } from './pages.ts';
import { HOUR, endOf, windowOf } from '../kit/metrics/windows.ts';

judges('metrics.sums.total-is-sum-of-groups', 'getAccountMetrics', (seen, facts) => {
  const page = seenMetrics(seen, facts);
  if (page?.metrics.meta.hasMore !== false) return undefined;
  if (seen.parameter('cursor') === undefined) return totalMismatches([page]);
  const walk = seenWalk(seen, facts);
  return walk && totalMismatches(walk.pages);
});

conforms('metrics.sums.total-is-sum-of-groups', async (run) => {
  await needFineFigures(run);
  const month = await meteredMonth(run);
  const sets = [[], ...differentGroupings(run)];
  const days = { ...(await meteredDays(run, 2)), resolution: 'daily' };
  await run.forEach(sets, async (set) => totalMismatches(await sharedPages(run, grouped(days, set))));
  await run.forEach(await filteredQueries(run), async (query) => totalMismatches(await fetchPages(run, query)));
  await run.forAll(
    {
      baseQuery: queryWithin(month),
      set: fc.constantFrom(...sets),
      limit: fc.constantFrom(undefined, 20, 50, 99),
      resourceType: fc.constantFrom(undefined, 'sandbox', 'agent'),
    },
    async ({ baseQuery, set, ...options }) =>
      totalMismatches(await fetchPages(run, grouped({ ...baseQuery, ...options }, set))),
    {
      examples: [
        {
          baseQuery: { ...month, resolution: 'weekly' },
          set: ['billing_dimension'],
          limit: 20,
          resourceType: 'sandbox',
        },
        {
          baseQuery: { ...month, resolution: 'monthly' },
          set: ['resource_type'],
          limit: undefined,
          resourceType: 'agent',
        },
      ],
    },
  );
});

/** With several pages, totalCost is either the sum of each page or the sum of all pages on every page. */
function totalMismatches(pages: readonly Page[]): Mismatch[] {
  const all = sumOfEntries(entriesOf(pages));
  const differing = (sumFor: (page: Page) => Sum): Mismatch[] =>
    pages.flatMap((page, at) => {
      const { totalCost } = page.metrics.summary;
      const { cost: sum } = sumFor(page);
      if (nearInOneResponse(cost(totalCost), sum)) return [];
      return [{ expected: `page ${at + 1}: totalCost ${sum.value}`, actual: `${totalCost}`, exchange: page.exchange }];
    });
  const asWhole = differing(() => all);
  const asOwn = differing(({ metrics: response }) => sumOfEntries(response.data));
  return asWhole.length === 0 || asOwn.length === 0 ? [] : asWhole.length < asOwn.length ? asWhole : asOwn;
}

judgesPages('metrics.sums.group-is-sum-of-buckets', (page) => bucketTotals([page]));

conforms('metrics.sums.group-is-sum-of-buckets', async (run) => {
  await needFineFigures(run);
  const month = await meteredMonth(run);
  const sets = [[], ...differentGroupings(run)];
  await judgedOn(metricsTraffic, 'a metrics response')(run);
  await run.forAll(
    { baseQuery: queryWithin(month), set: fc.constantFrom(...sets) },
    async ({ baseQuery, set }) => bucketTotals(await fetchPages(run, grouped(baseQuery, set))),
    { runs: scaleRuns(run, 15) },
  );
});

function bucketTotals(pages: readonly Page[]): Mismatch[] {
  return entryMismatches(pages, (entry) =>
    sumFlaws('the sum of its buckets', sumOfItems(entry.timeseries, [entry]), sumOfEntries([entry]), {
      relation: 'equal in one response',
    }),
  );
}

judgesWalks('metrics.sums.total-independent-of-group-by', isGroupedToo, otherTotal);

conforms('metrics.sums.total-independent-of-group-by', async (run) => {
  await needFineFigures(run);
  const month = await meteredMonth(run);
  const sets = differentGroupings(run);
  const { daily, monthly, picked } = await meteredQueries(run);
  await run.forEach(sets, (set) => totalAgainstUngrouped(run, daily, set));
  await run.forAll(
    { baseQuery: queryWithin(month), set: fc.constantFrom(...sets) },
    ({ baseQuery, set }) => totalAgainstUngrouped(run, baseQuery, set),
    {
      examples: everyPair(sets, [monthly, picked]).map(([set, baseQuery]) => ({ baseQuery, set })),
      all: true,
    },
  );
});

async function totalAgainstUngrouped(
  run: Run,
  baseQuery: MetricsQuery,
  set: readonly Dimension[],
): Promise<Mismatch[]> {
  const ungrouped = await fetchFirstPage(run, baseQuery);
  const pages = await sharedPages(run, grouped(baseQuery, set));
  const [all, groups] = [sumOfPrintedFigures(ungrouped.metrics.data), sumOfPrintedFigures(entriesOf(pages))];
  return sumMismatches(`the sum over groupBy=${set.join(',')}`, all, groups, {
    exchange: pages[0]!.exchange,
    relation: set.includes('resource_uuid') ? 'not more' : 'equal',
    costOnly: true,
  });
}

judgesWalks('metrics.sums.coarser-is-sum-of-finer', isCoarser, otherSums);

conforms('metrics.sums.coarser-is-sum-of-finer', async (run) => {
  await needFineFigures(run);
  const days = await meteredDays(run, 2);
  const { daily, picked } = await meteredQueries(run);
  const hourly = { ...windowOf(endOf(days) - 12 * HOUR, endOf(days) - 6 * HOUR), resolution: 'hourly' };
  const steps = coarseningSteps(differentGroupings(run));
  await run.forEach(steps, (step) => coarseningMismatches(run, daily, step));
  // Several dimensions and few groups.
  const few: readonly Dimension[] = ['workspace', 'resource_type', 'billing_dimension'];
  const ofFew = coarseningSteps([dimensionsFor(run).filter((dimension) => few.includes(dimension))]);
  await run.forAll(
    { baseQuery: fc.constantFrom(hourly, picked), step: fc.constantFrom(...steps) },
    ({ baseQuery, step }) => coarseningMismatches(run, baseQuery, step),
    {
      examples: everyPair([hourly, picked], ofFew).map(([baseQuery, step]) => ({ baseQuery, step })),
    },
  );
});

/** A grouping, and the dimension that a coarser one does not have. */
interface CoarseningStep {
  readonly fine: readonly Dimension[];
  readonly dropped: Dimension;
}

/** Every dimension of every set; each set once before any occurs again. */
const coarseningSteps = (sets: readonly (readonly Dimension[])[]): CoarseningStep[] =>
  [0, 1, 2].flatMap((nth) =>
    sets.flatMap((fine, at) => (nth < fine.length ? [{ fine, dropped: fine[(at + nth) % fine.length]! }] : [])),
  );

async function coarseningMismatches(
  run: Run,
  baseQuery: MetricsQuery,
  { fine, dropped }: CoarseningStep,
): Promise<Mismatch[]> {
  const coarse = fine.filter((dimension) => dimension !== dropped);
  const coarsePages = await fetchPages(run, grouped(baseQuery, coarse));
  const finePages = await fetchPages(run, grouped(baseQuery, fine));
  // Resources without a uuid may be omitted from groupings by it.
  const known = (entry: Entry): boolean => !coarse.includes('resource_uuid') || valueOf(entry, 'resourceUuid') !== '';
  const by = (pages: readonly Page[]) => figuresBy(requestedFields(coarse), entriesOf(pages).filter(known));
  return figureMismatches(
    `groupBy=${coarse.join(',')} from the groups by ${dropped} too`,
    by(coarsePages),
    by(finePages),
    {
      exchange: finePages[0]!.exchange,
      relation: dropped === 'resource_uuid' ? 'not more' : 'equal',
    },
  );
}

judgesPages('metrics.sums.total-usage', (page, seen) => {
  const dimension = seen.parameter('billingDimension');
  const isWhole = page.metrics.meta.hasMore === false && seen.parameter('cursor') === undefined;
  return dimension !== undefined && isWhole ? totalUsageMismatches(page, dimension) : undefined;
});

/** Undefined without usage: metrics.usage.with-billing-dimension checks that both are present. */
function totalUsageMismatches({ exchange, metrics: { summary, data } }: Page, dimension: string): Judged {
  const { usage: sum } = sumOfPrintedFigures(data);
  if (summary.totalUsage === undefined || sum === undefined) return undefined;
  const expected = `totalUsage ${sum.value}, the sum of ${dimension}`;
  const isNear = nearInOneResponse(usage(summary.totalUsage, dimension), sum);
  return isNear ? [] : [{ expected, actual: `${summary.totalUsage}`, exchange }];
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
  run.need(compared > 0, 'a single page with totalUsage and the usage of its groups');
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
conforms('metrics.sums.split-windows-add-up', checkSplitWindowsAddUp);
conforms('metrics.sums.resolutions-agree', checkResolutionsAgree);
conforms('metrics.sums.past-is-stable', checkPastIsStable);
conforms('metrics.sums.inner-window-not-more', checkInnerWindowNotMore);
