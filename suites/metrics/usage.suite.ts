/** metrics.usage.*: usage is present only if the query groups by billing_dimension, since units do not mix. */
import { billingDimensionTable } from '../../spec/values.ts';
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import type { Mismatch } from '../target/violation.ts';
import { UNUSED_NAME, grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { judgesPages } from '../kit/metrics/seen-metrics.ts';
import type { SeenMetrics } from '../kit/metrics/seen-metrics.ts';
import { rotate } from '../kit/metrics/request-variants.ts';
import { differentGroupings } from './different-groupings.ts';
import { finestGrouping, valueOf } from './entries.ts';
import { everyPair } from './every-pair.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { entryMismatches, formatValue } from './entry-mismatches.ts';
import type { Difference } from '../target/violation.ts';
import { meteredQueries } from './metered-days.ts';
import { entriesOf, fetchFirstPage, fetchPages } from './pages.ts';
import type { Page } from './pages.ts';
import { fetchTwoPages } from './two-pages.ts';

interface Expectation {
  readonly expected: string;
  readonly fits: (usage: unknown) => boolean;
}

const present: Expectation = { expected: 'a finite number', fits: Number.isFinite };
/** Adding and dividing floating-point numbers may leave an error. */
const ROUNDING_NOISE = 1e-6;

const whole: Expectation = {
  expected: 'a whole number, since it counts discrete events',
  fits: (usage) => typeof usage === 'number' && Math.abs(usage - Math.round(usage)) <= ROUNDING_NOISE,
};
const absent: Expectation = { expected: 'absent', fits: (usage) => usage === undefined };

function usageMismatches(pages: readonly Page[], { expected, fits }: Expectation): Mismatch[] {
  const flaw = (where: string, usage: unknown): Difference[] =>
    fits(usage) ? [] : [{ expected: `${where}: ${expected}`, actual: formatValue(usage) }];
  return [
    ...pages.flatMap(({ exchange, metrics }) =>
      flaw('summary.totalUsage', metrics.summary.totalUsage).map((flawFound) => ({ ...flawFound, exchange })),
    ),
    ...entryMismatches(pages, ({ summary, timeseries }) => [
      ...flaw('summary.usage', summary.usage),
      ...timeseries.flatMap(({ usage }, at) => flaw(`timeseries[${at}].usage`, usage)),
    ]),
  ];
}

/** Few and many buckets at every resolution and at the picked one. */
async function usageQueries(run: Run): Promise<MetricsQuery[]> {
  const { hourly, daily, weekly, monthly, picked } = await meteredQueries(run);
  return [hourly, daily, weekly, monthly, picked];
}

async function checkGroupings(run: Run, sets: readonly (readonly Dimension[])[], expected: Expectation): Promise<void> {
  // The order of dimensions does not matter, so some lists are reversed.
  const queries = everyPair(sets, await usageQueries(run)).map(([set, baseQuery], at) =>
    grouped(baseQuery, at % 2 === 0 ? set : set.toReversed()),
  );
  await run.forEach(queries, async (query) => usageMismatches(await fetchTwoPages(run, query), expected));
}

/** One filter of each kind with a value that has cost, and a resource type with a single unit. */
async function filtersThatMatch(run: Run, query: MetricsQuery): Promise<MetricsQuery[]> {
  const page = await fetchFirstPage(run, grouped(query, finestGrouping(run)));
  const first = run.need(page.metrics.data[0], 'a group with cost');
  const byType = entriesOf(await fetchPages(run, { ...query, groupBy: 'resource_type' }));
  const ofOneUnit = byType.map((group) => valueOf(group, 'resourceType')).find((type) => dimensionsOf(type) === 1);
  return [
    ...(['resourceType', 'resourceName', 'billingDimension'] as const).map((field) => ({
      [field]: valueOf(first, field),
    })),
    ...(ofOneUnit === undefined ? [] : [{ resourceType: ofOneUnit }]),
  ];
}

const dimensionsOf = (type: string): number =>
  Object.values(billingDimensionTable).filter(({ resourceType }) => resourceType === type).length;

/** Every filter with every grouping, rotating the queries. */
async function checkFiltered(run: Run, sets: readonly (readonly Dimension[])[], expected: Expectation): Promise<void> {
  const { daily } = await meteredQueries(run);
  const filters = [...(await filtersThatMatch(run, daily)), { resourceName: UNUSED_NAME }];
  const queries = [daily, ...(await usageQueries(run)), { ...daily, resolution: undefined }];
  const filtered = rotate(everyPair(sets, filters), queries, 1).map(([[set, filter], baseQuery]) =>
    grouped({ ...baseQuery, ...filter }, set),
  );
  await run.forEach(filtered, async (query) => usageMismatches([await fetchFirstPage(run, query)], expected));
}

const withUsage = (run: Run) => differentGroupings(run).filter((set) => set.includes('billing_dimension'));
const withoutUsage = (run: Run) => [[], ...differentGroupings(run).filter((set) => !set.includes('billing_dimension'))];

const hasUsage = ({ groupBy }: SeenMetrics): boolean => groupBy.includes('billing_dimension');

judgesPages('metrics.usage.with-billing-dimension', (page) =>
  hasUsage(page) ? usageMismatches([page], present) : undefined,
);

conforms('metrics.usage.with-billing-dimension', async (run) => {
  await checkGroupings(run, withUsage(run), present);
  await checkFiltered(run, withUsage(run), present);
});

judgesPages('metrics.usage.absent-otherwise', (page) => (hasUsage(page) ? undefined : usageMismatches([page], absent)));

conforms('metrics.usage.absent-otherwise', async (run) => {
  await checkGroupings(run, withoutUsage(run), absent);
  // A single selected billing dimension has one unit, and still no usage unless the query groups by it.
  await checkFiltered(run, withoutUsage(run), absent);
});

const isCounted = (dimension: string | undefined): boolean =>
  Object.entries(billingDimensionTable).some(([name, { unit }]) => name === dimension && unit === 'count');

judgesPages('metrics.usage.counts-are-whole', (page, seen) => {
  if (!hasUsage(page)) return undefined;
  // The total may have several units.
  const isTotalCounted = isCounted(seen.parameter('billingDimension'));
  const summary = isTotalCounted ? page.metrics.summary : { ...page.metrics.summary, totalUsage: 0 };
  const data = page.metrics.data.filter(({ billingDimension }) => isCounted(billingDimension));
  return usageMismatches([{ ...page, metrics: { ...page.metrics, summary, data } }], whole);
});

conforms('metrics.usage.counts-are-whole', async (run) => {
  const counted = Object.entries(billingDimensionTable).filter(([, { unit }]) => unit === 'count');
  const { daily, monthly } = await meteredQueries(run);
  const baseQueries = await usageQueries(run);
  let isUsed = false;
  const notWhole = async (query: MetricsQuery): Promise<Mismatch[]> => {
    const page = await fetchFirstPage(run, query);
    isUsed ||= page.metrics.data.some(({ summary }) => Number(summary.usage) > 0);
    return usageMismatches([page], whole);
  };
  for (const [billingDimension] of counted) {
    const ofDimension = { groupBy: 'billing_dimension', billingDimension };
    run.check(await notWhole({ ...monthly, ...ofDimension }));
    const queries = [
      ...baseQueries.map((baseQuery) => ({ ...baseQuery, ...ofDimension })),
      ...withUsage(run).map((set) => grouped({ ...daily, billingDimension }, set)),
    ];
    await run.forEach(queries, notWhole);
  }
  run.need(isUsed, 'usage that is counted in discrete events');
});
