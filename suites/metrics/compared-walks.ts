/** Compares walks in anybody's traffic: every page of two queries of the same caller for settled windows. */
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { differOnlyIn } from '../kit/metrics/seen-metrics.ts';
import type { Relation, SeenWalk } from '../kit/metrics/seen-metrics.ts';
import { DAY, HOUR } from '../kit/metrics/windows.ts';
import { ifConclusive } from '../judge/judgement.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Mismatch } from '../target/violation.ts';
import { bucketSumMismatches } from './bucket-sums.ts';
import { bucketStarts } from './buckets.ts';
import { enrichmentOf, fieldOf, filledFields, identified, keyOf, requestedFields, valueOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { figureMismatches, figuresBy, sumMismatches, sumOfPrintedFigures } from './figures.ts';
import { entriesOf } from './pages.ts';
import { sameFirstPage, sameGroups } from './same-response.ts';

const exchangeOf = ({ pages }: SeenWalk) => pages[0]!.exchange;
const all = ({ pages }: SeenWalk): Entry[] => entriesOf(pages);
const groupByOf = ({ seen }: SeenWalk): string | undefined => seen.parameter('groupBy');
const resolutionOf = ({ pages }: SeenWalk): string => pages[0]!.metrics.resolution;

/** The same query, sent again. */
export const isRepeated: Relation = (earlier, walk, facts) =>
  groupByOf(earlier) === groupByOf(walk) && differOnlyIn()(earlier, walk, facts);

/** The same query with its dimensions in another order. */
export const isReordered: Relation = (earlier, walk, facts) =>
  groupByOf(earlier) !== groupByOf(walk) && differOnlyIn()(earlier, walk, facts);

/** The same groups and figures, on whichever page. */
export function sameWalk(earlier: SeenWalk, walk: SeenWalk): Mismatch[] {
  const of = filledFields(walk.set);
  return [
    ...sameFirstPage(earlier.pages[0]!.metrics, walk.pages[0]!, of),
    ...(walk.pages.length + earlier.pages.length > 2 ? sameGroups(earlier.pages, walk.pages, of) : []),
  ];
}

/** The same query with another limit. */
export const hasOtherLimit: Relation = (earlier, walk, facts) =>
  earlier.seen.parameter('limit') !== walk.seen.parameter('limit') && differOnlyIn('limit')(earlier, walk, facts);

/** Groups that only one of them has. */
export function otherGroups(earlier: SeenWalk, walk: SeenWalk): Mismatch[] {
  const of = filledFields(walk.set);
  const [expected, found] = [earlier, walk].map(
    (each) =>
      new Set(
        all(each)
          .filter(identified(walk.set))
          .map((entry) => keyOf(entry, of)),
      ),
  ) as [Set<string>, Set<string>];
  const exchange = walk.pages.at(-1)!.exchange;
  return [...expected.symmetricDifference(found)].slice(0, MAX_MISMATCHES).map((key) => ({
    expected: `${key} on ${expected.has(key) ? 'one' : 'no'} page, as with another limit`,
    actual: expected.has(key) ? 'on none' : 'on one',
    exchange,
  }));
}

const MAX_MISMATCHES = 5;

/** Groups that occur on several pages. */
export function repeatedGroups({ pages, set }: SeenWalk): Mismatch[] {
  const of = filledFields(set);
  const groups = Map.groupBy(entriesOf(pages).filter(identified(set)), (entry) => keyOf(entry, of));
  const repeated = [...groups].filter(([, entries]) => entries.length > 1).slice(0, MAX_MISMATCHES);
  const exchange = pages.at(-1)!.exchange;
  return repeated.map(([key, { length }]) => ({ expected: `${key} on one page`, actual: `${length} times`, exchange }));
}

/** Figures of the groups, each counted once. */
export function otherFigures(earlier: SeenWalk, walk: SeenWalk): Mismatch[] {
  const of = filledFields(walk.set);
  const figures = (each: SeenWalk) => {
    const groups = new Map(
      all(each)
        .filter(identified(walk.set))
        .map((entry) => [keyOf(entry, of), entry]),
    );
    return figuresBy(of, [...groups.values()]);
  };
  const exchange = exchangeOf(walk);
  return figureMismatches('another limit', figures(earlier), figures(walk), { exchange, relation: 'same' });
}

const sizeOf = ({ set }: SeenWalk): number => set.length;
const inOrder = (one: SeenWalk, other: SeenWalk, isFirst: (one: SeenWalk, other: SeenWalk) => boolean) =>
  isFirst(one, other) ? [one, other] : [other, one];

/** One of them is not grouped. */
export const isGroupedToo: Relation = (earlier, walk, facts) =>
  Math.min(sizeOf(earlier), sizeOf(walk)) === 0 &&
  sizeOf(earlier) !== sizeOf(walk) &&
  differOnlyIn('groupBy', 'limit')(earlier, walk, facts);

/** Undefined if the only group has the whole total. */
export function otherTotal(earlier: SeenWalk, walk: SeenWalk): Judged {
  const [whole, groups] = inOrder(earlier, walk, (one) => sizeOf(one) === 0) as [SeenWalk, SeenWalk];
  const [expected, found] = [whole, groups].map((each) => sumOfPrintedFigures(all(each)));
  const mismatches = sumMismatches(`the sum over groupBy=${groups.set.join(',')}`, expected!, found!, {
    exchange: exchangeOf(walk),
    relation: groups.set.includes('resource_uuid') ? 'not more' : 'equal',
    costOnly: true,
  });
  return ifConclusive(mismatches, all(groups).length > 1);
}

const isFinerByOne = (fine: SeenWalk, coarse: SeenWalk): boolean =>
  sizeOf(fine) === sizeOf(coarse) + 1 && coarse.set.every((name) => fine.set.includes(name));

/** One of them has one dimension more. */
export const isCoarser: Relation = (earlier, walk, facts) =>
  (isFinerByOne(earlier, walk) || isFinerByOne(walk, earlier)) &&
  differOnlyIn('groupBy', 'limit')(earlier, walk, facts);

/** Undefined if the finer grouping divides no group. */
export function otherSums(earlier: SeenWalk, walk: SeenWalk): Judged {
  const [fine, coarse] = inOrder(earlier, walk, isFinerByOne) as [SeenWalk, SeenWalk];
  const dropped = fine.set.find((name) => !coarse.set.includes(name))!;
  const by = (each: SeenWalk) => figuresBy(requestedFields(coarse.set), all(each).filter(identified(coarse.set)));
  const name = `groupBy=${coarse.set.join(',')} from the groups by ${dropped} too`;
  const mismatches = figureMismatches(name, by(coarse), by(fine), {
    exchange: exchangeOf(walk),
    relation: dropped === 'resource_uuid' ? 'not more' : 'equal',
  });
  return ifConclusive(mismatches, all(fine).length > all(coarse).length);
}

const isOfWholeDays = ({ window }: SeenWalk): boolean => window.start % DAY === 0 && window.end % DAY === 0;
const ranks = ['hourly', 'daily', 'weekly', 'monthly'];
const isFinerInTime = (one: SeenWalk, other: SeenWalk): boolean =>
  ranks.indexOf(resolutionOf(one)) < ranks.indexOf(resolutionOf(other));

/** The same query at another resolution, for whole days. Not by instance: resources without an id may be omitted. */
export const hasOtherResolution: Relation = (earlier, walk, facts) =>
  isOfWholeDays(walk) &&
  resolutionOf(earlier) !== resolutionOf(walk) &&
  !walk.set.includes('resource_uuid') &&
  differOnlyIn('resolution', 'limit')(earlier, walk, facts);

export function otherBucketSums(earlier: SeenWalk, walk: SeenWalk): Mismatch[] {
  const [fine, coarse] = inOrder(earlier, walk, isFinerInTime) as [SeenWalk, SeenWalk];
  const of = requestedFields(walk.set);
  const exchange = exchangeOf(walk);
  const name = `${resolutionOf(coarse)} against ${resolutionOf(fine)}`;
  const totals = figureMismatches(name, figuresBy(of, all(fine)), figuresBy(of, all(coarse)), {
    exchange,
    wholeOnly: true,
  });
  const twins = Map.groupBy(all(coarse), (entry) => keyOf(entry, of));
  const buckets = all(fine).flatMap((entry) => {
    const [twin, ...more] = twins.get(keyOf(entry, of)) ?? [];
    return twin === undefined || more.length > 0 ? [] : bucketSumMismatches(name, twin, entry, walk.pages[0]!);
  });
  return [...totals, ...buckets].slice(0, MAX_MISMATCHES);
}

const contains = ({ window: outer }: SeenWalk, { window: inner }: SeenWalk): boolean =>
  outer.start <= inner.start && inner.end <= outer.end;

/** The same query at the same resolution for a part of the window. Not by instance, as above. */
export const isNested: Relation = (earlier, walk, facts) =>
  (contains(earlier, walk) || contains(walk, earlier)) &&
  resolutionOf(earlier) === resolutionOf(walk) &&
  !walk.set.includes('resource_uuid') &&
  differOnlyIn('startTime', 'endTime', 'resolution', 'limit')(earlier, walk, facts);

export function higherCosts(earlier: SeenWalk, walk: SeenWalk): Mismatch[] {
  const [outer, inner] = inOrder(earlier, walk, contains) as [SeenWalk, SeenWalk];
  const by = (each: SeenWalk) => figuresBy(requestedFields(walk.set), all(each));
  const what = [inner, outer].map(({ seen }) => `${seen.parameter('startTime')} to ${seen.parameter('endTime')}`);
  return figureMismatches(what.join(' inside '), by(outer), by(inner), {
    exchange: exchangeOf(walk),
    wholeOnly: true,
    costOnly: true,
    relation: 'not more',
  });
}

/** The same query at the same requested resolution for any other window. */
export const isOfOtherWindow: Relation = (earlier, walk, facts) =>
  walk.seen.parameter('resolution') !== undefined &&
  differOnlyIn('startTime', 'endTime', 'limit')(earlier, walk, facts);

/** Two of the walks that are the parts of a third one, split at a bucket boundary; one of the three is the newest. */
export function splitMismatches(earlier: readonly SeenWalk[], walk: SeenWalk): Mismatch[] | undefined {
  const walks = [...earlier, walk];
  const triples = walks.flatMap((whole) => {
    const starts = all(whole).slice(0, 1).flatMap(bucketStarts);
    const firsts = walks.filter(({ window }) => window.start === whole.window.start && starts.includes(window.end));
    const seconds = walks.filter(({ window }) => window.end === whole.window.end && starts.includes(window.start));
    return firsts.flatMap((first) =>
      seconds
        .filter((second) => second.window.start === first.window.end && [whole, first, second].includes(walk))
        .map((second) => ({ whole, first, second, at: starts.indexOf(second.window.start) })),
    );
  });
  if (triples.length === 0) return undefined;
  return triples.slice(-MAX_TRIPLES).flatMap(({ whole, first, second, at }) => {
    const by = (entries: readonly Entry[]) => figuresBy(requestedFields(walk.set), entries);
    const unit = { hourly: HOUR, daily: DAY }[resolutionOf(walk)];
    return figureMismatches(
      `the windows before and after ${second.seen.parameter('startTime')} together`,
      by([...all(first), ...all(second).map((entry) => prependBuckets(entry, at))]),
      by(all(whole)),
      { exchange: exchangeOf(whole), wholeOnly: unit === undefined || whole.window.start % unit !== 0 },
    );
  });
}

const MAX_TRIPLES = 2;

/** Prepends empty buckets. */
function prependBuckets({ timeseries, ...entry }: Entry, buckets: number): Entry {
  const usage = timeseries[0]?.usage === undefined ? {} : { usage: 0 };
  const before = Array.from({ length: buckets }, () => ({ timestamp: '', cost: 0, ...usage }));
  return { ...entry, timeseries: [...before, ...timeseries] };
}

const filters = Object.values(fieldOf);
const filtersOf = ({ seen }: SeenWalk): Field[] => filters.filter((name) => seen.parameter(name) !== undefined);
const dimensionOf = (field: Field): Dimension =>
  (Object.keys(fieldOf) as Dimension[]).find((name) => fieldOf[name] === field)!;

/** The filters that only the newest walk has. */
const furtherFilters = (earlier: SeenWalk, walk: SeenWalk): Field[] =>
  filtersOf(walk).filter((name) => earlier.seen.parameter(name) === undefined);

/** The fields of a grouping that have one value in each group. An instance has one workspace, name and type. */
const certainFields = (set: readonly Dimension[]): Field[] => [
  ...requestedFields(set),
  ...(['resource_uuid', 'billing_dimension'] as const)
    .filter((name) => set.includes(name))
    .flatMap((name) => enrichmentOf[name]),
];

/** The same window with fewer filters, grouped so that each group has one value for each further filter and dimension. */
export const isWhole: Relation = (earlier, walk, facts) => {
  const further = furtherFilters(earlier, walk);
  const needed = [...further.map(dimensionOf), ...walk.set];
  const isKnown = (field: Field): boolean =>
    earlier.set.includes(dimensionOf(field)) ||
    all(earlier)
      .filter(identified(earlier.set))
      .every((entry) => valueOf(entry, field) !== '');
  return (
    further.length > 0 &&
    walk.set.every((name) => earlier.set.includes(name)) &&
    further.every((field) => certainFields(earlier.set).includes(field) && isKnown(field)) &&
    // Resources without an id may be omitted.
    (!earlier.set.includes('resource_uuid') || needed.includes('resource_uuid')) &&
    differOnlyIn('groupBy', 'limit', 'resolution', ...further)(earlier, walk, facts)
  );
};

const matchingEntries = (earlier: SeenWalk, walk: SeenWalk): Entry[] =>
  all(earlier)
    .filter(identified(earlier.set))
    .filter((entry) =>
      furtherFilters(earlier, walk).every((name) => valueOf(entry, name) === walk.seen.parameter(name)),
    );

/** Nothing has the values of the filters. A grouping by instance may omit resources without an id. */
export const isUnmatched: Relation = (earlier, walk, facts) =>
  (!earlier.set.includes('resource_uuid') || filtersOf(walk).includes('resourceUuid')) &&
  isWhole(earlier, walk, facts) &&
  matchingEntries(earlier, walk).length === 0;

/** Undefined if the whole has no other group than the slice. */
export function otherSlice(earlier: SeenWalk, walk: SeenWalk): Judged {
  const matching = matchingEntries(earlier, walk);
  const of = requestedFields(walk.set);
  const found = all(walk).filter(identified(walk.set));
  if (matching.length === 0) return undefined;
  const name = `the slice of groupBy=${earlier.set.join(',')}`;
  const mismatches = figureMismatches(name, figuresBy(of, matching), figuresBy(of, found), {
    exchange: exchangeOf(walk),
    wholeOnly: resolutionOf(earlier) !== resolutionOf(walk),
  });
  return ifConclusive(mismatches, matching.length < all(earlier).length);
}
