/** metrics.cost.*: every entry and every bucket has a cost. */
import { conforms } from '../engine/conforms.ts';
import { judgedOn } from '../engine/traffic.ts';
import { judges } from '../judge/judgement.ts';
import { judgesShape, seenMetrics } from '../kit/metrics/seen-metrics.ts';
import type { Entry } from './entries.ts';
import { entryMismatches, formatValue } from './entry-mismatches.ts';
import { metricsTraffic } from './metrics-traffic.ts';
import type { Difference } from '../target/violation.ts';

/** Floating-point error of a difference that is zero. */
const ROUNDING_NOISE = 1e-9;

function costFlaws({ summary, timeseries }: Entry): Difference[] {
  const costs: [string, unknown][] = [
    ['summary.cost', summary.cost],
    ...timeseries.map(({ cost }, at): [string, unknown] => [`timeseries[${at}].cost`, cost]),
  ];
  return costs
    .filter(([, cost]) => typeof cost !== 'number' || !Number.isFinite(cost) || cost < -ROUNDING_NOISE)
    .map(([where, cost]) => ({
      expected: `${where}, a finite number that is not negative`,
      actual: formatValue(cost),
    }));
}

judges('metrics.cost.always-there', 'getAccountMetrics', (seen, facts) => {
  const page = seenMetrics(seen, facts);
  return page && entryMismatches([page], costFlaws);
});
judgesShape('metrics.cost.always-there');

conforms('metrics.cost.always-there', judgedOn(metricsTraffic, 'a metrics response'));
