/** Filters that match: each alone and in pairs, with the values of one entry with cost. */
import type { Run } from '../engine/conforms.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { rotate } from '../kit/rotate.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import { mostExpensive, fieldOf, finestGrouping, identified, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { meteredDays } from './metered-days.ts';
import { fetchFirstPage } from './pages.ts';
import type { Window } from '../kit/metrics/windows.ts';
import { sharedValues } from '../engine/shared-values.ts';

const filtersByWindow = sharedValues<MetricsQuery[]>();

/** Within days with cost. Empty if no group with cost has a name. */
export const matchingFilters = (run: Run, days: Window): Promise<MetricsQuery[]> =>
  filtersByWindow.get(run, `${days.startTime} ${days.endTime}`, async () => {
    const entry = await mostExpensiveIn(run, days);
    if (entry === undefined) return [];
    const named = dimensionsFor(run)
      .map((dimension) => fieldOf[dimension])
      .filter((field) => valueOf(entry, field) !== '')
      .map((field): MetricsQuery => ({ [field]: valueOf(entry, field) }));
    const pairs = named.map((filter, at) => ({ ...filter, ...named[(at + 1) % named.length] }));
    return [...named, ...pairs];
  });

/** On the first page; by uuid, if any entry has one. */
async function mostExpensiveIn(run: Run, days: Window): Promise<Entry | undefined> {
  for (const set of [['resource_uuid' as const, 'billing_dimension' as const], finestGrouping(run)]) {
    const { metrics } = await fetchFirstPage(run, { ...days, resolution: 'daily', groupBy: set.join(',') });
    const entry = mostExpensive(metrics.data.filter(identified(set)));
    if (entry !== undefined && entry.summary.cost > 0) return entry;
  }
  return undefined;
}

/** Groupings, resolutions and page sizes to combine with filters. */
const requestOptions: readonly MetricsQuery[] = [
  { groupBy: 'resource_type', resolution: 'daily' },
  { groupBy: 'billing_dimension', resolution: 'hourly', limit: 5 },
  { groupBy: 'resource_uuid', resolution: 'weekly' },
  { resolution: 'monthly' },
  { groupBy: 'resource_type,billing_dimension', limit: 1 },
  { groupBy: 'resource_name', resolution: 'monthly' },
  {},
];

/** Without a filter and with each matching one, over a few days: groupings, resolutions and limits rotate. */
export async function filteredQueries(run: Run): Promise<MetricsQuery[]> {
  const days = await meteredDays(run, 2);
  const filters = [{}, ...(await matchingFilters(run, days))];
  return rotate(filters, requestOptions, 2).map(([filter, requestOption]) => ({
    ...days,
    ...filter,
    ...requestOption,
  }));
}
