/** metrics.filters.*: a filter shows the slice that has its value. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, status } from '../expect/status.ts';
import { shareOf } from '../engine/for-all.ts';
import { unknownBillingDimension, unknownBillingDimensions } from '../generators/unknown-billing-dimension.ts';
import { inventedName, inventedType, inventedUuid } from '../generators/invented-value.ts';
import { answerOf, askMetrics, needAnswered } from '../kit/metrics/ask.ts';
import type { MetricsQuery } from '../kit/metrics/ask.ts';
import { askBeside, askings } from '../kit/metrics/beside.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { dearest, describeEntry, fieldOf, groupings, identified, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { shown } from './every-entry.ts';
import { figureMismatches, figuresBy } from './figures.ts';
import { anyDays, meteredDays } from './metered-days.ts';
import { nameFormMismatches } from './name-forms.ts';
import { entriesOf, pagesOf } from './pages.ts';
import type { Page } from './pages.ts';
import { filterOf, sliceMismatches } from './slices.ts';
import type { Groups, Slice } from './slices.ts';
import { elsewhereMismatches, pairsFor } from './slices-elsewhere.ts';
import { laterPageMismatches } from './slices-in-pages.ts';

async function shortQuery(run: Run): Promise<MetricsQuery> {
  return { ...(await meteredDays(run, 2)), resolution: 'daily' };
}

conforms('metrics.filters.billing-dimension-known', async (run) => {
  const window = await anyDays(run, 2);
  await needAnswered(run, { ...window, billingDimension: 'sandbox_compute_runtime_gbs' });
  const { each, any } = await askings(run, { without: ['billingDimension'], refusedIn: window });
  const misnamed = each.map((asking) => ({
    billingDimension: 'sandbox_compute_runtime',
    asking,
  }));
  await run.forAll(
    { billingDimension: unknownBillingDimension, asking: any },
    async ({ billingDimension, asking }) => status(await askBeside(run, asking, { ...window, billingDimension }), 400),
    {
      examples: [
        ...unknownBillingDimensions.map((billingDimension) => ({ billingDimension, asking: each[0]! })),
        ...misnamed,
        {
          billingDimension: 'sandbox_compute_runtime',
          asking: { caller: 'strongest', beside: { groupBy: 'billing_dimension' } },
        },
      ],
    },
  );
});

function sliceOf(sets: readonly Dimension[][]): fc.Arbitrary<Slice> {
  return fc.constantFrom(...sets).chain((set) =>
    fc
      .record({
        set: fc.constant(set),
        pick: fc.nat({ max: 10_000 }),
        filterBy: fc.subarray(set, { minLength: 1 }),
        groupBy: fc.subarray(set),
      })
      // Groupings by resource_uuid may lack what has none: it is never summed away.
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
    groups.set(set.join(), entriesOf(await pagesOf(run, { ...query, groupBy: set.join(',') })).filter(identified(set)));
  await run.forAll(
    { slice: fc.oneof(...sets.map((set) => sliceOf([set]))) },
    ({ slice }) => sliceMismatches(run, query, groups.get(slice.set.join())!, slice),
    {
      runs: shareOf(run, 80),
      examples: [
        ...sets.flatMap((set) =>
          set.map((dimension) => ({ slice: { set, pick: 0, filterBy: [dimension], groupBy: set } })),
        ),
        ...[...everyOne(groups, 'resource_type'), ...everyOne(groups, 'billing_dimension')].map((slice) => ({ slice })),
      ],
    },
  );
  await otherResolutions(run, query, groups);
  for (const filterBy of [...dimensionsFor(run).map((dimension) => [dimension]), ...pairsFor(run)])
    run.check(await laterPageMismatches(run, query, groups, filterBy));
  run.check(...(await elsewhereMismatches(run, query)), ...(await nameFormMismatches(run)));
  const exact = groups.get('resource_uuid,billing_dimension')!;
  for (const at of [0, 1, 2]) {
    const entry = exact[Math.floor((at * exact.length) / 3)];
    if (entry !== undefined) run.check(await allFiltersMismatches(run, query, entry));
  }
});

/** Each value of a dimension that has few, alone. */
function everyOne(groups: Groups, dimension: Dimension): Slice[] {
  const picks = groups.get(dimension)?.keys() ?? [];
  return [...picks].map((pick) => ({ set: [dimension], pick, filterBy: [dimension], groupBy: [] }));
}

/** Each dimension alone as a filter, at every resolution but daily: in all it is the slice of the daily answer. */
async function otherResolutions(run: Run, { startTime, endTime }: MetricsQuery, groups: Groups): Promise<void> {
  const single = groupings(run).filter(({ length }) => length === 1);
  for (const resolution of [undefined, 'hourly', 'weekly', 'monthly']) {
    for (const set of single) {
      const entries = groups.get(set.join())!;
      const pick = entries.indexOf(dearest(entries)!);
      for (const groupBy of [[], set]) {
        const slice = { set, pick, filterBy: set, groupBy };
        run.check(await sliceMismatches(run, { startTime, endTime, resolution }, entries, slice, { wholeOnly: true }));
      }
    }
  }
}

/** Every filter that an entry by uuid and billing dimension has a value for, together. */
async function allFiltersMismatches(run: Run, query: MetricsQuery, entry: Entry): Promise<Mismatch[]> {
  const by = dimensionsFor(run)
    .map((dimension) => fieldOf[dimension])
    .filter((field) => valueOf(entry, field) !== '');
  const exchange = await askMetrics(run.client, { ...query, ...filterOf(entry, by) });
  const refused = status(exchange, 200);
  if (refused.length > 0) return refused;
  const found = figuresBy([], answerOf(exchange).data);
  return figureMismatches(`${describeEntry(entry)}, all filters together`, figuresBy([], [entry]), found, { exchange });
}

/** May also be answered 4xx: the document lists some types, and a workspace can be looked up. */
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
        const exchange = await askMetrics(run.client, { ...query, groupBy: input.groupBy, [field]: input.value });
        return mayBeRefused.has(field) ? nothingOrRefused(exchange) : nothingMismatches(exchange);
      },
      { runs: shareOf(run, 10) },
    );
  }
  const disjoint = await disjointFilters(run, query);
  for (const by of [undefined, 'resource_type,billing_dimension']) {
    const ask = (filters: MetricsQuery) => askMetrics(run.client, { ...query, ...filters, groupBy: by });
    for (const filters of disjoint) run.check(nothingMismatches(await ask(filters)));
    // Of which type a billing dimension is, the document says: so may a target.
    for (const filters of foreignDimensions()) run.check(nothingOrRefused(await ask(filters)));
  }
  const names = await namesIn(run, query);
  for (const resourceName of nearNames(names))
    run.check(nothingMismatches(await askMetrics(run.client, { ...query, resourceName })));
  // They have not the form of a name: a target may say so.
  for (const resourceName of ['%', '%_%', '*', ...listsOf(names)]) {
    run.check(nothingOrRefused(await askMetrics(run.client, { ...query, resourceName })));
  }
});

async function namesIn(run: Run, query: MetricsQuery): Promise<Set<string>> {
  const entries = entriesOf(await pagesOf(run, { ...query, groupBy: 'resource_name' }));
  return new Set(entries.map((entry) => valueOf(entry, 'resourceName')).filter((name) => name !== ''));
}

/** Each name of the list is there; none where there are not two. */
function listsOf(names: ReadonlySet<string>): string[] {
  const [first, second] = names;
  return second === undefined ? [] : [`${first},${second}`];
}

/** How whoever compares less than the whole of a name is met; numbered names have each other's beginnings. */
const nears: readonly ((name: string) => string)[] = [
  (name) => name.slice(0, -1).replace(/-+$/, ''),
  (name) => name.slice(1),
  (name) => `${name}0`,
  (name) => `a${name}`,
];

/** Names that nothing has, though whoever compares less than the whole finds something: three of each kind. */
function nearNames(names: ReadonlySet<string>): string[] {
  const isNobodys = (name: string): boolean => /^[a-z]([a-z0-9-]{0,47}[a-z0-9])?$/.test(name) && !names.has(name);
  return nears.flatMap((near) => {
    const found = [...new Set([...names].map(near))].filter(isNobodys);
    return found.filter((_, at) => at % Math.ceil(found.length / 3) === 0);
  });
}

/** Every billing dimension beside a resource type that does not have it. */
function foreignDimensions(): MetricsQuery[] {
  const types = Object.entries(requirement('metrics.group-by.dimension-belongs-to-type').values.table);
  return types.map(([billingDimension, { resourceType: own }], at) => {
    const others = types.map(([, { resourceType }]) => resourceType).filter((type) => type !== own);
    return { billingDimension, resourceType: others[at % others.length] };
  });
}

/** Values that exist, and that no group has together. */
async function disjointFilters(run: Run, query: MetricsQuery): Promise<MetricsQuery[]> {
  const named = entriesOf(await pagesOf(run, { ...query, groupBy: 'resource_type,resource_name' }));
  const typesOf = Map.groupBy(named, (entry) => valueOf(entry, 'resourceName'));
  const picked = named.filter((_, at) => at % Math.ceil(named.length / 5) === 0);
  const elsewhere = picked.flatMap((entry) => {
    const twins = typesOf.get(valueOf(entry, 'resourceName')) ?? [];
    const own = new Set(twins.map((twin) => valueOf(twin, 'resourceType')));
    const other = named.map((each) => valueOf(each, 'resourceType')).find((type) => !own.has(type));
    return other === undefined ? [] : [{ resourceName: valueOf(entry, 'resourceName'), resourceType: other }];
  });
  return [...elsewhere, ...(await foreignUuids(run, query))];
}

/** Instances, each beside the name of a resource that it does not belong to. */
async function foreignUuids(run: Run, query: MetricsQuery): Promise<MetricsQuery[]> {
  const pages = await pagesOf(run, { ...query, groupBy: 'resource_uuid' });
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

function isNothing(cost: unknown): boolean {
  return typeof cost === 'number' && Math.abs(cost) <= 1e-9;
}

const nothingOrRefused = (exchange: Page['exchange']): Mismatch[] =>
  isRefused(exchange) ? [] : nothingMismatches(exchange);

function nothingMismatches(exchange: Page['exchange']): Mismatch[] {
  const refused = status(exchange, 200);
  if (refused.length > 0) return refused;
  const { summary, data } = answerOf(exchange);
  const costs = data.flatMap((entry) => [entry.summary.cost, ...entry.timeseries.map(({ cost }) => cost)]);
  const wrong = costs.find((cost) => !isNothing(cost));
  return [
    ...(isNothing(summary.totalCost) ? [] : [{ expected: 'totalCost 0', actual: shown(summary.totalCost), exchange }]),
    ...(wrong === undefined ? [] : [{ expected: 'no group with cost', actual: `cost ${shown(wrong)}`, exchange }]),
  ];
}
