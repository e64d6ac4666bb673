/** Whether the figures of a target are precise enough to be compared. */
import type { Run } from '../engine/conforms.ts';
import { grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { finestGrouping } from './entries.ts';
import { hasLostCost, isFine, sumOfEntries, sumOfItems } from './figures.ts';
import { meteredDays } from './metered-days.ts';
import { entriesOf, fetchFirstPage, sharedPages } from './pages.ts';
import { sharedValue } from '../engine/shared-values.ts';

const fineFigures = sharedValue<void>();

const MANY_GROUPS = 1000;

/** Throws NotTried if the rounding of the finest groups and of their buckets could hide a wrong sum. */
export const needFineFigures = (run: Run): Promise<void> =>
  fineFigures.get(run, async () => {
    const days = { ...(await meteredDays(run, 2)), resolution: 'daily' };
    const entries = entriesOf(await sharedPages(run, grouped(days, finestGrouping(run))));
    const items = entries.flatMap(({ timeseries }) => timeseries);
    const buckets = sumOfItems(items, entries);
    const groups = sumOfEntries(entries);
    const isPrecise = isFine(buckets) || isFine(groups) || hasLostCost(buckets, groups);
    run.need(
      entries.length === 0 ? await losesGroups(run, days) : isPrecise,
      'costs that are precise enough to be compared',
    );
  });

/** Whether the total cost is too large to be rounded to zero in each of many groups. */
async function losesGroups(run: Run, days: MetricsQuery): Promise<boolean> {
  const { cost: all, ...rest } = sumOfEntries((await fetchFirstPage(run, days)).metrics.data);
  return isFine({ ...rest, cost: { ...all, terms: MANY_GROUPS } });
}
