/** The operations of each version, and the schemas of their bodies. */
import { headerNames } from './brand.ts';
import { documentOf } from './documents.ts';
import type { OperationId } from './generated/types.ts';
import type { Content, FoundOperation, OpenApiDocument, Schema } from './openapi-document.ts';
import { eachOperation, keyFor, resolve } from './openapi-document.ts';
import { operation, operations } from './operations.ts';
import { earliestStable, isKnownVersion, versions } from './versions.ts';

/** A schema, and the document to which its references belong. */
export interface PlacedSchema {
  readonly document: OpenApiDocument;
  readonly schema: Schema;
}

const operationsByVersion = new Map<string, ReadonlyMap<string, FoundOperation>>();

/** An operation as a listed version has it. Undefined if it is not part of that version. Only management has versions. */
export function operationIn(version: string, id: OperationId): FoundOperation | undefined {
  const document = documentIn(version, id);
  const key = `${operation(id).surface} ${document.info.version}`;
  let found = operationsByVersion.get(key);
  if (found === undefined) {
    found = new Map(eachOperation(document).map((each) => [each.operation.operationId, each]));
    operationsByVersion.set(key, found);
  }
  return found.get(id);
}

const documentIn = (version: string, id: OperationId): OpenApiDocument => documentOf(operation(id).surface, version);

/**
 * Undefined without a body that is JSON or a form, or if the version does not have the operation. `version`: defaults to the first
 * that has it.
 */
export function requestSchema(id: OperationId, version: string = firstVersionOf(id)): PlacedSchema | undefined {
  const requestBody = operationIn(version, id)?.operation.requestBody;
  if (requestBody === undefined) return undefined;
  const document = documentIn(version, id);
  const { content } = resolve<Content>(document, requestBody);
  return placed(document, (content?.[JSON_TYPE] ?? content?.['application/x-www-form-urlencoded'])?.schema);
}

/**
 * Of an unlisted 2xx status: the schema of the listed success. Undefined without a documented JSON body, or if the version does not
 * have the operation. `version`: defaults to the first that has it.
 */
export function replySchema(
  id: OperationId,
  status: number,
  version: string = firstVersionOf(id),
): PlacedSchema | undefined {
  const responses = operationIn(version, id)?.operation.responses ?? {};
  const response = responses[keyFor(status, Object.keys(responses)) ?? ''];
  const document = documentIn(version, id);
  return response && placed(document, resolve<Content>(document, response).content?.[JSON_TYPE]?.schema);
}

const JSON_TYPE = 'application/json';

/** The listed version that a request names. Undefined if it names none, another value, or several. */
export function listedVersionIn(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  brand: string,
): string | undefined {
  const name = headerNames(brand).version.toLowerCase();
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []));
  const [value = '', ...others] = values;
  return others.length === 0 && isKnownVersion(value) ? value : undefined;
}

/** Every operation as the first version that has it, surface by surface. */
export const firstOperations = (): { readonly document: OpenApiDocument; readonly found: FoundOperation }[] =>
  operations.flatMap(({ id }) => {
    const found = operationIn(firstVersionOf(id), id);
    return found === undefined ? [] : [{ document: documentIn(firstVersionOf(id), id), found }];
  });

/** The listed versions that have an operation, in chronological order. */
export const versionsWith = (id: OperationId): string[] =>
  versions.map(({ version }) => version).filter((version) => operationIn(version, id) !== undefined);

export const firstVersionOf = (id: OperationId): string => operation(id).since ?? earliestStable;

const placed = (document: OpenApiDocument, schema: Schema | undefined): PlacedSchema | undefined =>
  schema && { document, schema };
