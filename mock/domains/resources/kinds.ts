/** The kinds of resources: one row each, read by the one implementation of list, create, get, update and delete. */
import type { ResourceType } from '../../metrics/dimensions.ts';
import { notFound } from '../../http/problems.ts';
import type { Workspace } from '../../state/accounts.ts';
import { findResource, type Resource } from '../../state/resources.ts';
import { type JsonObject } from '../../http/json-object.ts';
import { checkConnection, checkIntegrationConnections, maskConnectionSecret } from './rules/connections.ts';
import { completeAgent, publicOnlyOnMk3 } from './rules/generation.ts';
import { buildImage } from './rules/image.ts';
import { checkRegion, regionStays } from './rules/region.ts';
import type { Rule } from './rules/rule.ts';
import { maskSecretEnvs } from './rules/secrets.ts';
import { checkTriggers, completeTriggers } from './rules/triggers.ts';
import { checkVolumeAttachments } from './rules/volumes.ts';
import { makeTokenValue, readPreviewToken } from './preview-tokens.ts';
import { inferenceUrl, sandboxUrl } from '../../state/urls.ts';
import { completeVersion, readVersion, showTemplate, showVersion } from './volume-templates.ts';
import type { WorldState } from '../../state/world-state.ts';

export interface Kind {
  /** Last part of its path in the URL. */
  readonly collection: string;
  /** The path parameter that holds a name of this kind. */
  readonly param: string;
  /** Opens sentences. */
  readonly noun: string;
  /** Whose path comes before; absent at the top. */
  readonly parent?: KindId;
  /** Of an account rather than of one workspace of it. */
  readonly ofAccount?: true;
  /** What a write sets going; absent where there is neither status nor events. */
  readonly course?: 'deploy' | 'provision';
  readonly meteredAs?: ResourceType;
  readonly url?: (world: WorldState, workspace: Workspace, resource: Resource) => string;
  /** Applied in this order to every create and update, after the schema: checks first, what has an effect last. */
  readonly rules: readonly Rule[];
  /** For bodies that have not the common envelope. */
  readonly read?: (body: JsonObject) => Writing;
  /** For answers that have not the common envelope, or more than it. */
  readonly show?: (world: WorldState, place: Place, resource: Resource) => object;
}

/** What a client asks to be written. */
export interface Writing {
  readonly metadata: Readonly<{ name: string }>;
  readonly spec: object;
}

export type KindId = keyof typeof rows;

const rows = {
  agents: {
    collection: 'agents',
    param: 'agentName',
    noun: 'Agent',
    course: 'deploy',
    meteredAs: 'agent',
    url: inferenceUrl('agents'),
    rules: [
      completeAgent,
      publicOnlyOnMk3,
      checkTriggers,
      checkVolumeAttachments,
      completeTriggers,
      maskSecretEnvs,
      buildImage,
    ],
  },
  functions: {
    collection: 'functions',
    param: 'functionName',
    noun: 'Function',
    course: 'deploy',
    meteredAs: 'mcp_server',
    url: inferenceUrl('functions'),
    rules: [checkIntegrationConnections, maskSecretEnvs, buildImage],
  },
  models: {
    collection: 'models',
    param: 'modelName',
    noun: 'Model',
    course: 'deploy',
    url: inferenceUrl('models'),
    rules: [maskSecretEnvs],
  },
  sandboxes: {
    collection: 'sandboxes',
    param: 'sandboxName',
    noun: 'Sandbox',
    course: 'deploy',
    meteredAs: 'sandbox',
    url: sandboxUrl,
    rules: [checkRegion, maskSecretEnvs, buildImage],
  },
  previews: {
    collection: 'previews',
    param: 'previewName',
    noun: 'Preview',
    parent: 'sandboxes',
    rules: [],
  },
  tokens: {
    collection: 'tokens',
    param: 'tokenName',
    noun: 'Preview token',
    parent: 'previews',
    rules: [makeTokenValue],
    read: readPreviewToken,
  },
  jobs: {
    collection: 'jobs',
    param: 'jobName',
    noun: 'Job',
    course: 'deploy',
    meteredAs: 'job',
    rules: [maskSecretEnvs, buildImage],
  },
  volumes: {
    collection: 'volumes',
    param: 'volumeName',
    noun: 'Volume',
    course: 'provision',
    meteredAs: 'volume',
    rules: [checkRegion, regionStays],
  },
  volume_templates: {
    collection: 'volume_templates',
    param: 'volumeTemplateName',
    noun: 'Volume template',
    rules: [],
    show: showTemplate,
  },
  versions: {
    collection: 'versions',
    param: 'versionName',
    noun: 'Volume template version',
    parent: 'volume_templates',
    rules: [completeVersion],
    read: readVersion,
    show: showVersion,
  },
  vpcs: { collection: 'vpcs', param: 'vpcName', noun: 'VPC', course: 'provision', rules: [] },
  'integrations/connections': {
    collection: 'integrations/connections',
    param: 'connectionName',
    noun: 'Integration connection',
    rules: [checkConnection, maskConnectionSecret],
  },
  customdomains: {
    collection: 'customdomains',
    param: 'customDomainName',
    noun: 'Custom domain',
    course: 'provision',
    meteredAs: 'custom_domain',
    rules: [],
  },
  policies: { collection: 'policies', param: 'policyName', noun: 'Policy', rules: [] },
  images: { collection: 'images', param: 'imageName', noun: 'Image', rules: [] },
  workspaces: {
    collection: 'workspaces',
    param: 'workspaceName',
    noun: 'Workspace',
    ofAccount: true,
    rules: [checkRegion, regionStays],
  },
} as const satisfies Record<string, Omit<Kind, 'parent'> & { parent?: string }>;

export const kinds: { readonly [Id in KindId]: Kind } = rows;

export const kindIds = Object.keys(rows) as readonly KindId[];

/** Where resources of a kind are, for a call about a workspace and with these path values. */
export interface Place {
  readonly id: KindId;
  readonly kind: Kind;
  readonly workspace: Workspace;
  /** Of what it is nested in. */
  readonly path: PathValues;
  /** As in the URL, without the slash before it: `sandboxes/demo-box/previews`. */
  readonly collection: string;
  /** Of the collection in the world's resources. */
  readonly key: string;
}

export type PathValues = Readonly<Record<string, string | undefined>>;

export function placeOf(id: KindId, workspace: Workspace, path: PathValues = {}): Place {
  const kind = kinds[id];
  const collection = collectionOf(kind, path);
  const home = kind.ofAccount === true ? accountHome(workspace.account) : workspace.name;
  return { id, kind, workspace, path, collection, key: `${home}/${collection}` };
}

function accountHome(account: string): string {
  return `account:${account}`;
}

function collectionOf({ collection, parent }: Kind, path: PathValues): string {
  if (parent === undefined) return collection;
  const parentKind = kinds[parent];
  return `${collectionOf(parentKind, path)}/${path[parentKind.param]}/${collection}`;
}

/** The place with a path such as `sandboxes/demo-box/previews`; undefined where no kind has such a path. */
export function placeAt(workspace: Workspace, collection: string): Place | undefined {
  const top = kindIds.find((id) => kinds[id].parent === undefined && kinds[id].collection === collection);
  if (top !== undefined) return placeOf(top, workspace);
  const [, above = '', name, last] = /^(.+)\/([^/]+)\/([^/]+)$/.exec(collection) ?? [];
  const parent = above === '' ? undefined : placeAt(workspace, above);
  const nested = kindIds.find(
    (id) => parent !== undefined && kinds[id].parent === parent.id && kinds[id].collection === last,
  );
  return parent && nested && placeOf(nested, workspace, { ...parent.path, [parent.kind.param]: name });
}

/** Throws notFound for the outermost missing resource that the place is nested in. */
export function requireParents(world: WorldState, { kind, workspace, path }: Place): void {
  if (kind.parent === undefined) return;
  const parent = placeOf(kind.parent, workspace, path);
  requireParents(world, parent);
  const name = path[parent.kind.param] ?? '';
  if (findResource(world, parent.key, name) === undefined) throw notFound(parent.kind.noun, name);
}
