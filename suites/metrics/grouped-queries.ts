/** Every grouping over a few days with cost. */
import type { Run } from '../engine/conforms.ts';
import { grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { rotate } from '../kit/metrics/request-variants.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { groupings } from './entries.ts';
import { meteredQueries } from './metered-days.ts';
import type { MeteredQueries } from './metered-days.ts';

export interface GroupedQuery {
  readonly set: readonly Dimension[];
  readonly query: MetricsQuery;
}

/** Every grouping once, rotating these resolutions. */
export async function groupedQueries(
  run: Run,
  resolutions: readonly (keyof MeteredQueries)[],
): Promise<GroupedQuery[]> {
  const queries = await meteredQueries(run);
  return rotate(groupings(run), resolutions, 1).map(([set, resolution]) => ({
    set,
    query: grouped(queries[resolution], set),
  }));
}
