/** The table of all operations of the four documents, read when this module is loaded. */

import { DEFAULT_BRAND, headerNames } from './brand.ts';
import type { FoundOperation, OpenApiDocument, SecurityRequirement, Surface } from './openapi-document.ts';
import { documentOf } from './documents.ts';
import { contentOf, eachOperation, resolve, surfaces } from './openapi-document.ts';
import type { OperationId, Scope } from './generated/types.ts';

export type { OperationId, Scope } from './generated/types.ts';

export interface PathParameter {
  readonly name: string;
  /** Whether the value may contain slashes, so that it matches the rest of the path. */
  readonly slashes: boolean;
}

export interface Operation {
  readonly id: OperationId;
  readonly surface: Surface;
  readonly method: FoundOperation['method'];
  /** Template relative to the address of the surface, with parameters in braces. */
  readonly path: string;
  readonly pathParameters: readonly PathParameter[];
  /** Names of the query parameters. */
  readonly queryParameters: readonly string[];
  /** Names of the header parameters, with the default brand. */
  readonly headerParameters: readonly string[];
  readonly summary: string;
  /** False for an inferred operation, which follows the pattern of its resource kind. */
  readonly documented: boolean;
  /** False if no credential is required, as for the OAuth endpoints. */
  readonly security: boolean;
  /** Whether a credential is not always required, as for public agents. */
  readonly credentialOptional: boolean;
  /** Whether scopes are checked. False on host, inference and sandbox, which have no documented scopes. */
  readonly scoped: boolean;
  /** Scopes that are sufficient in addition to admin. Meaningless if `scoped` is false. */
  readonly scopes: readonly Scope[];
  /** Whether the operation accepts the version header. */
  readonly versioned: boolean;
  readonly hasBody: boolean;
  /** False if the body is optional or there is none. */
  readonly bodyRequired: boolean;
  /** First media type of the request body; undefined without a body. */
  readonly bodyType: string | undefined;
  /** All media types of the request body. */
  readonly bodyTypes: readonly string[];
}

/** All operations, surface by surface in the order of their documents. */
export const operations: readonly Operation[] = surfaces.flatMap(operationsOf);

const byId = new Map<string, Operation>(operations.map((each) => [each.id, each]));

/** The GET of a path of the management API. Undefined if there is none, not even an inferred one. */
export const managementReadAt = (at: string): Operation | undefined =>
  operations.find(({ surface, method, path }) => surface === 'management' && method === 'GET' && path === at);

export function isOperationId(text: string): text is OperationId {
  return byId.has(text);
}

/** Returns the operation of an id. Throws for an unknown id. */
export function operation(id: OperationId): Operation {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`The documents have no operation "${id}".`);
  return found;
}

function operationsOf(surface: Surface): Operation[] {
  const document = documentOf(surface);
  return eachOperation(document).map((found) => rowOf(surface, document, found));
}

function rowOf(surface: Surface, document: OpenApiDocument, found: FoundOperation): Operation {
  const { path, method, parameters } = found;
  const versionHeader = headerNames(DEFAULT_BRAND).version;
  const inPath = parameters.filter((each) => each.in === 'path');
  return {
    id: found.operation.operationId as OperationId,
    surface,
    method,
    path,
    pathParameters: inPath.map((each) => ({ name: each.name, slashes: each['x-slashes'] === true })),
    queryParameters: parameters.filter((each) => each.in === 'query').map((each) => each.name),
    headerParameters: parameters.filter((each) => each.in === 'header').map((each) => each.name),
    summary: found.operation.summary,
    documented: found.operation['x-documented'] !== false,
    versioned: parameters.some((each) => each.in === 'header' && each.name === versionHeader),
    ...securityOf(found.operation.security ?? document.security),
    ...bodyOf(document, found),
  };
}

function securityOf(
  requirements: readonly SecurityRequirement[],
): Pick<Operation, 'security' | 'credentialOptional' | 'scoped' | 'scopes'> {
  const required = requirements.flatMap((each) => each['oauth'] ?? []) as Scope[];
  const security = requirements.length > 0;
  return {
    security,
    credentialOptional: security && requirements.some((each) => Object.keys(each).length === 0),
    scoped: required.length > 0,
    scopes: required.filter((scope) => scope !== 'admin'),
  };
}

function bodyOf(
  document: OpenApiDocument,
  { operation: { requestBody } }: FoundOperation,
): Pick<Operation, 'hasBody' | 'bodyRequired' | 'bodyType' | 'bodyTypes'> {
  if (requestBody === undefined) return { hasBody: false, bodyRequired: false, bodyType: undefined, bodyTypes: [] };
  const body = resolve(document, requestBody);
  const bodyTypes = contentOf(body).map(([type]) => type);
  return { hasBody: true, bodyRequired: body.required === true, bodyType: bodyTypes[0], bodyTypes };
}
