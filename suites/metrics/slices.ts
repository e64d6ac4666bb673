/** Queries with filters: the slices of groupings, each after the whole grouping. */
import * as fc from 'fast-check';
import type { Run } from '../engine/conforms.ts';
import { grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { differentGroupings } from './different-groupings.ts';
import { fieldOf, finestGrouping, groupings, identified, keyOf, requestedFields, valueOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { rotate } from '../kit/rotate.ts';
import { everyPair } from './every-pair.ts';
import { meteredQueries } from './metered-days.ts';
import { entriesOf, sharedWalk } from './pages.ts';
import { baseQueries, drawn, fewGroups } from './related-queries.ts';
import type { RelatedQueries } from './related-queries.ts';

/** A grouping of a query, and the dimensions by which its slice is filtered and grouped. */
interface Slice {
  readonly base: MetricsQuery;
  readonly set: readonly Dimension[];
  readonly filterBy: readonly Dimension[];
  readonly groupBy: readonly Dimension[];
}

/** Filters by each dimension, alone and with others, under every grouping and at every resolution. */
export async function slices(run: Run): Promise<Slice[]> {
  const { always, inTurn } = await baseQueries(run);
  const bases = [...always, ...inTurn];
  const ofEachResolution = Object.values(await meteredQueries(run));
  return [
    ...rotate(slicesOfSets(differentGroupings(run)), bases, 1),
    ...everyPair(slicesOfPairs(run), ofEachResolution),
    ...drawn(run, fc.tuple(anySlice(run), fc.constantFrom(...bases))),
  ].map(([slice, base]) => ({ base, ...slice }));
}

/** The grouping with few groups and the slice of the most expensive one. Empty if none has a value for each filter. */
export async function sliceQueries(run: Run, slice: Slice): Promise<RelatedQueries> {
  const few = { ...slice, base: await fewGroups(run, slice.base, slice.set) };
  const { whole, entries } = await groupsOf(run, few);
  const [entry] = mostExpensiveFirst(entries, slice.filterBy);
  return entry === undefined ? [] : [whole, sliceOf(few, entry)];
}

/** Slices of certain values: each one of a dimension with few, names of each form, and groups with several pages. */
export async function slicesOfValues(run: Run): Promise<RelatedQueries[]> {
  const [daily] = (await baseQueries(run)).always;
  const ofValues = (['billing_dimension', 'resource_type'] as const).map((name) => slicesByEachValue(run, daily, name));
  const rest = [ofNameForms(run, daily), ofAllFilters(run, daily), inTwoPages(run, daily)];
  return (await Promise.all([...ofValues, ...rest])).flat();
}

/** Filters by one dimension and groups by all. */
const slicesOfSets = (sets: readonly Dimension[][]): Omit<Slice, 'base'>[] =>
  sets.map((set, at) => ({ set, filterBy: [set[at % set.length]!], groupBy: set }));

/** Filters by one dimension and groups by another, and filters by both. */
function slicesOfPairs(run: Run): Omit<Slice, 'base'>[] {
  const names = dimensionsFor(run);
  return names.flatMap((name, at) => {
    const next = names[(at + 1) % names.length]!;
    const set = inOrder(run, [name, next]);
    return [
      { set, filterBy: [name], groupBy: [next] },
      { set, filterBy: set, groupBy: [] },
    ];
  });
}

const inOrder = (run: Run, set: readonly Dimension[]): Dimension[] =>
  dimensionsFor(run).filter((name) => set.includes(name));

/** Groupings by resource_uuid may omit resources without one, so the sum over resource_uuid is not compared. */
const anySlice = (run: Run): fc.Arbitrary<Omit<Slice, 'base'>> =>
  fc
    .constantFrom(...groupings(run))
    .chain((set) =>
      fc
        .record({ set: fc.constant(set), filterBy: fc.subarray(set, { minLength: 1 }), groupBy: fc.subarray(set) })
        .filter(
          ({ filterBy, groupBy }) =>
            !set.includes('resource_uuid') || [...filterBy, ...groupBy].includes('resource_uuid'),
        ),
    );

interface Groups {
  readonly whole: MetricsQuery;
  /** Those that can be identified. */
  readonly entries: readonly Entry[];
}

async function groupsOf(run: Run, { base, set }: Pick<Slice, 'base' | 'set'>): Promise<Groups> {
  const whole = grouped({ ...base, limit: undefined }, set);
  return { whole, entries: entriesOf((await sharedWalk(run, whole)).pages).filter(identified(set)) };
}

/** Those that have a value for each of the dimensions. */
const mostExpensiveFirst = (entries: readonly Entry[], by: readonly Dimension[]): Entry[] =>
  entries
    .filter((entry) => requestedFields(by).every((field) => valueOf(entry, field) !== ''))
    .toSorted((one, other) => other.summary.cost - one.summary.cost);

const filterOf = (entry: Entry, by: readonly Field[]): MetricsQuery =>
  Object.fromEntries(by.map((field) => [field, valueOf(entry, field)]));

const sliceOf = ({ base, filterBy, groupBy }: Omit<Slice, 'set'>, entry: Entry): MetricsQuery => ({
  ...grouped({ ...base, limit: undefined }, groupBy),
  ...filterOf(entry, requestedFields(filterBy)),
});

/** One slice for each value of a dimension with few values. */
async function slicesByEachValue(run: Run, base: MetricsQuery, name: Dimension): Promise<RelatedQueries[]> {
  const { whole, entries } = await groupsOf(run, { base, set: [name] });
  return mostExpensiveFirst(entries, [name]).map((entry) => [
    whole,
    sliceOf({ base, filterBy: [name], groupBy: [] }, entry),
  ]);
}

/** Names with cost: one with a dot (a domain), one that starts with a digit, the shortest, the longest. */
async function ofNameForms(run: Run, base: MetricsQuery): Promise<RelatedQueries[]> {
  const { whole, entries } = await groupsOf(run, { base, set: finestGrouping(run) });
  const nameIn = (entry: Entry): string => valueOf(entry, 'resourceName');
  const byLength = entries
    .filter((entry) => nameIn(entry) !== '' && entry.summary.cost > 0)
    .toSorted((one, other) => nameIn(one).length - nameIn(other).length);
  const ofEachForm = [
    byLength.find((entry) => nameIn(entry).includes('.')),
    byLength.find((entry) => /^\d/.test(nameIn(entry))),
    byLength.at(0),
    byLength.at(-1),
  ];
  const picked = [...new Set(ofEachForm)].filter((entry) => entry !== undefined);
  return picked.map((entry) => [whole, sliceOf({ base, filterBy: ['resource_name'], groupBy: [] }, entry)]);
}

/** All filters together for which an entry has a value. */
async function ofAllFilters(run: Run, base: MetricsQuery): Promise<RelatedQueries[]> {
  const set: Dimension[] = ['resource_uuid', 'billing_dimension'];
  const { whole, entries } = await groupsOf(run, { base, set });
  const picks = [0, 1, 2].map((nth) => entries[Math.floor((nth * entries.length) / 3)]);
  return [...new Set(picks)]
    .filter((entry) => entry !== undefined)
    .map((entry) => {
      const named = dimensionsFor(run).filter((name) => valueOf(entry, fieldOf[name]) !== '');
      return [whole, sliceOf({ base, filterBy: named, groupBy: [] }, entry)];
    });
}

/** Filters by each dimension of each grouping by two: a later page of the first value, and of the last one, may show other groups. */
async function inTwoPages(run: Run, base: MetricsQuery): Promise<RelatedQueries[]> {
  const ofPairs = slicesOfPairs(run)
    .filter(({ filterBy }) => filterBy.length === 1)
    .map(async ({ set, filterBy }) => {
      const few = await fewGroups(run, base, set);
      const { whole, entries } = await groupsOf(run, { base: few, set });
      const parts = partsOf(entries, filterBy).filter(({ length }) => length > 1);
      return [...new Set([parts.at(0), parts.at(-1)])]
        .filter((part) => part !== undefined)
        .map((part) => {
          const slice = sliceOf({ base: few, filterBy, groupBy: set }, part[0]!);
          return [whole, { ...slice, limit: Math.ceil(part.length / 2) }];
        });
    });
  return (await Promise.all(ofPairs)).flat();
}

/** The entries with the same values of these dimensions, in the order of the response. */
function partsOf(entries: readonly Entry[], by: readonly Dimension[]): Entry[][] {
  const fields = requestedFields(by);
  const named = entries.filter((entry) => fields.every((field) => valueOf(entry, field) !== ''));
  return [...Map.groupBy(named, (entry) => keyOf(entry, fields)).values()];
}
