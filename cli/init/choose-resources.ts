/** Chooses from what a deployment lists: its workspace, one resource of each kind, and their addresses. */
import type { KnownResources } from '../../spec/formats/target-file.ts';
import { fieldsOf } from '../../suites/json/fields.ts';
import { metadataIn } from '../../suites/json/metadata-in.ts';
import type { Inventory, ListedResource } from './list-resources.ts';
import { isPlainName, isPlainUrl } from './plain-text.ts';

type ResourceKey = Exclude<keyof KnownResources, 'previewTokens' | 'templateVersions'>;

export interface Choice {
  /** Absent if nothing tells the workspace. */
  readonly workspace?: string;
  readonly resources: KnownResources;
  /** Further names by key, which could be used instead. */
  readonly others: Readonly<Partial<Record<ResourceKey | 'workspace', readonly string[]>>>;
  /** From the URLs that the chosen resources report. */
  readonly addresses: { readonly inference?: string; readonly sandbox?: string };
}

const MAX_OTHERS = 5;
const MAX_POLICIES = 3;

/** `given`: the workspace of the environment. */
export function chooseResources({ lists }: Inventory, given: string | undefined): Choice {
  const workspace = given ?? likeliestWorkspace(lists);
  const own = (items: readonly ListedResource[]): ListedResource[] =>
    items.filter((item) => isIn(item, workspace)).toSorted(byRank);
  const ofGeneration = (generation: string) => own(lists.agents).filter((item) => generationOf(item) === generation);
  const isMail = ({ name }: ListedResource): boolean => /mail/i.test(name);
  const choices = {
    agent: ofGeneration('mk2'),
    mk3Agent: ofGeneration('mk3'),
    model: own(lists.models),
    function: own(lists.functions),
    job: own(lists.jobs),
    sandbox: own(lists.sandboxes),
    connection: own(lists.connections),
    integration: lists.integrations.filter((item) => !isMail(item)),
    mailIntegration: lists.integrations.filter(isMail),
  };
  const named = Object.entries(choices).flatMap(([key, [first]]) => (first === undefined ? [] : [[key, first.name]]));
  const volumes = own(lists.volumes).filter((item) => regionOf(item) !== undefined);
  const [volume] = volumes;
  const policies = own(lists.policies).map(({ name }) => name);
  const workspaces = lists.workspaces.map(({ name }) => name).filter((name) => name !== workspace);
  const candidates = { ...choices, volume: volumes };
  return {
    ...(workspace !== undefined && { workspace }),
    resources: {
      ...(Object.fromEntries(named) as KnownResources),
      ...(volume && { volume: { name: volume.name, region: regionOf(volume) ?? '' } }),
      ...(policies.length > 0 && { policies: policies.slice(0, MAX_POLICIES) }),
    },
    others: {
      ...Object.fromEntries(Object.entries(candidates).map(([key, items]) => [key, namesAfterFirst(items)])),
      workspace: workspaces.slice(0, MAX_OTHERS),
    },
    addresses: addressesOf(choices, workspace),
  };
}

const namesAfterFirst = (items: readonly ListedResource[]): string[] =>
  items.slice(1, 1 + MAX_OTHERS).map(({ name }) => name);

const workspaceOf = ({ fields }: ListedResource): string | undefined => plainIn(metadataIn(fields)['workspace']);
const specOf = ({ fields }: ListedResource) => fieldsOf(fields['spec']);
const regionOf = (item: ListedResource): string | undefined => plainIn(specOf(item)?.['region']);
const generationOf = (item: ListedResource): unknown => fieldsOf(specOf(item)?.['runtime'])?.['generation'];
const plainIn = (value: unknown): string | undefined =>
  typeof value === 'string' && isPlainName(value) ? value : undefined;

const isIn = (item: ListedResource, workspace: string | undefined): boolean =>
  workspace === undefined || (workspaceOf(item) ?? workspace) === workspace;

/** The one of most resources; without resources, the first of the list of workspaces. */
function likeliestWorkspace({ workspaces, integrations: _, ...lists }: Inventory['lists']): string | undefined {
  const items = Object.values(lists).flat();
  const counts = Map.groupBy(items, workspaceOf);
  const [most] = [...counts].filter(([name]) => name !== undefined).toSorted(([, a], [, b]) => b.length - a.length);
  return most?.[0] ?? workspaces[0]?.name;
}

/** Deployed and enabled resources first, and of these the ones that seem to be made for tests. */
const byRank = (a: ListedResource, b: ListedResource): number => rankOf(a) - rankOf(b);

function rankOf(item: ListedResource): number {
  const { status = 'DEPLOYED' } = item.fields;
  const isReady = status === 'DEPLOYED' && specOf(item)?.['enabled'] !== false;
  return (isReady ? 0 : 2) + (/demo|test|example|assay/i.test(item.name) ? 0 : 1);
}

/** The inference address is what precedes the path of a resource in its URL. */
function addressesOf(
  choices: Readonly<Record<'agent' | 'mk3Agent' | 'model' | 'function' | 'sandbox', readonly ListedResource[]>>,
  workspace: string | undefined,
): Choice['addresses'] {
  const { agent, mk3Agent, model, function: tools, sandbox } = choices;
  const collections = [
    ...[agent, mk3Agent].map((items) => ['agents', items] as const),
    ['models', model] as const,
    ['functions', tools] as const,
  ];
  const bases = collections.flatMap(([collection, [first]]) => {
    const url = first && urlOf(first);
    const path = `/${workspace}/${collection}/${first?.name}`;
    return url?.endsWith(path) === true ? [url.slice(0, -path.length)] : [];
  });
  const inference = bases.find(isPlainUrl);
  const sandboxUrl = sandbox[0] && urlOf(sandbox[0]);
  return { ...(inference !== undefined && { inference }), ...(sandboxUrl !== undefined && { sandbox: sandboxUrl }) };
}

function urlOf({ fields }: ListedResource): string | undefined {
  const { url } = metadataIn(fields);
  return typeof url === 'string' && isPlainUrl(url) ? url.replace(/\/+$/, '') : undefined;
}
