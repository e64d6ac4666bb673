/** metrics.filters.*: a filter returns the slice with its value. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, status } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { unknownBillingDimension, unknownBillingDimensions } from '../generators/unknown-billing-dimension.ts';
import { inventedName, inventedType, inventedUuid } from '../generators/invented-value.ts';
import { parseMetrics, requestMetrics, needAccepted } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { sendVariant, requestVariants } from '../kit/metrics/request-variants.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { mostExpensive, describeEntry, fieldOf, groupings, identified, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { formatValue } from './entry-mismatches.ts';
import { figureMismatches, figuresBy } from './figures.ts';
import { anyDays, meteredDays } from './metered-days.ts';
import { nameFormMismatches } from './name-forms.ts';
import { entriesOf, fetchPages } from './pages.ts';
import type { Page } from './pages.ts';
import { filterOf, sliceMismatches } from './slices.ts';
import type { Groups, Slice } from './slices.ts';
import { resolutionSliceMismatches, dimensionPairs } from './slices-by-resolution.ts';
import { pagedSliceMismatches } from './paged-slices.ts';

async function shortQuery(run: Run): Promise<MetricsQuery> {
  return { ...(await meteredDays(run, 2)), resolution: 'daily' };
}

conforms('metrics.filters.billing-dimension-known', async (run) => {
  const window = await anyDays(run, 2);
  await needAccepted(run, { ...window, billingDimension: 'sandbox_compute_runtime_gbs' });
  const { each, any } = await requestVariants(run, { excluded: ['billingDimension'], validQuery: window });
  const misnamed = each.map((variant) => ({
    billingDimension: 'sandbox_compute_runtime',
    variant,
  }));
  await run.forAll(
    { billingDimension: unknownBillingDimension, variant: any },
    async ({ billingDimension, variant }) =>
      status(await sendVariant(run, variant, { ...window, billingDimension }), 400),
    {
      examples: [
        ...unknownBillingDimensions.map((billingDimension) => ({ billingDimension, variant: each[0]! })),
        ...misnamed,
        {
          billingDimension: 'sandbox_compute_runtime',
          variant: { caller: 'strongest', parameters: { groupBy: 'billing_dimension' } },
        },
      ],
    },
  );
});

function anySlice(sets: readonly Dimension[][]): fc.Arbitrary<Slice> {
  return fc.constantFrom(...sets).chain((set) =>
    fc
      .record({
        set: fc.constant(set),
        pick: fc.nat({ max: 10_000 }),
        filterBy: fc.subarray(set, { minLength: 1 }),
        groupBy: fc.subarray(set),
      })
      // Groupings by resource_uuid may omit resources without one, so the sum over resource_uuid is not compared.
      .filter(
        ({ filterBy, groupBy }) =>
          !set.includes('resource_uuid') || filterBy.includes('resource_uuid') || groupBy.includes('resource_uuid'),
      ),
  );
}

conforms('metrics.filters.filter-is-the-slice', async (run) => {
  const query = await shortQuery(run);
  const groups: Groups = new Map();
  const sets = groupings(run);
  for (const set of sets)
    groups.set(
      set.join(),
      entriesOf(await fetchPages(run, { ...query, groupBy: set.join(',') })).filter(identified(set)),
    );
  await run.forAll(
    { slice: fc.oneof(...sets.map((set) => anySlice([set]))) },
    ({ slice }) => sliceMismatches(run, query, groups.get(slice.set.join())!, slice),
    {
      runs: scaleRuns(run, 80),
      examples: [
        ...sets.flatMap((set) =>
          set.map((dimension) => ({ slice: { set, pick: 0, filterBy: [dimension], groupBy: set } })),
        ),
        ...[...slicesByEachValue(groups, 'resource_type'), ...slicesByEachValue(groups, 'billing_dimension')].map(
          (slice) => ({ slice }),
        ),
      ],
    },
  );
  await checkOtherResolutions(run, query, groups);
  for (const filterBy of [...dimensionsFor(run).map((dimension) => [dimension]), ...dimensionPairs(run)])
    run.check(await pagedSliceMismatches(run, query, groups, filterBy));
  run.check(...(await resolutionSliceMismatches(run, query)), ...(await nameFormMismatches(run)));
  const exact = groups.get('resource_uuid,billing_dimension')!;
  for (const at of [0, 1, 2]) {
    const entry = exact[Math.floor((at * exact.length) / 3)];
    if (entry !== undefined) run.check(await allFiltersMismatches(run, query, entry));
  }
});

/** One slice per value of a dimension with few values. */
function slicesByEachValue(groups: Groups, dimension: Dimension): Slice[] {
  const picks = groups.get(dimension)?.keys() ?? [];
  return [...picks].map((pick) => ({ set: [dimension], pick, filterBy: [dimension], groupBy: [] }));
}

/**
 * Each dimension alone as a filter, at every resolution except daily: the total equals the slice of the daily
 * response.
 */
async function checkOtherResolutions(run: Run, { startTime, endTime }: MetricsQuery, groups: Groups): Promise<void> {
  const single = groupings(run).filter(({ length }) => length === 1);
  for (const resolution of [undefined, 'hourly', 'weekly', 'monthly']) {
    for (const set of single) {
      const entries = groups.get(set.join())!;
      const pick = entries.indexOf(mostExpensive(entries)!);
      for (const groupBy of [[], set]) {
        const slice = { set, pick, filterBy: set, groupBy };
        run.check(await sliceMismatches(run, { startTime, endTime, resolution }, entries, slice, { wholeOnly: true }));
      }
    }
  }
}

/** All filters together for which the entry has a value. */
async function allFiltersMismatches(run: Run, query: MetricsQuery, entry: Entry): Promise<Mismatch[]> {
  const by = dimensionsFor(run)
    .map((dimension) => fieldOf[dimension])
    .filter((field) => valueOf(entry, field) !== '');
  const exchange = await requestMetrics(run.client, { ...query, ...filterOf(entry, by) });
  const refused = status(exchange, 200);
  if (refused.length > 0) return refused;
  const found = figuresBy([], parseMetrics(exchange).data);
  return figureMismatches(`${describeEntry(entry)}, all filters together`, figuresBy([], [entry]), found, { exchange });
}

/** Filters whose unknown values may be refused: types are documented, and a workspace can be looked up. */
const mayBeRefused = new Set(['resourceType', 'workspace']);

conforms('metrics.filters.nothing-matches-nothing', async (run) => {
  const query = await shortQuery(run);
  const isAdmin = dimensionsFor(run).includes('workspace');
  const groupBy = fc.constantFrom(undefined, 'resource_type', 'billing_dimension', 'resource_name,billing_dimension');
  const invented: [string, fc.Arbitrary<string>][] = [
    ['resourceName', inventedName],
    ['resourceUuid', inventedUuid],
    ['resourceType', inventedType],
    ...(isAdmin ? [['workspace', inventedName] as [string, fc.Arbitrary<string>]] : []),
  ];
  for (const [field, value] of invented) {
    await run.forAll(
      { value, groupBy },
      async (input) => {
        const exchange = await requestMetrics(run.client, { ...query, groupBy: input.groupBy, [field]: input.value });
        return mayBeRefused.has(field) ? emptyOrRefused(exchange) : emptyMismatches(exchange);
      },
      { runs: scaleRuns(run, 10) },
    );
  }
  const disjoint = await disjointFilters(run, query);
  for (const by of [undefined, 'resource_type,billing_dimension']) {
    const request = (filters: MetricsQuery) => requestMetrics(run.client, { ...query, ...filters, groupBy: by });
    for (const filters of disjoint) run.check(emptyMismatches(await request(filters)));
    // The type of each billing dimension is documented, so a target may refuse another one.
    for (const filters of mismatchedDimensions()) run.check(emptyOrRefused(await request(filters)));
  }
  const names = await namesIn(run, query);
  for (const resourceName of nearNames(names))
    run.check(emptyMismatches(await requestMetrics(run.client, { ...query, resourceName })));
  // These are not valid names, so a target may refuse them.
  for (const resourceName of ['%', '%_%', '*', ...nameLists(names)]) {
    run.check(emptyOrRefused(await requestMetrics(run.client, { ...query, resourceName })));
  }
});

async function namesIn(run: Run, query: MetricsQuery): Promise<Set<string>> {
  const entries = entriesOf(await fetchPages(run, { ...query, groupBy: 'resource_name' }));
  return new Set(entries.map((entry) => valueOf(entry, 'resourceName')).filter((name) => name !== ''));
}

/** Two existing names, comma-separated. Empty if there are fewer than two. */
function nameLists(names: ReadonlySet<string>): string[] {
  const [first, second] = names;
  return second === undefined ? [] : [`${first},${second}`];
}

/** Names that a server accepts if it compares only a part of the name. */
const nearNameForms: readonly ((name: string) => string)[] = [
  (name) => name.slice(0, -1).replace(/-+$/, ''),
  (name) => name.slice(1),
  (name) => `${name}0`,
  (name) => `a${name}`,
];

/** Unused names that are similar to existing ones, three of each form. */
function nearNames(names: ReadonlySet<string>): string[] {
  const isUnused = (name: string): boolean => /^[a-z]([a-z0-9-]{0,47}[a-z0-9])?$/.test(name) && !names.has(name);
  return nearNameForms.flatMap((near) => {
    const found = [...new Set([...names].map(near))].filter(isUnused);
    return found.filter((_, at) => at % Math.ceil(found.length / 3) === 0);
  });
}

/** Every billing dimension with a resource type that does not have it. */
function mismatchedDimensions(): MetricsQuery[] {
  const types = Object.entries(requirement('metrics.group-by.dimension-belongs-to-type').values.table);
  return types.map(([billingDimension, { resourceType: own }], at) => {
    const others = types.map(([, { resourceType }]) => resourceType).filter((type) => type !== own);
    return { billingDimension, resourceType: others[at % others.length] };
  });
}

/** Values that exist but never occur together. */
async function disjointFilters(run: Run, query: MetricsQuery): Promise<MetricsQuery[]> {
  const named = entriesOf(await fetchPages(run, { ...query, groupBy: 'resource_type,resource_name' }));
  const typesOf = Map.groupBy(named, (entry) => valueOf(entry, 'resourceName'));
  const picked = named.filter((_, at) => at % Math.ceil(named.length / 5) === 0);
  const mismatchedTypes = picked.flatMap((entry) => {
    const namesakes = typesOf.get(valueOf(entry, 'resourceName')) ?? [];
    const own = new Set(namesakes.map((namesake) => valueOf(namesake, 'resourceType')));
    const other = named.map((each) => valueOf(each, 'resourceType')).find((type) => !own.has(type));
    return other === undefined ? [] : [{ resourceName: valueOf(entry, 'resourceName'), resourceType: other }];
  });
  return [...mismatchedTypes, ...(await mismatchedUuids(run, query))];
}

/** Uuids with the name of another resource. */
async function mismatchedUuids(run: Run, query: MetricsQuery): Promise<MetricsQuery[]> {
  const pages = await fetchPages(run, { ...query, groupBy: 'resource_uuid' });
  const entries = entriesOf(pages).filter(identified(['resource_uuid']));
  const picked = entries.filter((_, at) => at % Math.ceil(entries.length / 3) === 0);
  return picked.flatMap((entry) => {
    const resourceUuid = valueOf(entry, 'resourceUuid');
    const own = new Set(entries.filter((each) => valueOf(each, 'resourceUuid') === resourceUuid).map(nameIn));
    const other = entries.map(nameIn).find((name) => name !== '' && !own.has(name));
    return other === undefined ? [] : [{ resourceUuid, resourceName: other }];
  });
}

const nameIn = (entry: Entry): string => valueOf(entry, 'resourceName');

function isZero(cost: unknown): boolean {
  return typeof cost === 'number' && Math.abs(cost) <= 1e-9;
}

const emptyOrRefused = (exchange: Page['exchange']): Mismatch[] =>
  isRefused(exchange) ? [] : emptyMismatches(exchange);

function emptyMismatches(exchange: Page['exchange']): Mismatch[] {
  const refused = status(exchange, 200);
  if (refused.length > 0) return refused;
  const { summary, data } = parseMetrics(exchange);
  const costs = data.flatMap((entry) => [entry.summary.cost, ...entry.timeseries.map(({ cost }) => cost)]);
  const nonZero = costs.find((cost) => !isZero(cost));
  return [
    ...(isZero(summary.totalCost)
      ? []
      : [{ expected: 'totalCost 0', actual: formatValue(summary.totalCost), exchange }]),
    ...(nonZero === undefined
      ? []
      : [{ expected: 'no group with cost', actual: `cost ${formatValue(nonZero)}`, exchange }]),
  ];
}
