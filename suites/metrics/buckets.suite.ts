/** metrics.buckets.*: the buckets of each timeseries. */
import { observeAlignment } from './bucket-alignment.ts';
import * as fc from 'fast-check';
import type { AccountMetricsDataEntry, Resolution } from '../../spec/generated/types.ts';
import { requirement } from '../../spec/requirements/index.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import { billingDimensions } from '../../spec/values.ts';
import { judgedOn } from '../engine/traffic.ts';
import { metricsTraffic } from './metrics-traffic.ts';
import { conforms, observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { scaleRuns } from '../engine/for-all.ts';
import type { Mismatch } from '../target/violation.ts';
import { instantOf } from '../expect/instant.ts';
import { isRefused } from '../expect/status.ts';
import { groupByOf } from '../kit/generators/dimension-set.ts';
import { alignedWindow, resolvedWindow } from '../kit/generators/window.ts';
import type { ResolvedWindow } from '../kit/generators/window.ts';
import type { Exchange } from '../target/client.ts';
import { grouped, parseMetrics, requestMetrics } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { judges } from '../judge/judgement.ts';
import { judgesPages, judgesShape, pagesBefore, seenMetrics } from '../kit/metrics/seen-metrics.ts';
import { isPast, windowIn } from '../kit/metrics/seen-query.ts';
import { finestGrouping } from './entries.ts';
import { meteredQueries } from './metered-days.ts';
import { fetchFirstPage } from './pages.ts';
import type { Page } from './pages.ts';
import { bucketEnd, bucketStarts, isAligned, isResolution } from './buckets.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import { acrossClockChanges, calendarEdgeWindows, fixedWindows } from './edge-case-windows.ts';
import {
  DAY,
  HOUR,
  lastOf,
  WEEK,
  endOf,
  firstOfMonth,
  pastWindow,
  pastWithData,
  startOf,
  timestamp,
  windowOf,
} from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

interface BucketCase {
  exchange: Exchange;
  window: Window;
  resolution: Resolution;
  entry: AccountMetricsDataEntry;
}

/** Additions of a case to the common windows. */
interface CheckOptions {
  windows?: ResolvedWindow[];
  /** Tested with one window, in addition to generated filters. */
  filters?: readonly Partial<MetricsQuery>[];
  /** Further parameters of generated queries. */
  filter?: fc.Arbitrary<Partial<MetricsQuery>>;
}

/** Checks every entry of generated windows, ungrouped and grouped. */
async function checkEveryEntry(
  run: Run,
  check: (entry: BucketCase) => Mismatch[],
  options: CheckOptions = {},
): Promise<void> {
  const byDimension = fc.constantFrom(...billingDimensions).map((billingDimension) => ({ billingDimension }));
  const { windows = [], filters = [], filter = fc.oneof(fc.constant({}), byDimension) } = options;
  const latest = endOf(pastWindow(run));
  const byWindow = (requested: ResolvedWindow) => ({ requested, grouping: {}, filter: {} });
  await checkWeek(run, check);
  await run.forAll(
    {
      requested: resolvedWindow(pastWindow(run)),
      grouping: fc.oneof(
        fc.constant({}),
        groupByOf(dimensionsFor(run)).map((groupBy) => ({ groupBy, limit: 5 })),
      ),
      filter,
    },
    async ({ requested: { window, resolution }, grouping, filter: filterParameters }) => {
      const exchange = await requestMetrics(run.client, { ...window, resolution, ...grouping, ...filterParameters });
      const metrics = parseMetrics(exchange);
      const applied = resolution ?? metrics.resolution;
      if (!isResolution(applied)) return [{ expected: 'a resolution', actual: String(applied), exchange }];
      return metrics.data.flatMap((entry) => check({ exchange, window, resolution: applied, entry }));
    },
    {
      examples: [
        ...fixedWindows(latest).map(byWindow),
        ...filters.map((each) => ({
          requested: { window: lastOf(pastWindow(run), WEEK), resolution: 'daily' as const },
          grouping: {},
          filter: each,
        })),
        // Last, because their number depends on the date.
        ...[...windows, ...calendarEdgeWindows(latest)].map(byWindow),
      ],
    },
  );
}

/** Throws NotTried if a week has no timeseries of several buckets: then other windows prove nothing. */
async function checkWeek(run: Run, check: (entry: BucketCase) => Mismatch[]): Promise<void> {
  const end = endOf(pastWindow(run));
  const [window, resolution] = [windowOf(end - WEEK, end), 'daily'] as const;
  const exchange = await requestMetrics(run.client, { ...window, resolution });
  const { data } = parseMetrics(exchange);
  run.check(data.flatMap((entry) => check({ exchange, window, resolution, entry })));
  const hasSeveralBuckets = data.some((entry) => bucketStarts(entry).length > 1);
  run.need(hasSeveralBuckets, 'a timeseries of several buckets');
}

/**
 * Judges every entry of a page. Not of windows that are not over, with fractions of a second, or of months from day 29 to 31,
 * whose buckets are not documented.
 */
function judgesEveryEntry(rule: MustId, check: (entry: BucketCase) => Mismatch[]): void {
  judgesPages(rule, ({ exchange, metrics }, seen) => {
    const { resolution, data } = metrics;
    const sent = windowIn(seen);
    const isEchoed = [undefined, resolution].includes(seen.parameter('resolution') as Resolution | undefined);
    if (sent?.isExact !== true || !isResolution(resolution) || !isEchoed || !isPast(seen)) return undefined;
    if (resolution === 'monthly' && new Date(sent.start).getUTCDate() > 28) return undefined;
    const window = windowOf(sent.start, sent.end);
    return data.flatMap((entry) => check({ exchange, window, resolution, entry })).slice(0, MAX_MISMATCHES);
  });
}

const MAX_MISMATCHES = 5;

const { maxLimit } = requirement('metrics.pagination.limit-clamped').values;

const oneForEachStep = ({ exchange, entry, window, resolution }: BucketCase): Mismatch[] => [
  ...itemMismatches(entry, exchange),
  ...missingBuckets(bucketStarts(entry), window, resolution, exchange),
];

judgesEveryEntry('metrics.buckets.one-per-step-zeros-included', oneForEachStep);
judgesShape('metrics.buckets.one-per-step-zeros-included');

conforms('metrics.buckets.one-per-step-zeros-included', async (run) => {
  await checkEveryEntry(run, oneForEachStep);
  await judgedOn(metricsTraffic, 'a timeseries')(run);
  // Long before anything was metered: no activity, and still one bucket per step.
  await run.forAll(
    {
      window: alignedWindow('daily', Date.UTC(2004, 0)),
      resolution: fc.constantFrom('daily' as const, 'weekly' as const),
    },
    async ({ window, resolution }) => {
      const exchange = await requestMetrics(run.client, { ...window, resolution });
      // A target may refuse times before it existed.
      if (isRefused(exchange)) return [];
      return parseMetrics(exchange).data.flatMap((entry) => [
        ...oneForEachStep({ exchange, entry, window, resolution }),
        ...costlyBuckets(entry, exchange),
      ]);
    },
    { runs: scaleRuns(run, 20) },
  );
});

function costlyBuckets({ timeseries }: AccountMetricsDataEntry, exchange: Exchange): Mismatch[] {
  return timeseries
    .filter(({ cost }) => cost !== 0)
    .map(({ timestamp: text, cost }) => ({
      expected: `cost 0 at ${text}`,
      actual: JSON.stringify(cost) ?? 'none',
      exchange,
    }));
}

/** Format and order of the items; missingBuckets checks their instants. */
function itemMismatches({ timeseries }: AccountMetricsDataEntry, exchange: Exchange): Mismatch[] {
  const instants = timeseries.map(({ timestamp: text }) => instantOf(text));
  return timeseries.flatMap(({ timestamp: text, cost }, at) => {
    const [before, instant] = [instants[at - 1], instants[at]];
    const found: Mismatch[] = [];
    if (instant === undefined)
      found.push({ expected: 'an RFC 3339 timestamp', actual: JSON.stringify(text) ?? 'none', exchange });
    if (instant !== undefined && before !== undefined && instant <= before) {
      found.push({ expected: `a timestamp after ${timestamp(before)}`, actual: text, exchange });
    }
    if (!Number.isFinite(cost))
      found.push({ expected: `a cost at ${text}`, actual: JSON.stringify(cost) ?? 'none', exchange });
    return found;
  });
}

/** Each instant of the window is in a returned bucket. The first bucket may start before the window. */
function missingBuckets(
  starts: readonly number[],
  window: Window,
  resolution: Resolution,
  exchange: Exchange,
): Mismatch[] {
  const end = endOf(window);
  const [first] = starts;
  if (first === undefined || first > startOf(window)) {
    return [
      {
        expected: `a bucket that holds ${window.startTime}`,
        actual: first === undefined ? 'none' : timestamp(first),
        exchange,
      },
    ];
  }
  return starts.flatMap((start, at) => {
    const until = Math.min(starts[at + 1] ?? end, end);
    const wholeEnd = bucketEnd(start, resolution);
    return until <= wholeEnd
      ? []
      : [{ expected: `a bucket by ${timestamp(wholeEnd)}`, actual: `none before ${timestamp(until)}`, exchange }];
  });
}

judgesEveryEntry('metrics.buckets.step-lengths', stepMismatches);

conforms('metrics.buckets.step-lengths', async (run) => {
  await checkEveryEntry(run, stepMismatches, { windows: acrossClockChanges(endOf(pastWindow(run))) });
});

function stepMismatches({ exchange, window, resolution, entry }: BucketCase): Mismatch[] {
  const starts = bucketStarts(entry);
  return starts.slice(1).flatMap((next, at) => {
    const whole = bucketEnd(starts[at]!, resolution);
    const mayBeShorter = at === 0 && !isAligned(startOf(window), resolution);
    if (next === whole || (mayBeShorter && next < whole)) return [];
    return [{ expected: `${timestamp(whole)} after ${timestamp(starts[at]!)}`, actual: timestamp(next), exchange }];
  });
}

/** The end of the last year that is over, in months. */
function endOfYear(latest: number): ResolvedWindow {
  const year = new Date(latest).getUTCFullYear();
  return { window: windowOf(Date.UTC(year - 1, 10), Date.UTC(year, 0)), resolution: 'monthly' };
}

conforms('metrics.buckets.cover-the-window', async (run) => {
  const latest = endOf(pastWindow(run));
  const windows = [endOfYear(latest), ...incompleteLastBuckets(firstOfMonth(latest))];
  await checkEveryEntry(run, boundsMismatches, { windows });
});

judgesEveryEntry('metrics.buckets.cover-the-window', boundsMismatches);

function boundsMismatches({ exchange, window, resolution, entry }: BucketCase): Mismatch[] {
  const starts = bucketStarts(entry);
  const exact = isAligned(startOf(window), resolution) && isAligned(endOf(window), resolution);
  const expected = exact ? wholeBuckets(window, resolution) : undefined;
  const bounds = [
    ...missingBuckets(starts, window, resolution, exchange),
    ...outsideBuckets(starts, window, resolution, exchange),
  ];
  if (expected === undefined) return bounds;
  const { length } = entry.timeseries;
  const count = length === expected ? [] : [{ expected: `${expected} buckets`, actual: String(length), exchange }];
  const first =
    starts[0] === startOf(window)
      ? []
      : [{ expected: `first bucket ${window.startTime}`, actual: formatInstant(starts[0]), exchange }];
  return [...count, ...first, ...bounds];
}

/** Windows that begin with a bucket and end within one. */
const incompleteLastBuckets = (month: number): ResolvedWindow[] => [
  { window: windowOf(month - 3 * DAY, month - 18 * HOUR), resolution: 'daily' },
  { window: windowOf(month - 5 * HOUR, month - HOUR / 2), resolution: 'hourly' },
];

function wholeBuckets(window: Window, resolution: Resolution): number {
  let count = 0;
  for (let start = startOf(window); start < endOf(window); start = bucketEnd(start, resolution)) count += 1;
  return count;
}

/** Buckets that do not overlap the window. */
function outsideBuckets(
  starts: readonly number[],
  window: Window,
  resolution: Resolution,
  exchange: Exchange,
): Mismatch[] {
  return starts
    .filter((start) => start >= endOf(window) || bucketEnd(start, resolution) <= startOf(window))
    .map((start) => ({ expected: 'only buckets that overlap the window', actual: timestamp(start), exchange }));
}

function formatInstant(instant: number | undefined): string {
  return instant === undefined ? 'none' : timestamp(instant);
}

judges('metrics.buckets.same-for-all-groups', 'getAccountMetrics', (seen, facts) => {
  const page = seenMetrics(seen, facts);
  const before =
    pagesBefore(seen, facts)
      ?.slice(-1)
      .map(({ exchange }) => exchange) ?? [];
  return page && otherBuckets([...before.map(pageOf), page]);
});

conforms('metrics.buckets.same-for-all-groups', async (run) => {
  const past = await pastWithData(run);
  const names = dimensionsFor(run);
  const whole: ResolvedWindow = { window: past, resolution: undefined };
  const single = ['resource_type', 'billing_dimension', 'resource_name'].map((groupBy) => ({
    requested: whole,
    groupBy,
    limit: 2,
  }));
  const latest = endOf(past);
  const finest = ['resource_name', 'billing_dimension'].filter((name) => names.some((each) => each === name)).join();
  // Many groups on several pages.
  const many = [61, 31].map((days) => ({
    requested: { window: windowOf(latest - days * DAY, latest), resolution: 'weekly' as const },
    groupBy: finest,
    limit: 20,
  }));
  const examples = [...single, ...many];
  const { daily } = await meteredQueries(run);
  const { metrics } = await fetchFirstPage(run, grouped(daily, finestGrouping(run)));
  run.need(metrics.data.length > 1, 'a grouping with several groups');
  await run.forAll(
    {
      requested: resolvedWindow(past),
      groupBy: groupByOf(names),
      limit: fc.constantFrom<number[]>(2, 7, 40, maxLimit),
    },
    async ({ requested: { window, resolution }, groupBy, limit }) =>
      otherBuckets(await somePages(run, { ...window, resolution, groupBy, limit })),
    { examples },
  );
});

/** Groups whose buckets differ from those of the first group. */
function otherBuckets(pages: readonly Page[]): Mismatch[] {
  const entries = entriesOf(pages);
  const expectedStarts = entries[0] === undefined ? '' : bucketStarts(entries[0].entry).join();
  return entries
    .filter(({ entry }) => bucketStarts(entry).join() !== expectedStarts)
    .map(({ entry, exchange }) => ({ expected: 'the buckets of the first group', actual: summary(entry), exchange }));
}

/** At most four pages. */
async function somePages(run: Run, query: MetricsQuery): Promise<Page[]> {
  const pages = [pageOf(await requestMetrics(run.client, query))];
  while (pages.length < 4) {
    const { hasMore, nextCursor } = pages.at(-1)!.metrics.meta;
    if (!hasMore) break;
    pages.push(pageOf(await requestMetrics(run.client, { ...query, cursor: nextCursor })));
  }
  return pages;
}

const pageOf = (exchange: Exchange): Page => ({ exchange, metrics: parseMetrics(exchange) });

const entriesOf = (pages: readonly Page[]): { entry: AccountMetricsDataEntry; exchange: Exchange }[] =>
  pages.flatMap(({ exchange, metrics }) => metrics.data.map((entry) => ({ entry, exchange })));

function summary(entry: AccountMetricsDataEntry): string {
  const starts = bucketStarts(entry);
  return `${starts.length} buckets from ${formatInstant(starts[0])} to ${formatInstant(starts.at(-1))}`;
}

judgesEveryEntry('metrics.buckets.end-exclusive', bucketsAfterEnd);

conforms('metrics.buckets.end-exclusive', async (run) => {
  const filters = ['sandbox', 'agent', 'job', 'mcp_server', 'volume'].map((resourceType) => ({ resourceType }));
  const filter = fc.oneof(fc.constant({}), fc.constantFrom(...filters));
  await checkEveryEntry(run, bucketsAfterEnd, { filter, filters });
});

function bucketsAfterEnd({ exchange, window, entry }: BucketCase): Mismatch[] {
  return bucketStarts(entry)
    .filter((start) => start >= endOf(window))
    .map((start) => ({ expected: `buckets before ${window.endTime}`, actual: timestamp(start), exchange }));
}

observes('metrics.buckets.alignment', observeAlignment);
