/** Queries of every grouping without a limit, and in three pages. */
import type { Run } from '../engine/conforms.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { entriesOf, sharedWalk } from './pages.ts';
import { baseQueries, everyGrouping } from './related-queries.ts';
import type { RelatedQueries } from './related-queries.ts';

/** Below the default, so that its pages end elsewhere. */
const MAX_LIMIT = 75;

/** Every grouping at one of the resolutions, and two dimensions in pages of the default length. */
export async function variedQueries(run: Run): Promise<MetricsQuery[]> {
  const { always } = await baseQueries(run);
  const ofNames: Dimension[] = ['resource_name', 'billing_dimension'];
  return [...(await everyGrouping(run)), grouped(always[0], ofNames)].map((query) => ({ ...query, limit: undefined }));
}

/** The query, and the same with a limit. */
export async function inThreePages(run: Run, query: MetricsQuery): Promise<RelatedQueries> {
  const { length } = entriesOf((await sharedWalk(run, query)).pages);
  const limit = Math.min(MAX_LIMIT, Math.ceil(length / 3));
  return length < 2 ? [query] : [query, { ...query, limit }];
}
