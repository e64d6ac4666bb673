/** Queries of groups without a limit and with limits from 1 to 100, in few pages each. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import type { Run } from '../engine/conforms.ts';
import { drawn } from './related-queries.ts';
import type { RelatedQueries } from './related-queries.ts';
import { groupingFor, smallGrouping } from './sized-groupings.ts';
import type { PagedGrouping } from './sized-groupings.ts';

const { maxLimit } = requirement('metrics.pagination.limit-clamped').values;

/** The most different ones first. */
const boundaries = [1, 7, 2, 10, maxLimit, 64, 3, 50, maxLimit - 1, 25];

/** Limits at which the last page is full or has one group, and others. */
export async function limitWalks(run: Run): Promise<RelatedQueries[]> {
  const small = await smallGrouping(run);
  const others = [...boundaries, ...drawn(run, fc.integer({ min: 1, max: maxLimit }))];
  return [
    ...exactLimits(small.entries.length).map((limit) => limited(small, limit)),
    ...(await Promise.all(others.map(async (limit) => limited(await groupingFor(run, limit), limit)))),
  ];
}

const limited = ({ query }: PagedGrouping, limit: number): RelatedQueries => [query, { ...query, limit }];

/** Limits relative to the number of groups: one full page, two, one page and one group, one page that is not full, three. */
function exactLimits(count: number): number[] {
  const relative = [count, Math.floor(count / 2), count - 1, count + 1, Math.ceil(count / 3)];
  return [...new Set(relative)].filter((limit) => limit >= 1 && limit <= maxLimit);
}
