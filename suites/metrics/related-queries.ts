/** Metrics queries that many rules send, and whose responses must fit together: each is walked to its end once per run. */
import * as fc from 'fast-check';
import { limits } from '../../spec/values.ts';
import type { Run } from '../engine/conforms.ts';
import { drawnCount } from '../engine/for-all.ts';
import { sharedValue, sharedValues } from '../engine/shared-values.ts';
import { judgedOn } from '../engine/traffic.ts';
import { queryWithin } from '../kit/generators/metrics-query.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { fieldOf, finestGrouping, groupings, keyOf, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { rotate } from '../kit/rotate.ts';
import type { Exchange } from '../target/exchange.ts';
import { differentGroupings } from './different-groupings.ts';
import { meteredMonth, meteredQueries } from './metered-days.ts';
import { entriesOf, sharedWalk, walk } from './pages.ts';
import type { Walk } from './pages.ts';

/** In the order in which they are sent and judged. */
export type RelatedQueries = readonly MetricsQuery[];

/** Ungrouped queries of the month with cost. */
export interface BaseQueries {
  /** Two days, the month, and a few hours without a resolution: grouped by each dimension. */
  readonly always: readonly [daily: MetricsQuery, monthly: MetricsQuery, picked: MetricsQuery];
  /** The other resolutions, and windows that the seed decides. */
  readonly inTurn: readonly MetricsQuery[];
}

/** What the seed decides. */
export const drawn = <T>(run: Run, values: fc.Arbitrary<T>): T[] =>
  fc.sample(values, { seed: run.seed, numRuns: drawnCount(run) });

const baseQueriesOfRun = sharedValue<BaseQueries>({ keepsErrors: false });

export const baseQueries = (run: Run): Promise<BaseQueries> =>
  baseQueriesOfRun.get(run, async () => {
    const { daily, monthly, picked, hourly, weekly } = await meteredQueries(run);
    const others = drawn(run, queryWithin(await meteredMonth(run)));
    return { always: [daily, monthly, picked], inTurn: [hourly, weekly, ...others] };
  });

/**
 * The query with a filter by a dimension that the grouping does not have, so that it has few groups: with several values of each of
 * its dimensions, on one page if possible, as many as fit.
 */
export async function fewGroups(run: Run, base: MetricsQuery, set: readonly Dimension[]): Promise<MetricsQuery> {
  const limit = Number(base.limit ?? limits.metricsPageMax);
  const filter = await filtersOfRun.get(run, `${set.join()} ${limit}`, () => filterFor(run, set, limit));
  return { ...base, ...filter };
}

/** By grouping and length of a page. */
const filtersOfRun = sharedValues<MetricsQuery>({ keepsErrors: false });

async function filterFor(run: Run, set: readonly Dimension[], limit: number): Promise<MetricsQuery> {
  const entries = await finestEntries(run);
  const names = certainDimensions.filter((name) => !set.includes(name) && dimensionsFor(run).includes(name));
  const parts = names.flatMap((name) =>
    [...Map.groupBy(entries, (entry) => valueOf(entry, fieldOf[name]))]
      .filter(([value]) => value !== '')
      .map(([value, part]) => ({ filter: { [fieldOf[name]]: value }, part })),
  );
  const counted = [{ filter: {}, part: entries }, ...parts].map(({ filter, part }) => {
    const count = groupCount(part, set);
    // A name or a billing dimension may decide the type: then every group has the same one.
    const isVaried = set.every((name) => groupCount(part, [name]) > 1);
    return { filter, ranks: [isVaried ? 0 : 1, count <= limit ? 0 : 1, count <= limit ? -count : count] };
  });
  const [best] = counted.toSorted(
    (one, other) => one.ranks.map((rank, at) => rank - other.ranks[at]!).find((difference) => difference !== 0) ?? 0,
  );
  return best!.filter;
}

/** Every resource has a value for each of them. */
const certainDimensions: readonly Dimension[] = ['resource_type', 'workspace', 'billing_dimension', 'resource_name'];

const groupCount = (entries: readonly Entry[], set: readonly Dimension[]): number =>
  // A resource has one uuid and one name.
  new Set(
    entries.map((entry) =>
      keyOf(
        entry,
        set.map((name) => (name === 'resource_uuid' ? 'resourceName' : fieldOf[name])),
      ),
    ),
  ).size;

const finestEntriesOfRun = sharedValue<readonly Entry[]>({ keepsErrors: false });

const finestEntries = (run: Run): Promise<readonly Entry[]> =>
  finestEntriesOfRun.get(run, async () => {
    const { always } = await baseQueries(run);
    return entriesOf((await sharedWalk(run, grouped(always[0], finestGrouping(run)))).pages);
  });

/** Every grouping, with few groups, of one of the queries in turn. */
export async function everyGrouping(run: Run): Promise<MetricsQuery[]> {
  const { always, inTurn } = await baseQueries(run);
  const pairs = rotate(differentGroupings(run), [...always, ...inTurn], 1);
  return Promise.all(pairs.map(async ([set, base]) => grouped(await fewGroups(run, base, set), set)));
}

/** The same, each after the query without groupBy, and some groupings without a filter. */
export async function groupedAfterUngrouped(run: Run): Promise<RelatedQueries[]> {
  const { always } = await baseQueries(run);
  const small = groupings(run).filter(
    (set) => set.length === 1 || (set.length === 2 && !set.includes('resource_uuid')),
  );
  const unfiltered = [
    ...always.flatMap((base) => small.map((set) => grouped(base, set))),
    grouped(always[0], finestGrouping(run)),
  ];
  return [...(await everyGrouping(run)), ...unfiltered].map((query) => [ungrouped(query), query]);
}

const ungrouped = (query: MetricsQuery): MetricsQuery => ({ ...query, groupBy: undefined, limit: undefined });

const QUICK_COUNT = 12;

/**
 * A case that walks related queries to their ends and lets its rule judge every page, in order. Not tried if the rule says nothing
 * about any of them: `needed` is what the target lacks then.
 */
export const judgedOnWalks = (
  queriesOf: (run: Run) => Promise<readonly RelatedQueries[]>,
  needed: string,
): ((run: Run) => Promise<void>) =>
  judgedOn({ requests: queriesOf, quickCount: QUICK_COUNT, send: sendWalks, smaller: withoutParts }, needed);

/** The same, for queries that depend on responses: those of each request are determined when it is its turn. */
export const judgedOnDerivedWalks = <Request>(
  requestsOf: (run: Run) => Promise<readonly Request[]>,
  queriesOf: (run: Run, request: Request) => Promise<RelatedQueries>,
  needed: string,
): ((run: Run) => Promise<void>) => {
  const send = async (run: Run, request: Request): Promise<Exchange[]> => sendWalks(run, await queriesOf(run, request));
  return judgedOn({ requests: requestsOf, quickCount: QUICK_COUNT, send, smaller: () => [] }, needed);
};

/** The same, for queries that are sent again: one after the other, because other requests may renew what a server keeps. */
export const judgedOnRepeated = (
  queriesOf: (run: Run) => Promise<readonly MetricsQuery[]>,
  needed: string,
): ((run: Run) => Promise<void>) =>
  judgedOn(
    { requests: queriesOf, quickCount: QUICK_COUNT, isSequential: true, send: sendAgain, smaller: () => [] },
    needed,
  );

const sendAgain = async (run: Run, query: MetricsQuery): Promise<Exchange[]> => [
  ...(await sendWalks(run, [query])),
  ...exchangesOf(await walk(run.client, query)),
];

async function sendWalks(run: Run, queries: RelatedQueries): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const query of queries) exchanges.push(...exchangesOf(await sharedWalk(run, query)));
  return exchanges;
}

/** Also of a page that was refused. */
function exchangesOf({ pages, failure }: Walk): Exchange[] {
  const sent = pages.map(({ exchange }) => exchange);
  return failure === undefined || sent.includes(failure.exchange) ? sent : [...sent, failure.exchange];
}

/** Without a parameter that all of them have, other than the window. */
function withoutParts(queries: RelatedQueries): RelatedQueries[] {
  const [first = {}] = queries;
  const common = Object.keys(first).filter(
    (name) => !['startTime', 'endTime'].includes(name) && queries.every((query) => query[name] === first[name]),
  );
  return common
    .filter((name) => first[name] !== undefined)
    .map((name) => queries.map((query) => ({ ...query, [name]: undefined })));
}
