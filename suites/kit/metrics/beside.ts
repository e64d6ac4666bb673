/** Who may ask for metrics, and what may stand beside the one parameter that a rule is about: it changes nothing of the rule. */
import * as fc from 'fast-check';
import { billingDimensions, resolutions } from '../../../spec/values.ts';
import type { Run } from '../../engine/conforms.ts';
import type { Client, Exchange } from '../../target/client.ts';
import { answerOf, askMetrics } from './ask.ts';
import type { MetricsQuery } from './ask.ts';
import { dimensions, dimensionsFor, permutationsOf, setsOf } from './dimensions.ts';
import type { Dimension } from './dimensions.ts';
import { DAY, lastOf, pastWindow } from './windows.ts';
import type { Window } from './windows.ts';

const weaker = ['apiKey', 'member', 'workspaceAdmin'] as const;
export type MetricsCaller = 'strongest' | (typeof weaker)[number];

/** Who asks, and with what beside. */
export interface Asking {
  readonly caller: MetricsCaller;
  readonly beside: MetricsQuery;
}

export interface Askings {
  /** Every caller with nothing beside, each parameter alone, and all filters together, the callers in turn; a later page last. */
  readonly each: readonly Asking[];
  readonly any: fc.Arbitrary<Asking>;
}

type Parameter = 'resolution' | 'groupBy' | 'limit' | Filter;
type Filter = 'resourceType' | 'resourceName' | 'resourceUuid' | 'billingDimension' | 'workspace';
type Values = { readonly [Name in Parameter]: readonly string[] };

export interface AskingOptions {
  /** What the rule is about, or what its windows or groups may not have. */
  readonly without?: readonly Parameter[];
  /** Those that its windows may have; left out: all. */
  readonly resolutions?: readonly string[];
  /** Where all that is asked is refused: the page after the first one of this question is asked for as well. */
  readonly refusedIn?: Window & { readonly resolution?: string };
}

export async function askings(run: Run, options: AskingOptions = {}): Promise<Askings> {
  const callers = await metricsCallers(run);
  const later = options.refusedIn === undefined ? [] : await laterPage(run, options.refusedIn);
  return {
    each: [...eachOf(run, callers, options), ...later],
    any: fc.oneof(...callers.map((caller) => anyAs(run, caller, options))),
  };
}

/** The page after the first one of a valid question, asked by its cursor: nothing beside is better for that. None where there is none. */
export async function laterPage(run: Run, question: Window & { resolution?: string }): Promise<Asking[]> {
  const beside = { ...question, groupBy: 'resource_type', limit: 1 };
  const first = await askMetrics(run.client, beside);
  if (first.answer.status !== 200) return [];
  const { hasMore, nextCursor: cursor } = answerOf(first).meta;
  return hasMore ? [{ caller: 'strongest', beside: { ...beside, cursor } }] : [];
}

export function askBeside(run: Run, { caller, beside }: Asking, query: MetricsQuery): Promise<Exchange> {
  return askMetrics(clientOf(run, caller), { ...beside, ...query });
}

export function clientOf(run: Run, caller: MetricsCaller): Client {
  return caller === 'strongest' ? run.client : run.as(caller);
}

/** What a caller may group by; of the weaker ones it is not known whether they are account admins. */
export function dimensionsOf(run: Run, caller: MetricsCaller): readonly Dimension[] {
  return caller === 'strongest' ? dimensionsFor(run) : dimensions.filter((name) => name !== 'workspace');
}

/** Each of these with so many of those, in turn. */
export function inTurn<One, Other>(some: readonly One[], others: readonly Other[], times: number): [One, Other][] {
  return some.flatMap((one, at) =>
    Array.from({ length: times }, (_, nth): [One, Other] => [one, others[(at * times + nth) % others.length]!]),
  );
}

/** Each list of dimensions as asked next by somebody who may name them. */
export function groupedInTurn(groupBys: readonly string[], each: readonly Asking[]): [string, Asking][] {
  return groupBys.map((groupBy, at) => {
    const isForAdmins = groupBy.split(',').includes('workspace');
    const able = each.filter(({ caller }) => !isForAdmins || caller === 'strongest');
    return [groupBy, able[at % able.length]!];
  });
}

/** The strongest, and every other that is answered a plain question. */
function metricsCallers(run: Run): Promise<MetricsCaller[]> {
  return run.once('the callers that may ask for metrics', async () => {
    const callers: MetricsCaller[] = ['strongest'];
    for (const name of weaker) if (await isAnswered(run, name)) callers.push(name);
    return callers;
  });
}

async function isAnswered(run: Run, caller: (typeof weaker)[number]): Promise<boolean> {
  if (run.target.credentials[caller] === undefined) return false;
  return (await askMetrics(run.as(caller), { ...lastOf(pastWindow(run), DAY) })).answer.status === 200;
}

/** Those that every caller may use. */
const filters: readonly Parameter[] = ['resourceType', 'resourceName', 'resourceUuid', 'billingDimension'];

/** Valid for windows of any length, resolutions apart; the first value of a filter is tried alone. */
function valuesFor(run: Run, caller: MetricsCaller, { resolutions: fitting = resolutions }: AskingOptions): Values {
  const names = dimensionsOf(run, caller);
  const { workspace } = run.target;
  return {
    resolution: fitting,
    groupBy: [
      'resource_type',
      ...setsOf(names)
        .flatMap(permutationsOf)
        .map((set) => set.join(',')),
    ],
    limit: ['10', '1', '3', '100'],
    resourceType: ['agent', 'sandbox', 'job', 'mcp_server', 'volume', 'custom_domain'],
    resourceName: ['demo', 'assay-nothing-has-this-name'],
    resourceUuid: ['00000000-0000-4000-8000-000000000000', '3f2b8a4e-5c1d-4e7f-9a6b-0d8c7e5f4a3b'],
    billingDimension: ['agent_compute_runtime_gbs', ...billingDimensions],
    workspace: names.includes('workspace') && workspace !== undefined ? [workspace] : [],
  };
}

function usedValues(run: Run, caller: MetricsCaller, options: AskingOptions): [Parameter, readonly string[]][] {
  const all = Object.entries(valuesFor(run, caller, options)) as [Parameter, readonly string[]][];
  return all.filter(([name, values]) => values.length > 0 && options.without?.includes(name) !== true);
}

function eachOf(run: Run, callers: readonly MetricsCaller[], options: AskingOptions): Asking[] {
  const used = usedValues(run, 'strongest', options);
  const alone = used.flatMap(([name, values]) =>
    (name === 'resolution' ? values : values.slice(0, 1)).map((value) => answerable({ [name]: value }, options)),
  );
  const together = Object.fromEntries(
    used.filter(([name]) => filters.includes(name)).map(([name, [value]]) => [name, value]),
  );
  const asked = inTurn([...alone, together], callers, 1).map(([beside, caller]): Asking => ({
    caller: 'workspace' in beside ? 'strongest' : caller,
    beside,
  }));
  return [...callers.map((caller) => ({ caller, beside: {} })), ...asked];
}

/** Each parameter is there every second time. */
function anyAs(run: Run, caller: MetricsCaller, options: AskingOptions): fc.Arbitrary<Asking> {
  const parameters = usedValues(run, caller, options).map(([name, values]) => [
    name,
    fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 }),
  ]);
  const beside = fc.record<MetricsQuery>(Object.fromEntries(parameters)).map((query) => answerable(query, options));
  return fc.record({ caller: fc.constant(caller), beside });
}

/** A limit is of grouped results, and a billing dimension of one resource type: elsewhere a target may refuse them. */
function answerable(query: MetricsQuery, { without = [] }: AskingOptions): MetricsQuery {
  const { limit, groupBy, resourceType, billingDimension } = query;
  const isGrouped = without.includes('groupBy') || groupBy !== undefined;
  const isOfType = resourceType === undefined || billingDimension?.startsWith(`${resourceType}_`) === true;
  return {
    ...query,
    ...(limit !== undefined && !isGrouped && { groupBy: 'resource_type' }),
    ...(billingDimension !== undefined && !isOfType && { billingDimension: undefined }),
  };
}
