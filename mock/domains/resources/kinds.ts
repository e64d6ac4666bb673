/** The table of resource kinds. All share one implementation of list, create, get, update and delete. */
import { beingDeleted, notFound } from '../../http/problems.ts';
import type { Workspace } from '../../state/accounts.ts';
import { isBeingDeleted } from '../../state/deployments.ts';
import { findResource } from '../../state/resources.ts';
import {
  checkConnection,
  checkIntegrationConnections,
  maskConnectionSecret,
  verifyConnection,
} from './rules/connections.ts';
import { completeAgent, publicOnlyOnMk3 } from './rules/generation.ts';
import { buildImage } from './rules/image.ts';
import { checkRegion, regionStays } from './rules/region.ts';
import type { Kind, KindId, PathValues, Place } from './kind.ts';
import { checkAgentLimits, checkLimits } from './rules/limits.ts';
import { checkRevisions } from './rules/revisions.ts';
import { maskSecretEnvs } from './rules/secrets.ts';
import { checkTriggers, completeTriggers } from './rules/triggers.ts';
import { checkPolicies } from './rules/policies.ts';
import { checkMountedVolumes, checkVolumeAttachments } from './rules/volumes.ts';
import { checkPreview, previewBody } from './previews.ts';
import { checkExpiry, makeTokenValue, readPreviewToken } from './preview-tokens.ts';
import { inferenceUrl, sandboxUrl } from '../../state/urls.ts';
import { completeVersion, readVersion, templateBody, versionBody } from './volume-templates.ts';
import type { WorldState } from '../../state/world-state.ts';

export const kinds: { readonly [Id in KindId]: Kind } = {
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
      checkAgentLimits,
      checkRevisions,
      checkTriggers,
      checkPolicies,
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
    rules: [
      checkLimits,
      checkRevisions,
      checkPolicies,
      checkMountedVolumes,
      checkIntegrationConnections,
      maskSecretEnvs,
      buildImage,
    ],
  },
  models: {
    collection: 'models',
    param: 'modelName',
    noun: 'Model',
    course: 'deploy',
    url: inferenceUrl('models'),
    rules: [checkLimits, checkRevisions, checkPolicies, checkMountedVolumes, maskSecretEnvs],
  },
  sandboxes: {
    collection: 'sandboxes',
    param: 'sandboxName',
    noun: 'Sandbox',
    course: 'deploy',
    meteredAs: 'sandbox',
    url: sandboxUrl,
    rules: [checkRegion, checkLimits, checkRevisions, checkPolicies, checkMountedVolumes, maskSecretEnvs, buildImage],
  },
  previews: {
    collection: 'previews',
    param: 'previewName',
    noun: 'Preview',
    parent: 'sandboxes',
    rules: [checkPreview],
    toBody: previewBody,
  },
  tokens: {
    collection: 'tokens',
    param: 'tokenName',
    noun: 'Preview token',
    parent: 'previews',
    rules: [checkExpiry, makeTokenValue],
    fromBody: readPreviewToken,
  },
  jobs: {
    collection: 'jobs',
    param: 'jobName',
    noun: 'Job',
    course: 'deploy',
    meteredAs: 'job',
    rules: [checkLimits, checkRevisions, checkPolicies, checkMountedVolumes, maskSecretEnvs, buildImage],
  },
  volumes: {
    collection: 'volumes',
    param: 'volumeName',
    noun: 'Volume',
    course: 'provision',
    meteredAs: 'volume',
    rules: [checkRegion, regionStays, checkLimits],
  },
  volume_templates: {
    collection: 'volume_templates',
    param: 'volumeTemplateName',
    noun: 'Volume template',
    rules: [checkLimits],
    toBody: templateBody,
  },
  versions: {
    collection: 'versions',
    param: 'versionName',
    noun: 'Volume template version',
    parent: 'volume_templates',
    rules: [checkLimits, completeVersion],
    fromBody: readVersion,
    toBody: versionBody,
  },
  vpcs: { collection: 'vpcs', param: 'vpcName', noun: 'VPC', course: 'provision', rules: [] },
  'integrations/connections': {
    collection: 'integrations/connections',
    param: 'connectionName',
    noun: 'Integration connection',
    rules: [checkConnection, verifyConnection, maskConnectionSecret],
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
};

export const kindIds = Object.keys(kinds) as readonly KindId[];

export function placeOf(id: KindId, workspace: Workspace, path: PathValues = {}): Place {
  const kind = kinds[id];
  const collection = collectionPath(kind, path);
  const home = kind.ofAccount === true ? accountHome(workspace.account) : workspace.name;
  return { id, kind, workspace, path, collection, key: `${home}/${collection}` };
}

function accountHome(account: string): string {
  return `account:${account}`;
}

function collectionPath({ collection, parent }: Kind, path: PathValues): string {
  if (parent === undefined) return collection;
  const parentKind = kinds[parent];
  return `${collectionPath(parentKind, path)}/${path[parentKind.param]}/${collection}`;
}

/** By the path of their collection. */
const topKinds: ReadonlyMap<string, KindId> = new Map(
  kindIds.filter((id) => kinds[id].parent === undefined).map((id) => [kinds[id].collection, id]),
);

/** The place of a path such as `sandboxes/demo-box/previews`; undefined if no kind has it. */
export function placeAt(workspace: Workspace, collection: string): Place | undefined {
  const top = topKinds.get(collection);
  if (top !== undefined) return placeOf(top, workspace);
  const [, above = '', name, last] = /^(.+)\/([^/]+)\/([^/]+)$/.exec(collection) ?? [];
  const parent = above === '' ? undefined : placeAt(workspace, above);
  const nested = kindIds.find(
    (id) => parent !== undefined && kinds[id].parent === parent.id && kinds[id].collection === last,
  );
  return parent && nested && placeOf(nested, workspace, { ...parent.path, [parent.kind.param]: name });
}

/** The place and the name in it of the parent of a nested collection, and the parent if it exists; undefined for others. */
function parentOf(world: WorldState, { kind, workspace, path }: Place) {
  if (kind.parent === undefined) return undefined;
  const place = placeOf(kind.parent, workspace, path);
  const name = path[place.kind.param] ?? '';
  return { place, name, resource: findResource(world, place.key, name) };
}

/** Throws notFound for the outermost missing parent. */
export function requireParents(world: WorldState, place: Place): void {
  const parent = parentOf(world, place);
  if (parent === undefined) return;
  requireParents(world, parent.place);
  if (parent.resource === undefined) throw notFound(parent.place.kind.noun, parent.name);
}

/** Throws a problem if the parent of a nested collection is being deleted, which also deletes everything nested. */
export function requireLastingParent(world: WorldState, place: Place): void {
  const parent = parentOf(world, place);
  if (parent?.resource !== undefined && isBeingDeleted(parent.resource.deployments))
    throw beingDeleted(parent.place.kind.noun, parent.name);
}
