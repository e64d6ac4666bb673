/** metrics.filters.*: a filter returns the slice with its value. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import { billingDimensionTable, billingDimensions } from '../../spec/values.ts';
import { alsoJudges } from '../judge/judgement.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, status } from '../expect/status.ts';
import type { Exchange } from '../target/client.ts';
import { unknownBillingDimension, unknownBillingDimensions } from '../generators/unknown-billing-dimension.ts';
import { inventedName, inventedType, inventedUuid } from '../generators/invented-value.ts';
import { needAccepted } from '../kit/metrics/causes.ts';
import {
  costMismatch,
  UNUSED_NAME,
  checkEachQuery,
  grouped,
  parseMetrics,
  requestMetrics,
} from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { compareWalks, judgesPages, judgesWalks, refusesQuery } from '../kit/metrics/seen-metrics.ts';
import { isUnmatched, isWhole, otherSlice } from './compared-walks.ts';
import { judgeRefusedCursor } from './judged-cursors.ts';
import { sendVariant, requestVariants } from '../kit/metrics/request-variants.ts';
import { rotate } from '../kit/rotate.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import { fieldOf, finestGrouping, identified, valueOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { formatValue } from './entry-mismatches.ts';
import { anyDays, meteredDays } from './metered-days.ts';
import { entriesOf, fetchFirstPage, sharedPages } from './pages.ts';
import { judgedOnDerivedWalks, judgedOnWalks } from './related-queries.ts';
import { slices, sliceQueries, slicesOfValues } from './slices.ts';

const filterNames: readonly string[] = Object.values(fieldOf);

async function shortQuery(run: Run): Promise<MetricsQuery> {
  return { ...(await meteredDays(run, 2)), resolution: 'daily' };
}

refusesQuery('metrics.filters.billing-dimension-known', (seen) => {
  const name = seen.parameter('billingDimension')?.trim() ?? '';
  return name !== '' && !(billingDimensions as readonly string[]).includes(name);
});

conforms('metrics.filters.billing-dimension-known', async (run) => {
  const window = await anyDays(run, 2);
  await needAccepted(run, { ...window, billingDimension: 'sandbox_compute_runtime_gbs' });
  const { each, any } = await requestVariants(run, { excluded: ['billingDimension'], validQuery: window });
  await run.forAll(
    { billingDimension: unknownBillingDimension, variant: any },
    async ({ billingDimension, variant }) =>
      status(await sendVariant(run, variant, { ...window, billingDimension }), 400),
    {
      examples: [
        {
          billingDimension: 'sandbox_compute_runtime',
          variant: { caller: 'strongest', parameters: { groupBy: 'billing_dimension' } },
        },
        ...rotate(unknownBillingDimensions, each, 1).map(([billingDimension, variant]) => ({
          billingDimension,
          variant,
        })),
      ],
    },
  );
});

judgesWalks('metrics.filters.filter-is-the-slice', isWhole, otherSlice);
alsoJudges('metrics.filters.filter-is-the-slice', (seen, facts) =>
  seen.query.some(([name]) => filterNames.includes(name)) ? judgeRefusedCursor(seen, facts) : undefined,
);

conforms('metrics.filters.filter-is-the-slice', async (run) => {
  const needed = 'a group with cost and its name, beside others';
  await judgedOnDerivedWalks(slices, sliceQueries, needed)(run);
  await judgedOnWalks(slicesOfValues, needed)(run);
});

// The type of each billing dimension is documented, so this matches nothing.
judgesPages('metrics.filters.nothing-matches-nothing', ({ exchange }, seen) => {
  const [dimension, type] = [seen.parameter('billingDimension'), seen.parameter('resourceType')];
  const { resourceType: own } = Object.entries(billingDimensionTable).find(([name]) => name === dimension)?.[1] ?? {};
  return own === undefined || type === undefined || type === own ? undefined : emptyMismatches(exchange);
});
alsoJudges(
  'metrics.filters.nothing-matches-nothing',
  compareWalks(isUnmatched, (_, { pages }) => pages.flatMap(({ exchange }) => emptyMismatches(exchange))),
);

conforms('metrics.filters.nothing-matches-nothing', async (run) => {
  const query = await shortQuery(run);
  const isAdmin = dimensionsFor(run).includes('workspace');
  const groupBy = fc.constantFrom(undefined, 'resource_type', 'billing_dimension', 'resource_name,billing_dimension');
  const unused: MetricsQuery[] = [
    { resourceName: UNUSED_NAME },
    { resourceUuid: '3f2b8a4e-5c1d-4e7f-9a6b-0d8c7e5f4a3b' },
    { resourceType: 'assay_nothing_has_this_type' },
    ...(isAdmin ? [{ workspace: UNUSED_NAME }] : []),
  ];
  const invented: fc.Arbitrary<MetricsQuery>[] = [
    inventedName.map((resourceName) => ({ resourceName })),
    inventedUuid.map((resourceUuid) => ({ resourceUuid })),
    inventedType.map((resourceType) => ({ resourceType })),
    ...(isAdmin ? [inventedName.map((workspace) => ({ workspace }))] : []),
  ];
  await run.forAll(
    { filter: fc.oneof(...invented), groupBy },
    async ({ filter, groupBy: by }) => {
      const exchange = await requestMetrics(run.client, { ...query, groupBy: by, ...filter });
      // Types are documented, and a workspace can be looked up: a target may refuse unknown ones.
      return 'resourceType' in filter || 'workspace' in filter ? emptyOrRefused(exchange) : emptyMismatches(exchange);
    },
    { examples: unused.map((filter) => ({ filter, groupBy: undefined })) },
  );
  const checkEach = (filters: readonly MetricsQuery[], check: (exchange: Exchange) => Mismatch[]): Promise<void> =>
    checkEachQuery(
      run,
      run.client,
      filters.map((filter) => ({ ...query, ...filter })),
      check,
    );
  const groupBys = [undefined, 'resource_type,billing_dimension'];
  const groupedInTurn = (filters: readonly MetricsQuery[]): MetricsQuery[] =>
    rotate(filters, groupBys, 1).map(([filter, by]) => ({ ...filter, groupBy: by }));
  // The billing dimension decides the type.
  const named = entriesOf(await sharedPages(run, grouped(query, finestGrouping(run))));
  await checkEach(groupedInTurn([...mismatchedTypes(named), ...(await mismatchedUuids(run, query))]), emptyMismatches);
  // The type of each billing dimension is documented, so a target may refuse another one.
  await checkEach(groupedInTurn(mismatchedDimensions()), emptyOrRefused);
  const names = new Set(named.map(nameIn).filter((name) => name !== ''));
  await checkEach(
    nearNames(names).map((resourceName) => ({ resourceName })),
    emptyMismatches,
  );
  // These are not valid names and types, so a target may refuse them.
  const invalidNames = ['%', '*', ...nameLists(names), '%_%', ...inUpperCase(names)];
  const types = new Set(named.map((entry) => valueOf(entry, 'resourceType')));
  await checkEach(
    [
      ...invalidNames.map((resourceName) => ({ resourceName })),
      ...inUpperCase(types).map((resourceType) => ({ resourceType })),
    ],
    emptyOrRefused,
  );
});

/** The first text in upper case. Empty if there is none, or if it has no lower case. */
const inUpperCase = (texts: ReadonlySet<string>): string[] =>
  [...texts].slice(0, 1).flatMap((text) => (text === text.toUpperCase() ? [] : [text.toUpperCase()]));

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

/** Names with the type of another resource. */
function mismatchedTypes(named: readonly Entry[]): MetricsQuery[] {
  const typesOf = Map.groupBy(named, (entry) => valueOf(entry, 'resourceName'));
  const picked = named.filter((_, at) => at % Math.ceil(named.length / 5) === 0);
  return picked.flatMap((entry) => {
    const namesakes = typesOf.get(valueOf(entry, 'resourceName')) ?? [];
    const own = new Set(namesakes.map((namesake) => valueOf(namesake, 'resourceType')));
    const other = named.map((each) => valueOf(each, 'resourceType')).find((type) => !own.has(type));
    return other === undefined ? [] : [{ resourceName: valueOf(entry, 'resourceName'), resourceType: other }];
  });
}

/** Uuids with the name or the type of another resource. */
async function mismatchedUuids(run: Run, query: MetricsQuery): Promise<MetricsQuery[]> {
  const { metrics } = await fetchFirstPage(run, { ...query, groupBy: 'resource_uuid' });
  const entries = metrics.data.filter(identified(['resource_uuid']));
  const picked = entries.filter((_, at) => at % Math.ceil(entries.length / 3) === 0);
  return picked.flatMap((entry, at) => {
    const field = at % 2 === 0 ? 'resourceName' : 'resourceType';
    const resourceUuid = valueOf(entry, 'resourceUuid');
    const same = entries.filter((each) => valueOf(each, 'resourceUuid') === resourceUuid);
    const own = new Set(same.map((each) => valueOf(each, field)));
    const other = entries.map((each) => valueOf(each, field)).find((value) => value !== '' && !own.has(value));
    return other === undefined ? [] : [{ resourceUuid, [field]: other }];
  });
}

const nameIn = (entry: Entry): string => valueOf(entry, 'resourceName');

function isZero(cost: unknown): boolean {
  return typeof cost === 'number' && Math.abs(cost) <= 1e-9;
}

const emptyOrRefused = (exchange: Exchange): Mismatch[] => (isRefused(exchange) ? [] : emptyMismatches(exchange));

function emptyMismatches(exchange: Exchange): Mismatch[] {
  const refused = status(exchange, 200);
  if (refused.length > 0) return refused;
  const { summary, data } = parseMetrics(exchange);
  // The text "0" is no cost other than 0.
  const noNumber = costMismatch(exchange);
  if (noNumber !== undefined) return [noNumber];
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
