/** The first page of a metrics query and the one after it, for rules about each page alone. */
import type { Run } from '../engine/conforms.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { fetchFirstPage } from './pages.ts';
import type { Page } from './pages.ts';

/** Only one if the query is not grouped or has no second page. Throws NotTried if one is refused. */
export async function fetchTwoPages(run: Run, query: MetricsQuery): Promise<readonly Page[]> {
  const first = await fetchFirstPage(run, query);
  const { hasMore, nextCursor: cursor } = first.metrics.meta;
  const hasNext = query.groupBy !== undefined && hasMore && cursor !== '';
  return hasNext ? [first, await fetchFirstPage(run, { ...query, cursor })] : [first];
}
