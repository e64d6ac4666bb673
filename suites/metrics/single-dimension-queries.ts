/** Queries for one billing dimension, which has one unit, so that its usages add up. */
import { resolutions } from '../../spec/values.ts';
import type { Run } from '../engine/conforms.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { rotate } from '../kit/metrics/request-variants.ts';
import { fieldOf, finestGrouping, groupings, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { meteredDays } from './metered-days.ts';
import { entriesOf, fetchPages } from './pages.ts';

export interface SingleDimensionQuery extends MetricsQuery {
  readonly billingDimension: string;
}

/** For each billing dimension with usage: every grouping by it, every resolution, and one with a further filter. */
export async function singleDimensionQueries(run: Run): Promise<SingleDimensionQuery[]> {
  const days = await meteredDays(run, 2);
  const daily = { ...days, resolution: 'daily' };
  const entries = entriesOf(await fetchPages(run, { ...daily, groupBy: finestGrouping(run).join(',') }));
  const used = Map.groupBy(entries, (entry) => valueOf(entry, 'billingDimension'));
  used.delete('');
  const lists = groupings(run)
    .filter((set) => set.includes('billing_dimension'))
    .map((set) => set.join(','));
  return [...used].flatMap(([billingDimension, [entry]], at) => [
    ...lists.map((groupBy) => ({ ...daily, groupBy, billingDimension })),
    ...rotate([undefined, ...resolutions], lists.slice(at % lists.length), 1).map(([resolution, groupBy]) => ({
      ...days,
      resolution,
      groupBy,
      billingDimension,
    })),
    { ...daily, ...anotherFilter(run, entry!, at), groupBy: lists[at % lists.length]!, billingDimension },
  ]);
}

/** Filters by a value of an entry with usage. */
function anotherFilter(run: Run, entry: Entry, at: number): MetricsQuery {
  const named = finestGrouping(run).filter((dimension) => dimension !== 'billing_dimension');
  const field = [...named.map((dimension) => fieldOf[dimension]), 'resourceType' as const][at % (named.length + 1)]!;
  const value = valueOf(entry, field);
  return value === '' ? {} : { [field]: value };
}
