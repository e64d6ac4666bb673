/** metrics.cost.*: every entry and every bucket has a cost. */
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import { seenMetrics } from '../kit/metrics/seen-metrics.ts';
import { grouped } from '../kit/metrics/request.ts';
import { differentGroupings } from './different-groupings.ts';
import { finestGrouping } from './entries.ts';
import type { Entry } from './entries.ts';
import { entryMismatches, formatValue } from './entry-mismatches.ts';
import { everyPair } from './every-pair.ts';
import type { Difference } from '../target/violation.ts';
import { meteredDays, meteredQueries } from './metered-days.ts';
import { entriesOf, fetchFirstPage, fetchPages } from './pages.ts';
import { fetchTwoPages } from './two-pages.ts';

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

judges('metrics.cost.always-there', 'getAccountMetrics', (seen) => {
  const page = seenMetrics(seen);
  return page && entryMismatches([page], costFlaws);
});

conforms('metrics.cost.always-there', async (run) => {
  const { hourly, daily, weekly, monthly } = await meteredQueries(run);
  const day = await meteredDays(run, 1);
  const sets = [[], ...differentGroupings(run)];
  const groupedQueries = everyPair(sets, [hourly, daily, weekly, monthly]).map(([set, query]) => grouped(query, set));
  const byType = entriesOf(await fetchPages(run, { ...daily, groupBy: 'resource_type' }));
  const ofOneType = byType.flatMap(({ resourceType }) =>
    resourceType === undefined ? [] : [{ ...day, resourceType }],
  );
  for (const list of [groupedQueries, ofOneType])
    await run.forEach(list, async (query) => entryMismatches([await fetchFirstPage(run, query)], costFlaws));
  const ofManyGroups = await fetchTwoPages(run, grouped(daily, finestGrouping(run)));
  run.check(entryMismatches(ofManyGroups, costFlaws));
});
