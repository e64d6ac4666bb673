/** Every grouping over a few days with cost. */
import type { Run } from '../engine/conforms.ts';
import { grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { rotate } from '../kit/metrics/request-variants.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { groupings } from './entries.ts';
import { meteredDays } from './metered-days.ts';
import { HOUR, lastOf } from '../kit/metrics/windows.ts';

export interface GroupedQuery {
  readonly set: readonly Dimension[];
  readonly query: MetricsQuery;
}

/** Whether a window of days would have many buckets. */
const hasManyBuckets = (resolution: string | undefined): boolean => resolution === 'hourly' || resolution === undefined;

/** Every grouping once, rotating these resolutions. Undefined omits the parameter. */
export async function groupedQueries(run: Run, resolutions: readonly (string | undefined)[]): Promise<GroupedQuery[]> {
  const days = await meteredDays(run, 2);
  return rotate(groupings(run), resolutions, 1).map(([set, resolution]) => {
    const window = hasManyBuckets(resolution) ? lastOf(days, 8 * HOUR) : days;
    return { set, query: grouped({ ...window, resolution }, set) };
  });
}
