/** Queries for one billing dimension, which has one unit, so that its usages add up. */
import { resolutions } from '../../spec/values.ts';
import type { Run } from '../engine/conforms.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { rotate } from '../kit/rotate.ts';
import { differentGroupings } from './different-groupings.ts';
import { fieldOf, finestGrouping, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { everyPair } from './every-pair.ts';
import { meteredDays } from './metered-days.ts';
import { entriesOf, sharedPages } from './pages.ts';

export interface SingleDimensionQuery extends MetricsQuery {
  readonly billingDimension: string;
}

export interface SingleDimensionQueries {
  /** One for each billing dimension with usage; the resolutions rotate. */
  readonly ofOneGroup: readonly SingleDimensionQuery[];
  /** For each: every grouping by it and another dimension, every resolution, and one with a further filter. */
  readonly ofSeveralGroups: readonly SingleDimensionQuery[];
}

export async function singleDimensionQueries(run: Run): Promise<SingleDimensionQueries> {
  const days = await meteredDays(run, 2);
  const daily = { ...days, resolution: 'daily' };
  const entries = entriesOf(await sharedPages(run, { ...daily, groupBy: finestGrouping(run).join(',') }));
  const used = Map.groupBy(entries, (entry) => valueOf(entry, 'billingDimension'));
  used.delete('');
  const lists = differentGroupings(run)
    .filter((set) => set.includes('billing_dimension') && set.length > 1)
    .map((set) => set.join(','));
  const names = [...used.keys()];
  const filtered = [...used].map(([billingDimension, [entry]], at) => ({
    ...daily,
    ...anotherFilter(run, entry!, at),
    groupBy: lists[at % lists.length]!,
    billingDimension,
  }));
  const byResolution = rotate(everyPair(names, [undefined, ...resolutions]), lists, 1);
  return {
    ofOneGroup: rotate(names, [...resolutions, undefined], 1).map(([billingDimension, resolution]) => ({
      ...days,
      resolution,
      groupBy: 'billing_dimension',
      billingDimension,
    })),
    ofSeveralGroups: [
      ...filtered,
      ...byResolution.map(([[billingDimension, resolution], groupBy]) => ({
        ...days,
        resolution,
        groupBy,
        billingDimension,
      })),
      ...everyPair(names, lists).map(([billingDimension, groupBy]) => ({ ...daily, groupBy, billingDimension })),
    ],
  };
}

/** Filters by a value of an entry with usage. */
function anotherFilter(run: Run, entry: Entry, at: number): MetricsQuery {
  const named = finestGrouping(run).filter((dimension) => dimension !== 'billing_dimension');
  const field = [...named.map((dimension) => fieldOf[dimension]), 'resourceType' as const][at % (named.length + 1)]!;
  const value = valueOf(entry, field);
  return value === '' ? {} : { [field]: value };
}
