/** Lists what a deployment has: one GET request per kind of resource, whose lists are not documented. */
import type { OperationId } from '../../spec/operations.ts';
import { strongestCaller } from '../../suites/engine/callers.ts';
import { fieldsOf } from '../../suites/json/fields.ts';
import type { Fields } from '../../suites/json/fields.ts';
import { jsonIn } from '../../suites/json/json-in.ts';
import { listIn, nameOf } from '../../suites/json/named-items.ts';
import { metadataIn } from '../../suites/json/metadata-in.ts';
import type { Target } from '../../suites/target/target.ts';
import { explainNetworkError } from '../command-line/network-error.ts';
import { hasResponse } from '../doctor/prober.ts';
import type { ProbeResult, Prober } from '../doctor/prober.ts';
import { isPlainName } from './plain-text.ts';

const listOperations = {
  agents: 'listAgents',
  models: 'listModels',
  functions: 'listFunctions',
  jobs: 'listJobs',
  sandboxes: 'listSandboxes',
  volumes: 'listVolumes',
  connections: 'listIntegrationConnections',
  integrations: 'listIntegrations',
  policies: 'listPolicies',
  workspaces: 'listWorkspaces',
} as const satisfies Record<string, OperationId>;

type Kind = keyof typeof listOperations;
const kinds = Object.keys(listOperations) as Kind[];

export interface ListedResource {
  /** A plain name. */
  readonly name: string;
  readonly fields: Fields;
}

export interface Inventory {
  /** Empty for a kind that could not be listed. */
  readonly lists: Readonly<Record<Kind, readonly ListedResource[]>>;
  /** Whether the deployment returned a list of some kind, even an empty one. */
  readonly hasLists: boolean;
  /** The status of each response; undefined if there was none. */
  readonly statuses: readonly (number | undefined)[];
  /** What could not be listed and why, such as "GET /agents, GET /jobs returned 404". */
  readonly refusals: readonly string[];
  /** The number of resources that were skipped because of their names. */
  readonly skippedCount: number;
}

/** A longer list is truncated. */
const MAX_ITEMS = 1000;
/** Those of the examples of the interface; reading an integration is documented. */
const exampleIntegrations = ['github', 'google-mail'];

/** `isSecret`: whether a text contains a credential, which a target may repeat. */
export async function listResources(
  target: Target,
  prober: Prober,
  isSecret: (text: string) => boolean,
): Promise<Inventory> {
  const caller = strongestCaller(target);
  const responses = await Promise.all(kinds.map((kind) => prober.call(listOperations[kind], caller)));
  const parsed = responses.map(itemsOf);
  const found = new Map(kinds.map((kind, index) => [kind, parsed[index]]));
  if (found.get('integrations') === undefined) found.set('integrations', await readIntegrations(target, prober));
  const items = [...found.values()].flatMap((each) => each ?? []);
  const usable = new Set(items.filter((item) => isPlainName(item.name) && !textsForTarget(item).some(isSecret)));
  const listOf = (kind: Kind): ListedResource[] => (found.get(kind) ?? []).filter((item) => usable.has(item));
  return {
    lists: Object.fromEntries(kinds.map((kind) => [kind, listOf(kind)])) as unknown as Inventory['lists'],
    hasLists: items.length > 0 || parsed.some((each) => each !== undefined),
    statuses: responses.map((response) => (hasResponse(response) ? response.status : undefined)),
    refusals: describeRefusals(responses.filter((_, index) => parsed[index] === undefined)),
    skippedCount: items.length - usable.size,
  };
}

/** What may be written into the target file. */
const textsForTarget = ({ name, fields }: ListedResource): string[] =>
  [name, metadataIn(fields)['workspace'], metadataIn(fields)['url'], fieldsOf(fields['spec'])?.['region']].filter(
    (value) => typeof value === 'string',
  );

/** Undefined if it is not a list. */
function itemsOf(response: ProbeResult): ListedResource[] | undefined {
  if (!hasResponse(response) || response.status !== 200) return undefined;
  const items = listIn(jsonIn(response.text))?.slice(0, MAX_ITEMS);
  return items?.flatMap((fields) => {
    const name = nameOf(fields);
    return name === undefined ? [] : [{ name, fields }];
  });
}

async function readIntegrations(target: Target, prober: Prober): Promise<ListedResource[]> {
  const read = async (integrationName: string): Promise<ListedResource[]> => {
    const response = await prober.call('getIntegration', strongestCaller(target), { path: { integrationName } });
    return hasResponse(response) && response.status === 200 ? [{ name: integrationName, fields: {} }] : [];
  };
  return (await Promise.all(exampleIntegrations.map(read))).flat();
}

/** One text for all requests with the same outcome. */
const describeRefusals = (responses: readonly ProbeResult[]): string[] =>
  [...Map.groupBy(responses, outcomeOf)].map(
    ([outcome, own]) => `${own.map(({ request }) => request).join(', ')}${outcome}`,
  );

function outcomeOf(response: ProbeResult): string {
  if (!hasResponse(response)) return `: ${explainNetworkError(response.error).what}`;
  return response.status === 200 ? ' returned no list' : ` returned ${response.status}`;
}
