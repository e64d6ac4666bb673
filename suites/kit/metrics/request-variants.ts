/** Variants of a metrics request: a covering array of callers and of further parameters that must not affect a rule. */
import * as fc from 'fast-check';
import { billingDimensions, resolutions } from '../../../spec/values.ts';
import type { Run } from '../../engine/conforms.ts';
import { isInvalid } from '../../expect/status.ts';
import type { Client, Exchange } from '../../target/client.ts';
import { UNUSED_NAME, parseMetrics, requestMetrics } from './request.ts';
import type { MetricsQuery } from './request.ts';
import { rotate } from '../rotate.ts';
import { dimensions, dimensionsFor, permutationsOf, setsOf } from './dimensions.ts';
import type { Dimension } from './dimensions.ts';
import { DAY, lastOf, pastWindow } from './windows.ts';
import type { Window } from './windows.ts';
import { sharedValue } from '../../engine/shared-values.ts';

const callersOfRun = sharedValue<MetricsCaller[]>();
const madeUpFiltersOfRun = sharedValue<MadeUpFilters>();

const weakerCallers = ['apiKey', 'member', 'workspaceAdmin'] as const;
export type MetricsCaller = 'strongest' | (typeof weakerCallers)[number];

/** A caller, and the parameters it sends in addition to the tested one. */
export interface RequestVariant {
  readonly caller: MetricsCaller;
  readonly parameters: MetricsQuery;
}

export interface RequestVariants {
  /**
   * Every caller without parameters, each parameter alone, and all filters together, with rotating callers; a second
   * page last.
   */
  readonly each: readonly RequestVariant[];
  readonly any: fc.Arbitrary<RequestVariant>;
}

type Parameter = 'resolution' | 'groupBy' | 'limit' | Filter;
type Filter = 'resourceType' | 'resourceName' | 'resourceUuid' | 'billingDimension' | 'workspace';
type Values = { readonly [Name in Parameter]: readonly string[] };

export interface VariantOptions {
  /** Parameters that the rule tests or that its queries must not have. */
  readonly excluded?: readonly Parameter[];
  /** Resolutions that the windows of the rule permit. Default: all. */
  readonly resolutions?: readonly string[];
  /** For cases that expect refusals: a valid query whose second page is added as a variant. */
  readonly validQuery?: Window & { readonly resolution?: string };
}

export async function requestVariants(run: Run, given: VariantOptions = {}): Promise<RequestVariants> {
  const callers = await metricsCallers(run);
  const options = { ...given, madeUp: await acceptedMadeUpFilters(run) };
  const secondPage = options.validQuery === undefined ? [] : await secondPageVariants(run, options.validQuery);
  return {
    each: [...coveringVariants(run, callers, options), ...secondPage],
    any: fc.oneof(...callers.map((caller) => anyVariant(run, caller, options))),
  };
}

/** The second page of a valid query, by its cursor. Empty if there is only one page. */
export async function secondPageVariants(run: Run, query: Window & { resolution?: string }): Promise<RequestVariant[]> {
  const parameters = { ...query, groupBy: 'resource_type', limit: 1 };
  const first = await requestMetrics(run.client, parameters);
  if (first.response.status !== 200) return [];
  const { hasMore, nextCursor: cursor } = parseMetrics(first).meta;
  return hasMore ? [{ caller: 'strongest', parameters: { ...parameters, cursor } }] : [];
}

export function sendVariant(run: Run, { caller, parameters }: RequestVariant, query: MetricsQuery): Promise<Exchange> {
  return requestMetrics(clientOf(run, caller), { ...parameters, ...query });
}

export function clientOf(run: Run, caller: MetricsCaller): Client {
  return caller === 'strongest' ? run.client : run.as(caller);
}

/** The dimensions that a caller may group by. It is unknown whether weaker callers are account admins. */
export function dimensionsOf(run: Run, caller: MetricsCaller): readonly Dimension[] {
  return caller === 'strongest' ? dimensionsFor(run) : dimensions.filter((name) => name !== 'workspace');
}

/** Pairs each list of dimensions with the next variant whose caller may use it. */
export function assignVariants(
  groupBys: readonly string[],
  each: readonly RequestVariant[],
): [string, RequestVariant][] {
  return groupBys.map((groupBy, at) => {
    const isAdminOnly = groupBy.split(',').includes('workspace');
    const permitted = each.filter(({ caller }) => !isAdminOnly || caller === 'strongest');
    return [groupBy, permitted[at % permitted.length]!];
  });
}

/** The strongest caller and every other one whose plain request is accepted. */
export function metricsCallers(run: Run): Promise<MetricsCaller[]> {
  return callersOfRun.get(run, async () => {
    const callers: MetricsCaller[] = ['strongest'];
    for (const name of weakerCallers) if (await mayReadMetrics(run, name)) callers.push(name);
    return callers;
  });
}

async function mayReadMetrics(run: Run, caller: (typeof weakerCallers)[number]): Promise<boolean> {
  if (run.target.credentials[caller] === undefined) return false;
  return (await requestMetrics(run.as(caller), { ...lastOf(pastWindow(run), DAY) })).response.status === 200;
}

/** Valid filter values that nothing needs to have. Other rules judge whether they match nothing. */
const madeUpFilters: MadeUpFilters = {
  resourceName: ['demo', UNUSED_NAME],
  resourceUuid: ['00000000-0000-4000-8000-000000000000', '3f2b8a4e-5c1d-4e7f-9a6b-0d8c7e5f4a3b'],
};

type MadeUpFilters = Pick<Values, 'resourceName' | 'resourceUuid'>;

interface UsedOptions extends VariantOptions {
  readonly madeUp: MadeUpFilters;
}

/** Those that the target does not refuse. */
function acceptedMadeUpFilters(run: Run): Promise<MadeUpFilters> {
  const window = lastOf(pastWindow(run), DAY);
  const accepted = async (name: keyof MadeUpFilters): Promise<string[]> => {
    const found = [];
    for (const value of madeUpFilters[name])
      if (!isInvalid(await requestMetrics(run.client, { ...window, [name]: value }))) found.push(value);
    return found;
  };
  return madeUpFiltersOfRun.get(run, async () => ({
    resourceName: await accepted('resourceName'),
    resourceUuid: await accepted('resourceUuid'),
  }));
}

/** Filters that every caller may use. */
const filters: readonly Parameter[] = ['resourceType', 'resourceName', 'resourceUuid', 'billingDimension'];

/** Valid for windows of any length, except for resolutions. The first value of a filter is used alone. */
function valuesFor(
  run: Run,
  caller: MetricsCaller,
  { madeUp, resolutions: allowedResolutions = resolutions }: UsedOptions,
): Values {
  const names = dimensionsOf(run, caller);
  const { workspace } = run.target;
  return {
    resolution: allowedResolutions,
    groupBy: [
      'resource_type',
      ...setsOf(names)
        .flatMap(permutationsOf)
        .map((set) => set.join(',')),
    ],
    limit: ['10', '1', '3', '100'],
    resourceType: ['agent', 'sandbox', 'job', 'mcp_server', 'volume', 'custom_domain'],
    ...madeUp,
    billingDimension: ['agent_compute_runtime_gbs', ...billingDimensions],
    workspace: names.includes('workspace') && workspace !== undefined ? [workspace] : [],
  };
}

function usedValues(run: Run, caller: MetricsCaller, options: UsedOptions): [Parameter, readonly string[]][] {
  const all = Object.entries(valuesFor(run, caller, options)) as [Parameter, readonly string[]][];
  return all.filter(([name, values]) => values.length > 0 && options.excluded?.includes(name) !== true);
}

function coveringVariants(run: Run, callers: readonly MetricsCaller[], options: UsedOptions): RequestVariant[] {
  const used = usedValues(run, 'strongest', options);
  const single = used.flatMap(([name, values]) =>
    (name === 'resolution' ? values : values.slice(0, 1)).map((value) => makeValid({ [name]: value }, options)),
  );
  const allFilters = Object.fromEntries(
    used.filter(([name]) => filters.includes(name)).map(([name, [value]]) => [name, value]),
  );
  const variants = rotate([...single, allFilters], callers, 1).map(([parameters, caller]): RequestVariant => ({
    caller: 'workspace' in parameters ? 'strongest' : caller,
    parameters,
  }));
  return [...callers.map((caller) => ({ caller, parameters: {} })), ...variants];
}

/** Each parameter is present in about half of the requests. */
function anyVariant(run: Run, caller: MetricsCaller, options: UsedOptions): fc.Arbitrary<RequestVariant> {
  const optionalValues = usedValues(run, caller, options).map(([name, values]) => [
    name,
    fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 }),
  ]);
  const parameters = fc
    .record<MetricsQuery>(Object.fromEntries(optionalValues))
    .map((query) => makeValid(query, options));
  return fc.record({ caller: fc.constant(caller), parameters });
}

/** A limit needs groupBy, and a billing dimension belongs to one resource type: other combinations may be refused. */
function makeValid(query: MetricsQuery, { excluded = [] }: VariantOptions): MetricsQuery {
  const { limit, groupBy, resourceType, billingDimension } = query;
  const isGrouped = excluded.includes('groupBy') || groupBy !== undefined;
  const isOfType = resourceType === undefined || billingDimension?.startsWith(`${resourceType}_`) === true;
  return {
    ...query,
    ...(limit !== undefined && !isGrouped && { groupBy: 'resource_type' }),
    ...(billingDimension !== undefined && !isOfType && { billingDimension: undefined }),
  };
}
