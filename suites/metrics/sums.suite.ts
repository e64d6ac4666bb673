/** metrics.sums.*: totals, groups and buckets of the past add up. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { nestedWindows } from '../kit/generators/inner-window.ts';
import type { Nested } from '../kit/generators/inner-window.ts';
import { askedAt, questionWithin } from '../kit/generators/metrics-question.ts';
import { windowWithin } from '../kit/generators/window.ts';
import { parseMetrics, requestMetrics, grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { bucketSumMismatches } from './bucket-sums.ts';
import { bucketStarts } from './buckets.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import {
  certainGroupings,
  filledFields,
  finestGrouping,
  groupings,
  keyOf,
  requestedFields,
  valueOf,
} from './entries.ts';
import type { Entry } from './entries.ts';
import { entryMismatches } from './entry-mismatches.ts';
import {
  cost,
  figureMismatches,
  figuresBy,
  isFine,
  near,
  sumOfPrintedFigures,
  sumFlaws,
  sumMismatches,
  sumOfEntries,
  sumOfItems,
  usage,
} from './figures.ts';
import type { Sum } from './figures.ts';
import { filteredQueries } from './matching-filters.ts';
import { meteredDays, meteredMonth } from './metered-days.ts';
import { singleDimensionQueries } from './single-dimension-queries.ts';
import { entriesOf, fetchFirstPage, fetchPages } from './pages.ts';
import type { Page } from './pages.ts';
import { sameFirstPage, sameGroups } from './same-response.ts';
import { DAY, HOUR, WEEK, endOf, firstOfMonth, startOf, timestamp, windowOf } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';
import { sharedValue } from '../engine/shared-values.ts';

const fineFigures = sharedValue<void>();

const MANY_GROUPS = 1000;

/** Throws NotTried if the rounding of the finest groups could hide a wrong sum. */
const needFineFigures = (run: Run): Promise<void> =>
  fineFigures.get(run, async () => {
    const days = { ...(await meteredDays(run, 2)), resolution: 'daily' };
    const entries = entriesOf(await fetchPages(run, grouped(days, finestGrouping(run))));
    const items = entries.flatMap(({ timeseries }) => timeseries);
    const fine = entries.length === 0 ? await losesGroups(run, days) : isFine(sumOfItems(items, entries));
    run.need(fine, 'costs that are precise enough to be compared');
  });

/** Whether the total cost is too large to be rounded to zero in each of many groups. */
async function losesGroups(run: Run, days: MetricsQuery): Promise<boolean> {
  const { cost: all, ...rest } = sumOfEntries((await fetchFirstPage(run, days)).metrics.data);
  return isFine({ ...rest, cost: { ...all, terms: MANY_GROUPS } });
}

conforms('metrics.sums.total-is-sum-of-groups', async (run) => {
  await needFineFigures(run);
  const month = await meteredMonth(run);
  const sets = [[], ...groupings(run)];
  const days = { ...(await meteredDays(run, 2)), resolution: 'daily' };
  for (const set of sets) run.check(totalMismatches(await fetchPages(run, grouped(days, set))));
  for (const baseQuery of await filteredQueries(run)) run.check(totalMismatches(await fetchPages(run, baseQuery)));
  await run.forAll(
    {
      baseQuery: questionWithin(month),
      set: fc.constantFrom(...sets),
      limit: fc.constantFrom(undefined, 20, 50, 99),
      resourceType: fc.constantFrom(undefined, 'sandbox', 'agent'),
    },
    async ({ baseQuery, set, ...options }) =>
      totalMismatches(await fetchPages(run, grouped({ ...baseQuery, ...options }, set))),
    { runs: scaleRuns(run, 20) },
  );
});

/** With several pages, totalCost is either the sum of each page or the sum of all pages on every page. */
function totalMismatches(pages: readonly Page[]): Mismatch[] {
  const all = sumOfEntries(entriesOf(pages));
  const differing = (sumFor: (page: Page) => Sum): Mismatch[] =>
    pages.flatMap((page, at) => {
      const { totalCost } = page.metrics.summary;
      const { cost: sum } = sumFor(page);
      if (near(cost(totalCost), sum)) return [];
      return [{ expected: `page ${at + 1}: totalCost ${sum.value}`, actual: `${totalCost}`, exchange: page.exchange }];
    });
  const asWhole = differing(() => all);
  const asOwn = differing(({ metrics: response }) => sumOfEntries(response.data));
  return asWhole.length === 0 || asOwn.length === 0 ? [] : asWhole.length < asOwn.length ? asWhole : asOwn;
}

conforms('metrics.sums.group-is-sum-of-buckets', async (run) => {
  await needFineFigures(run);
  const month = await meteredMonth(run);
  const week = await meteredDays(run, 7);
  const day = windowOf(endOf(week) - DAY, endOf(week));
  const queries = [
    { ...day, resolution: 'hourly', limit: 40 },
    { ...week, resolution: 'daily' },
    { ...month, resolution: 'weekly' },
    { ...month, resolution: 'monthly' },
  ];
  const sets = [[], ...groupings(run)];
  for (const baseQuery of queries) {
    for (const set of sets) run.check(bucketTotals([await fetchFirstPage(run, grouped(baseQuery, set))]));
  }
  for (const baseQuery of await filteredQueries(run)) run.check(bucketTotals([await fetchFirstPage(run, baseQuery)]));
  await run.forAll(
    { baseQuery: questionWithin(month), set: fc.constantFrom(...sets) },
    async ({ baseQuery, set }) => bucketTotals(await fetchPages(run, grouped(baseQuery, set))),
    { runs: scaleRuns(run, 15) },
  );
});

function bucketTotals(pages: readonly Page[]): Mismatch[] {
  return entryMismatches(pages, (entry) =>
    sumFlaws('the sum of its buckets', sumOfItems(entry.timeseries, [entry]), sumOfEntries([entry])),
  );
}

conforms('metrics.sums.total-independent-of-group-by', async (run) => {
  await needFineFigures(run);
  const month = await meteredMonth(run);
  const sets = groupings(run);
  const days = await meteredDays(run, 2);
  const hours = windowOf(endOf(days) - 6 * HOUR, endOf(days));
  for (const baseQuery of [
    { ...month, resolution: 'monthly' },
    { ...days, resolution: 'daily' },
  ])
    for (const set of sets) run.check(await totalAgainstUngrouped(run, baseQuery, set));
  const some = sets.filter((_, at) => at % 5 === 4);
  for (const set of some) run.check(await totalAgainstUngrouped(run, { ...hours }, set));
  await run.forAll(
    { baseQuery: questionWithin(month), set: fc.constantFrom(...sets) },
    ({ baseQuery, set }) => totalAgainstUngrouped(run, baseQuery, set),
    { runs: scaleRuns(run, 15) },
  );
});

async function totalAgainstUngrouped(
  run: Run,
  baseQuery: MetricsQuery,
  set: readonly Dimension[],
): Promise<Mismatch[]> {
  const ungrouped = await fetchFirstPage(run, baseQuery);
  const pages = await fetchPages(run, grouped(baseQuery, set));
  const [all, groups] = [sumOfPrintedFigures(ungrouped.metrics.data), sumOfPrintedFigures(entriesOf(pages))];
  return sumMismatches(`the sum over groupBy=${set.join(',')}`, all, groups, {
    exchange: pages[0]!.exchange,
    relation: set.includes('resource_uuid') ? 'not more' : 'equal',
    costOnly: true,
  });
}

conforms('metrics.sums.coarser-is-sum-of-finer', async (run) => {
  await needFineFigures(run);
  const days = await meteredDays(run, 3);
  const all = [[], ...groupings(run)];
  const finest: readonly Dimension[] = finestGrouping(run);
  const ofFinest = all.filter((set) => set.every((dimension) => finest.includes(dimension)));
  const queries: [MetricsQuery, Dimension[][]][] = [
    [{ ...days, resolution: 'daily' }, all],
    [{ ...windowOf(endOf(days) - 12 * HOUR, endOf(days) - 6 * HOUR), resolution: 'hourly' }, all],
    [{ ...windowOf(endOf(days) - 6 * HOUR, endOf(days) - 2 * HOUR) }, ofFinest],
  ];
  for (const [baseQuery, sets] of queries) {
    const pagesBySet = new Map<string, readonly Page[]>();
    for (const set of sets) pagesBySet.set(set.join(), await fetchPages(run, grouped(baseQuery, set)));
    for (const fine of sets) {
      for (const dropped of fine) {
        const coarse = fine.filter((dimension) => dimension !== dropped);
        run.check(coarseningMismatches(pagesBySet.get(coarse.join())!, coarse, pagesBySet.get(fine.join())!, dropped));
      }
    }
  }
});

function coarseningMismatches(
  coarsePages: readonly Page[],
  coarse: readonly Dimension[],
  finePages: readonly Page[],
  dropped: Dimension,
): Mismatch[] {
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

conforms('metrics.sums.split-windows-add-up', async (run) => {
  await needFineFigures(run);
  const month = await meteredMonth(run);
  const months = windowOf(firstOfMonth(endOf(month), -3), firstOfMonth(endOf(month)));
  const sets = [[], ...groupings(run)];
  await run.forAll(
    {
      baseQuery: fc.oneof(
        askedAt(windowWithin(month, HOUR, 2 * DAY), 'hourly'),
        askedAt(windowWithin(month, DAY, 10 * DAY), 'daily'),
        askedAt(windowWithin(month, DAY, 31 * DAY), 'weekly'),
        askedAt(windowWithin(months, DAY, 92 * DAY), 'monthly'),
      ),
      at: fc.nat({ max: 100 }),
      set: fc.constantFrom(...sets, [], [], ['resource_type'] as Dimension[]),
    },
    ({ baseQuery, at, set }) => splitMismatches(run, baseQuery, at, set),
    {
      runs: scaleRuns(run, 25),
      examples: [
        { baseQuery: { ...month, resolution: 'daily' }, at: 1, set: [] },
        { baseQuery: { ...windowOf(endOf(month) - WEEK, endOf(month)), resolution: 'hourly' }, at: 100, set: [] },
        { baseQuery: { ...months, resolution: 'monthly' }, at: 0, set: finestGrouping(run) },
        { baseQuery: { ...month, resolution: 'weekly' }, at: 2, set: finestGrouping(run) },
      ],
    },
  );
});

/** Splits the window at a bucket start. A window with a single bucket cannot be split. */
async function splitMismatches(
  run: Run,
  baseQuery: MetricsQuery,
  at: number,
  set: readonly Dimension[],
): Promise<Mismatch[]> {
  const whole = await fetchPages(run, grouped(baseQuery, set));
  const start = Date.parse(baseQuery.startTime!);
  const boundaries = entriesOf(whole)
    .slice(0, 1)
    .flatMap(bucketStarts)
    .filter((boundary) => boundary > start && boundary % 1000 === 0);
  const boundary = boundaries[at % Math.max(1, boundaries.length)];
  if (boundary === undefined) return [];
  const first = await fetchPages(run, grouped({ ...baseQuery, endTime: timestamp(boundary) }, set));
  const second = await fetchPages(run, grouped({ ...baseQuery, startTime: timestamp(boundary) }, set));
  const by = (entries: readonly Entry[]) => figuresBy(requestedFields(set), entries);
  const before = entriesOf(whole).slice(0, 1).flatMap(bucketStarts).indexOf(boundary);
  return figureMismatches(
    `the windows before and after ${timestamp(boundary)} together`,
    by([...entriesOf(first), ...entriesOf(second).map((entry) => later(entry, before))]),
    by(entriesOf(whole)),
    { exchange: whole[0]!.exchange, wholeOnly: !isAligned(baseQuery), costOnly: true },
  );
}

/**
 * Whether the buckets are independent of the start of the window: every query here starts at an hour or at midnight.
 */
const isAligned = ({ resolution }: MetricsQuery): boolean => resolution === 'hourly' || resolution === 'daily';

/** Prepends empty buckets. */
function later({ timeseries, ...entry }: Entry, buckets: number): Entry {
  const before = Array.from({ length: buckets }, () => ({ timestamp: '', cost: 0 }));
  return { ...entry, timeseries: [...before, ...timeseries] };
}

conforms('metrics.sums.resolutions-agree', async (run) => {
  await needFineFigures(run);
  const month = await meteredMonth(run);
  const sets = [[], ...certainGroupings(run).filter(({ length }) => length === 1)];
  const week = await meteredDays(run, 7);
  await run.forAll(
    { window: windowWithin(week, DAY, WEEK), set: fc.constantFrom(...sets) },
    ({ window, set }) => resolutionMismatches(run, window, set, ['hourly', 'daily', 'weekly', 'monthly', undefined]),
    {
      runs: scaleRuns(run, 10),
      examples: [week, windowOf(endOf(week) - DAY, endOf(week))].flatMap((window) =>
        sets.map((set) => ({ window, set })),
      ),
    },
  );
  const months = windowOf(firstOfMonth(endOf(month), -2), firstOfMonth(endOf(month)));
  await run.forAll(
    { window: fc.oneof(fc.constant(months), windowWithin(months, DAY, 80 * DAY)), set: fc.constantFrom(...sets) },
    ({ window, set }) => resolutionMismatches(run, window, set, ['daily', 'weekly', 'monthly', undefined]),
    { runs: scaleRuns(run, 10), examples: [month, months].flatMap((window) => sets.map((set) => ({ window, set }))) },
  );
});

/** The first resolution is the finest; the others are sums of it, in total and in each bucket. */
async function resolutionMismatches(
  run: Run,
  window: Window,
  set: readonly Dimension[],
  resolutions: readonly (string | undefined)[],
): Promise<Mismatch[]> {
  const [finest, ...others] = resolutions;
  const fine = entriesOf(await fetchPages(run, grouped({ ...window, resolution: finest }, set)));
  const of = requestedFields(set);
  const found: Mismatch[] = [];
  for (const resolution of others) {
    const pages = await fetchPages(run, grouped({ ...window, resolution }, set));
    const coarse = entriesOf(pages);
    const { exchange } = pages[0]!;
    const name = `${resolution ?? 'the picked resolution'} against ${finest}`;
    const [wanted, given] = [figuresBy(of, fine), figuresBy(of, coarse)];
    found.push(...figureMismatches(name, wanted, given, { exchange, wholeOnly: true }));
    const items = Map.groupBy(coarse, (entry) => keyOf(entry, of));
    for (const entry of fine) {
      const [twin, ...more] = items.get(keyOf(entry, of)) ?? [];
      if (twin !== undefined && more.length === 0) found.push(...bucketSumMismatches(name, twin, entry, pages[0]!));
    }
  }
  return found.slice(0, 5);
}

conforms('metrics.sums.total-usage', async (run) => {
  const queries = await singleDimensionQueries(run);
  run.need(queries.length > 0, 'a billing dimension with usage');
  let compared = 0;
  for (const baseQuery of queries) {
    const page = await fetchFirstPage(run, baseQuery);
    const { exchange, metrics: response } = page;
    const { totalUsage } = response.summary;
    const { usage: sum } = sumOfPrintedFigures(response.data);
    // metrics.usage.with-billing-dimension checks that both are present.
    if (totalUsage === undefined || sum === undefined || !(await hasAllGroups(run, baseQuery, page))) continue;
    compared += 1;
    const expected = `totalUsage ${sum.value}, the sum of ${baseQuery.billingDimension}`;
    const isNear = near(usage(totalUsage, baseQuery.billingDimension), sum);
    run.check(isNear ? [] : [{ expected, actual: `${totalUsage}`, exchange }]);
  }
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

conforms('metrics.sums.past-is-stable', async (run) => {
  const month = await meteredMonth(run);
  const sets = [[], ...groupings(run)];
  const days = { ...(await meteredDays(run, 2)), resolution: 'daily' };
  await run.forAll(
    { baseQuery: questionWithin(month), set: fc.constantFrom(...sets), limit: fc.constantFrom(undefined, 10) },
    async ({ baseQuery, set, limit }) => {
      const query = grouped({ ...baseQuery, limit }, set);
      const first = await fetchFirstPage(run, query);
      const again = await requestMetrics(run.client, query);
      const refused = status(again, 200);
      if (refused.length > 0) return refused;
      return sameFirstPage(first.metrics, { exchange: again, metrics: parseMetrics(again) }, filledFields(set));
    },
    { runs: scaleRuns(run, 25), examples: sets.map((set) => ({ baseQuery: days, set, limit: undefined })) },
  );
  for (const set of [finestGrouping(run), ['resource_uuid' as const]]) {
    const walks = [];
    for (let count = 0; count < 3; count += 1) walks.push(await fetchPages(run, grouped({ ...days, limit: 50 }, set)));
    const [first = [], ...others] = walks;
    for (const pages of others) run.check(sameGroups(first, pages, filledFields(set)));
  }
});

conforms('metrics.sums.inner-window-not-more', async (run) => {
  const month = await meteredMonth(run);
  const week = await meteredDays(run, 7);
  // Both at the same resolution: if ends are rounded to buckets, the inner window is never rounded beyond the outer
  // one.
  await run.forAll(
    {
      nested: fc.oneof(
        nestedWindows(week, HOUR, DAY, 'hourly'),
        nestedWindows(week, DAY, WEEK, 'hourly'),
        nestedWindows(month, DAY, 31 * DAY, 'daily'),
      ),
      set: fc.constantFrom<Dimension[]>([], [], ['resource_type'], ['billing_dimension']),
    },
    async ({ nested: { outer, inner, resolution }, set }) => {
      const outside = await fetchPages(run, grouped({ ...outer, resolution }, set));
      const inside = await fetchPages(run, grouped({ ...inner, resolution }, set));
      const by = (pages: readonly Page[]) => figuresBy(requestedFields(set), entriesOf(pages));
      const what = `${inner.startTime} to ${inner.endTime} inside ${outer.startTime} to ${outer.endTime}`;
      const costs = { wholeOnly: true, costOnly: true, relation: 'not more' } as const;
      return figureMismatches(what, by(outside), by(inside), { ...costs, exchange: inside[0]!.exchange });
    },
    { runs: scaleRuns(run, 60), examples: innerExamples(week) },
  );
});

/** Single hours, parts of hours and all but one end, each inside the last day. */
function innerExamples(week: Window): { nested: Nested; set: Dimension[] }[] {
  const end = endOf(week);
  const outer = windowOf(end - DAY, end);
  const inside = [
    ...Array.from({ length: 24 }, (_, hour) =>
      windowOf(startOf(outer) + hour * HOUR, startOf(outer) + (hour + 1) * HOUR),
    ),
    windowOf(startOf(outer) + 1000, end),
    windowOf(startOf(outer), end - 1000),
    windowOf(startOf(outer) + 1.5 * HOUR, end - 1.5 * HOUR),
    windowOf(end - HOUR / 4, end - HOUR / 8),
  ];
  return inside.map((inner) => ({ nested: { outer, inner, resolution: 'hourly' }, set: [] }));
}
