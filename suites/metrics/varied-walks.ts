/** Walks of every grouping, also under filters: with and without a limit, and at rotating resolutions. */
import { resolutions } from '../../spec/values.ts';
import type { Resolution } from '../../spec/generated/types.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { requestMetrics, parseMetrics } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { rotate } from '../kit/metrics/request-variants.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { groupings, identified, valueOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { entriesOf, walk } from './pages.ts';
import { brokenWalk, largestGrouping, pagedDays } from './sized-groupings.ts';
import { walkMismatches } from './walk-mismatches.ts';

interface Selection extends MetricsQuery {
  readonly groupBy: string;
  readonly resolution: Resolution;
}

/** What to group by under a filter by each dimension, to get several groups. */
const groupByUnderFilter: Readonly<Record<Dimension, Dimension[]>> = {
  workspace: ['resource_name', 'billing_dimension'],
  resource_type: ['resource_name'],
  resource_name: ['billing_dimension'],
  resource_uuid: ['billing_dimension'],
  billing_dimension: ['resource_name'],
};

/** Every grouping, and one under each filter. Those by three dimensions have a filter too, so that they have fewer groups. */
export async function variedSelections(run: Run): Promise<Selection[]> {
  const { entries } = await largestGrouping(run);
  const filters: Readonly<Record<Dimension, MetricsQuery>> = {
    workspace: widestFilter(entries, 'workspace'),
    resource_type: widestFilter(entries, 'resourceType'),
    resource_name: widestFilter(entries, 'resourceName'),
    resource_uuid: widestFilter(await entriesWithUuid(run), 'resourceUuid'),
    billing_dimension: widestFilter(entries, 'billingDimension'),
  };
  const ofType = widestFilter(entries, 'resourceType', MAX_FILTERED);
  const selections: { set: readonly Dimension[]; filter: MetricsQuery }[] = [
    ...dimensionsFor(run).map((by) => ({ set: groupByUnderFilter[by], filter: filters[by] })),
    ...groupings(run).map((set) => ({ set, filter: set.length === 3 ? ofType : {} })),
  ];
  return rotate(selections, resolutions, 1).map(([{ set, filter }, resolution]) => ({
    ...filter,
    groupBy: set.join(','),
    resolution,
  }));
}

/** Groups of a resource type that fit on one page. */
const MAX_FILTERED = 100;

/** The first page is enough. */
async function entriesWithUuid(run: Run): Promise<readonly Entry[]> {
  const query = { ...(await pagedDays(run)), resolution: 'daily', groupBy: 'resource_uuid,billing_dimension' };
  const exchange = await requestMetrics(run.client, query);
  return exchange.response.status === 200 ? parseMetrics(exchange).data : [];
}

/** Filters by the most frequent value of a field with at most `maxCount` entries; empty if there is none. */
function widestFilter(entries: readonly Entry[], field: Field, maxCount = Infinity): MetricsQuery {
  const byValue = Map.groupBy(entries, (entry) => valueOf(entry, field));
  byValue.delete('');
  const [widest] = [...byValue]
    .filter(([, { length }]) => length <= maxCount)
    .toSorted(([, some], [, others]) => others.length - some.length);
  return widest === undefined ? {} : { [field]: widest[0] };
}

/** Below the default, so that its pages end elsewhere. */
const MAX_LIMIT = 75;

/** Without a limit, every page must follow; with a limit, each of these groups must appear once. */
export async function selectionMismatches(run: Run, selection: Selection): Promise<Mismatch[]> {
  const set = selection.groupBy.split(',') as Dimension[];
  const query = { ...(await pagedDays(run)), ...selection };
  const whole = await walk(run.client, query);
  if (whole.failure !== undefined) return brokenWalk(whole);
  const entries = entriesOf(whole.pages).filter(identified(set));
  if (entries.length < 2) return [];
  const limit = Math.min(MAX_LIMIT, Math.ceil(entries.length / 3));
  return walkMismatches(await walk(run.client, { ...query, limit }), { query, set, entries }, limit);
}
