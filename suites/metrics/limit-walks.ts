/** Walks with limits from 1 to 100, whose responses several rules check: each walk is sent once per run. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedWalk } from './pages.ts';
import type { Walk } from './pages.ts';
import { groupingFor, smallGrouping } from './sized-groupings.ts';
import type { PagedGrouping } from './sized-groupings.ts';

const { maxLimit } = requirement('metrics.pagination.limit-clamped').values;

/** The most different ones first. */
const boundaries = [
  [1, 7, 2, 10, maxLimit, 64, 3, 50, maxLimit - 1, 5, 25, 9, 20, 75, 16, 33],
  [4, 6, 8, 11, 12, 13, 14, 15, 17, 19, 31, 32, 37, 51, 63, 65, 90],
].flat();

/** Walks with limits at which the last page is full or has one group, and with any limit, in few pages each. */
export async function checkLimitWalks(
  run: Run,
  check: (walked: Walk, grouped: PagedGrouping, limit: number) => Mismatch[],
): Promise<void> {
  const small = await smallGrouping(run);
  const walkMismatches = async (grouped: PagedGrouping, limit: number): Promise<Mismatch[]> =>
    check(await sharedWalk(run, { ...grouped.query, limit }), grouped, limit);
  await run.forEach(exactLimits(small.entries.length), (limit) => walkMismatches(small, limit));
  await run.forAll(
    { limit: fc.integer({ min: 1, max: maxLimit }) },
    async ({ limit }) => walkMismatches(await groupingFor(run, limit), limit),
    { examples: boundaries.map((limit) => ({ limit })) },
  );
}

/** Limits relative to the number of groups: one full page, two, one page and one group, one page that is not full, three. */
function exactLimits(count: number): number[] {
  const relative = [count, Math.floor(count / 2), count - 1, count + 1, Math.ceil(count / 3)];
  return [...new Set(relative)].filter((limit) => limit >= 1 && limit <= maxLimit);
}
