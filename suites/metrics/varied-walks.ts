/** Queries of every grouping without a limit, and in three pages. */
import type { Run } from '../engine/conforms.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { rotate } from '../kit/metrics/request-variants.ts';
import { grouped } from '../kit/metrics/request.ts';
import { differentGroupings } from './different-groupings.ts';
import { identified } from './entries.ts';
import { entriesOf, sharedWalk } from './pages.ts';
import { baseQueries, fewGroups } from './related-queries.ts';
import type { RelatedQueries } from './related-queries.ts';

/** Below the default, so that its pages end elsewhere. */
const MAX_LIMIT = 75;

/** Every grouping at one of the resolutions, and two dimensions in pages of the default length. */
export async function variedWalks(run: Run): Promise<RelatedQueries[]> {
  const { always, inTurn } = await baseQueries(run);
  const ofEach = rotate(differentGroupings(run), [...always, ...inTurn], 1).map(async ([set, base]) => {
    const query = grouped({ ...(await fewGroups(run, base, set)), limit: undefined }, set);
    const { length } = entriesOf((await sharedWalk(run, query)).pages).filter(identified(set));
    const limit = Math.min(MAX_LIMIT, Math.ceil(length / 3));
    return length < 2 ? [query] : [query, { ...query, limit }];
  });
  const ofNames: Dimension[] = ['resource_name', 'billing_dimension'];
  return [...(await Promise.all(ofEach)), [grouped(always[0], ofNames)]];
}
