/** metrics.usage.*: usage is present only if the query groups by billing_dimension, since units do not mix. */
import { judgedOn } from '../engine/traffic.ts';
import { metricsTraffic } from './metrics-traffic.ts';
import { billingDimensionTable } from '../../spec/values.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch } from '../target/violation.ts';
import { judgesPages } from '../kit/metrics/seen-metrics.ts';
import type { SeenMetrics } from '../kit/metrics/seen-metrics.ts';
import { entryMismatches, formatValue } from './entry-mismatches.ts';
import type { Difference } from '../target/violation.ts';
import type { Page } from './pages.ts';

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

const hasUsage = ({ groupBy }: SeenMetrics): boolean => groupBy.includes('billing_dimension');

judgesPages('metrics.usage.with-billing-dimension', (page) =>
  hasUsage(page) ? usageMismatches([page], present) : undefined,
);

conforms('metrics.usage.with-billing-dimension', judgedOn(metricsTraffic, 'a response grouped by billing_dimension'));

judgesPages('metrics.usage.absent-otherwise', (page) => (hasUsage(page) ? undefined : usageMismatches([page], absent)));

// A single selected billing dimension has one unit, and still no usage unless the query groups by it.
conforms('metrics.usage.absent-otherwise', judgedOn(metricsTraffic, 'a response not grouped by billing_dimension'));

const isCounted = (dimension: string | undefined): boolean =>
  Object.entries(billingDimensionTable).some(([name, { unit }]) => name === dimension && unit === 'count');

judgesPages('metrics.usage.counts-are-whole', (page, seen) => {
  if (!hasUsage(page)) return undefined;
  // The total may have several units.
  const isTotalCounted = isCounted(seen.parameter('billingDimension'));
  const summary = isTotalCounted ? page.metrics.summary : { ...page.metrics.summary, totalUsage: 0 };
  const data = page.metrics.data.filter(({ billingDimension }) => isCounted(billingDimension));
  if (!data.some(({ summary: { usage } }) => usage !== 0)) return undefined;
  return usageMismatches([{ ...page, metrics: { ...page.metrics, summary, data } }], whole);
});

conforms('metrics.usage.counts-are-whole', judgedOn(metricsTraffic, 'usage that is counted in discrete events'));
