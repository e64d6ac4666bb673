/** Derives the tables of operations and enumerations from the documents. */

import { DEFAULT_BRAND, headerNames } from './brand.ts';
import type {
  BillingDimension,
  DeploymentStatus,
  GroupByDimension,
  OperationId,
  Resolution,
  Scope,
} from './generated/types.ts';
import { contentOf, eachOperation, resolve, surfaces } from './openapi-document.ts';
import type { FoundOperation, OpenApiDocument, Schema, SecurityRequirement, Surface } from './openapi-document.ts';
import type { Operation, Tables } from './table-types.ts';

/** `documents`: of the earliest version. `later`: the management document of each later version, in chronological order. */
export function tablesOf(
  documents: Readonly<Record<Surface, OpenApiDocument>>,
  later: readonly (readonly [version: string, OpenApiDocument])[],
): Tables {
  const { schemas, securitySchemes } = documents.management.components;
  return {
    operations: [
      ...surfaces.flatMap((surface) => operationsOf(surface, documents[surface])),
      ...addedOperations(documents.management, later),
    ],
    enumerations: {
      statuses: enumeration<DeploymentStatus>(schemas['DeploymentStatus']?.enum),
      generations: enumeration(schemas['AgentRuntime']?.properties?.['generation']?.enum),
      triggerTypes: enumeration(schemas['Trigger']?.properties?.['type']?.enum),
      resolutions: enumeration<Resolution>(schemas['Resolution']?.enum),
      groupByDimensions: enumeration<GroupByDimension>(schemas['GroupByDimension']?.enum),
      billingDimensions: enumeration<BillingDimension>(schemas['BillingDimension']?.enum),
      scopes: enumeration<Scope>(Object.keys(securitySchemes['oauth']?.flows?.['clientCredentials']?.scopes ?? {})),
    },
    billingDimensionTable: dimensionTable(schemas['BillingDimension']),
  };
}

function dimensionTable(schema: Schema | undefined): Tables['billingDimensionTable'] {
  const table = schema?.['x-dimensions'];
  if (table === undefined) throw new Error('The table of billing dimensions is missing from the documents.');
  return table as Tables['billingDimensionTable'];
}

// The documents are data at run time; only the generated types know their literals.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function enumeration<Value extends string>(values: readonly string[] | undefined): readonly Value[] {
  if (values === undefined || values.length === 0) throw new Error('An enumeration is missing from the documents.');
  return values as readonly Value[];
}

function operationsOf(surface: Surface, document: OpenApiDocument): Operation[] {
  return eachOperation(document).map((found) => rowOf(surface, document, found));
}

/** What each version has and no version before it. */
function addedOperations(
  earliest: OpenApiDocument,
  later: readonly (readonly [version: string, OpenApiDocument])[],
): Operation[] {
  const known = new Set(operationsOf('management', earliest).map(({ id }) => id));
  return later.flatMap(([version, document]) => {
    const added = operationsOf('management', document).filter(({ id }) => !known.has(id));
    for (const { id } of added) known.add(id);
    return added.map((row) => ({ ...row, since: version }));
  });
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
  if (requestBody === undefined) return { hasBody: false, bodyRequired: false, bodyTypes: [] };
  const body = resolve(document, requestBody);
  const bodyTypes = contentOf(body).map(([type]) => type);
  const [bodyType] = bodyTypes;
  return {
    hasBody: true,
    bodyRequired: body.required === true,
    ...(bodyType !== undefined && { bodyType }),
    bodyTypes,
  };
}
