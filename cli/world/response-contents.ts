/** The resources that responses of a deployment show, as they were after the last one. */
import { pathOf } from '../../mock/world/resource-fault.ts';
import { kindIds, kinds } from '../../mock/domains/resources/kinds.ts';
import type { KindId } from '../../mock/domains/resources/kind.ts';
import { operation, type OperationId } from '../../spec/operations.ts';
import { fieldsOf, isFields, type Fields } from '../../suites/json/fields.ts';
import { metadataIn } from '../../suites/json/metadata-in.ts';
import { listIn, nameOf } from '../../suites/json/named-items.ts';

/** A response with status 2xx. */
export interface DeploymentResponse {
  readonly operation: OperationId;
  /** Of the request, below the address of the surface, with its query. */
  readonly path: string;
  readonly json: unknown;
}

export interface DeploymentResource {
  readonly kind: KindId;
  /** As in the URL: `sandboxes/demo-box/previews`. */
  readonly collection: string;
  readonly name: string;
  readonly fields: Fields;
}

export interface ResponseContents {
  readonly resources: readonly DeploymentResource[];
  /** How many responses have no resource, by operation. */
  readonly others: ReadonlyMap<OperationId, number>;
}

/** By the template of their path. */
const collections = new Map(kindIds.map((id) => [`/${pathOf(kinds[id])}`, id]));
const items = new Map(kindIds.map((id) => [`/${pathOf(kinds[id])}/{${kinds[id].param}}`, id]));

export function contentsOf(responses: readonly DeploymentResponse[]): ResponseContents {
  const found = new Map<string, DeploymentResource>();
  const others = new Map<OperationId, number>();
  /** By collection and name: that of the latest response. */
  const workspaces = new Map<string, string>();
  for (const response of responses) {
    const { method, path: template, surface } = operation(response.operation);
    const segments = pathSegments(response.path);
    const ofCollection = surface === 'management' ? collections.get(template) : undefined;
    const ofItem = surface === 'management' ? items.get(template) : undefined;
    if (ofItem !== undefined && method === 'DELETE') remove(segments);
    else if (ofItem !== undefined) add(ofItem, segments.slice(0, -1), response.json);
    else if (ofCollection !== undefined && method === 'POST') add(ofCollection, segments, response.json);
    else if (ofCollection !== undefined && method === 'GET')
      for (const item of listIn(response.json) ?? []) add(ofCollection, segments, item);
    else others.set(response.operation, (others.get(response.operation) ?? 0) + 1);
  }
  return { resources: [...found.values()], others };

  function add(kind: KindId, parent: readonly string[], json: unknown): void {
    const name = nameOf(json);
    if (name === undefined || !isFields(json)) return;
    const collection = parent.join('/');
    const placeIn = (workspace: string): string => JSON.stringify([workspace, collection, name]);
    // Lists may omit the workspace.
    const unplaced = `${collection}/${name}`;
    const workspace = workspaceOf(json) ?? workspaces.get(unplaced) ?? '';
    const known = { ...found.get(placeIn(''))?.fields, ...found.get(placeIn(workspace))?.fields };
    if (workspace !== '') found.delete(placeIn(''));
    workspaces.set(unplaced, workspace);
    // A response may show less than an earlier one.
    found.set(placeIn(workspace), { kind, collection, name, fields: { ...known, ...json } });
    if (kind === 'volume_templates' && Array.isArray(json['versions']))
      for (const version of json['versions']) add('versions', [...parent, name, 'versions'], version);
  }

  function remove(segments: readonly string[]): void {
    const path = segments.join('/');
    for (const [place, { collection, name }] of found)
      if (`${collection}/${name}/`.startsWith(`${path}/`)) found.delete(place);
  }
}

export const workspaceOf = (json: unknown): string | undefined =>
  textIn(metadataIn(json)['workspace'] ?? fieldsOf(json)?.['workspace']);

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const pathSegments = (path: string): string[] =>
  path
    .split('?', 1)[0]!
    .split('/')
    .slice(1)
    .map((each) => decodeURIComponent(each));
