/** metrics.cost.*: cost is in every entry and every bucket. */
import { conforms } from '../engine/conforms.ts';
import { grouped } from '../kit/metrics/ask.ts';
import { groupings } from './entries.ts';
import type { Entry } from './entries.ts';
import { onEveryEntry, shown } from './every-entry.ts';
import type { Flaw } from '../target/violation.ts';
import { meteredDays, meteredMonth } from './metered-days.ts';
import { entriesOf, firstPageOf, pagesOf } from './pages.ts';
import { DAY, lastOf } from '../kit/metrics/windows.ts';

/** What binary fractions may leave of a difference that is zero. */
const NOISE = 1e-9;

function flawsOf({ summary, timeseries }: Entry): Flaw[] {
  const costs: [string, unknown][] = [
    ['summary.cost', summary.cost],
    ...timeseries.map(({ cost }, at): [string, unknown] => [`timeseries[${at}].cost`, cost]),
  ];
  return costs
    .filter(([, cost]) => typeof cost !== 'number' || !Number.isFinite(cost) || cost < -NOISE)
    .map(([where, cost]) => ({ expected: `${where}, a finite number that is not negative`, actual: shown(cost) }));
}

conforms('metrics.cost.always-there', async (run) => {
  const week = await meteredDays(run, 7);
  const month = await meteredMonth(run);
  const day = lastOf(week, DAY);
  const questions = [
    { ...day, resolution: 'hourly', limit: 25 },
    { ...week, resolution: 'daily' },
    { ...month, resolution: 'weekly' },
    { ...month, resolution: 'monthly' },
  ];
  for (const question of questions) {
    for (const set of [[], ...groupings(run)]) {
      const page = await firstPageOf(run, grouped(question, set));
      run.check(onEveryEntry([page], flawsOf));
    }
  }
  const pages = await pagesOf(run, { ...week, resolution: 'daily', groupBy: 'resource_name,billing_dimension' });
  run.check(onEveryEntry(pages, flawsOf));
  for (const { resourceType } of entriesOf(await pagesOf(run, { ...day, groupBy: 'resource_type' }))) {
    if (resourceType === undefined) continue;
    run.check(onEveryEntry([await firstPageOf(run, { ...day, resourceType })], flawsOf));
  }
});
