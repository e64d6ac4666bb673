/** Generates the TypeScript types of the documents: one per component schema, and `Operations` with requests and responses. */

import { compile } from 'json-schema-to-typescript';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, Schema } from './openapi-document.ts';
import { contentOf, eachOperation, resolve } from './openapi-document.ts';

const BANNER = '/** Types of the OpenAPI documents. Written by `npm run documents`; change the documents instead. */';

/**
 * Returns the content of `types.ts`. A schema name must have the same meaning in all documents, except in those of later versions:
 * of the same schema or operation, the first document counts.
 */
export async function typesOf(documents: readonly OpenApiDocument[]): Promise<string> {
  const root = {
    ...object(firstOfEach(documents.flatMap(operationTypes))),
    $id: 'Operations',
    definitions: definitionsOf(documents),
  };
  const text = await compile(root as object, 'Operations', {
    additionalProperties: false,
    bannerComment: BANNER,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
    unreachableDefinitions: true,
  });
  return `${withoutNoise(text)}\nexport type OperationId = keyof Operations;\n`;
}

function definitionsOf(documents: readonly OpenApiDocument[]): Record<string, Schema> {
  const schemas = firstOfEach(documents.flatMap((each) => Object.entries(each.components.schemas)));
  return { Scope: scopes(documents), ...mapValues(schemas, forTypes) };
}

const firstOfEach = (entries: readonly (readonly [string, Schema])[]): Record<string, Schema> => {
  const found: Record<string, Schema> = {};
  for (const [name, schema] of entries) found[name] ??= schema;
  return found;
};

function scopes(documents: readonly OpenApiDocument[]): Schema {
  const flows = documents.flatMap((each) => Object.values(each.components.securitySchemes['oauth']?.flows ?? {}));
  const names = new Set(flows.flatMap((flow) => Object.keys(flow.scopes)));
  return { type: 'string', description: 'A scope of a credential.', enum: [...names] };
}

function operationTypes(document: OpenApiDocument): [string, Schema][] {
  return eachOperation(document).map(({ operation, parameters }) => [
    operation.operationId,
    object({
      path: object(parameterTypes(parameters, 'path')),
      query: object(parameterTypes(parameters, 'query'), requiredOf(parameters, 'query')),
      body: bodyType(document, operation),
      reply: replyType(document, operation),
    }),
  ]);
}

function object(properties: Record<string, Schema>, required = Object.keys(properties)): Schema {
  return { type: 'object', additionalProperties: false, properties, required };
}

function parameterTypes(parameters: readonly OpenApiParameter[], place: string) {
  const here = parameters.filter((each) => each.in === place);
  return Object.fromEntries(here.map((each) => [each.name, forTypes(each.schema)]));
}

function requiredOf(parameters: readonly OpenApiParameter[], place: string): string[] {
  return parameters.filter((each) => each.in === place && each.required === true).map((each) => each.name);
}

function bodyType(document: OpenApiDocument, operation: OpenApiOperation): Schema {
  if (operation.requestBody === undefined) return { tsType: 'undefined' };
  const body = resolve(document, operation.requestBody);
  const type = union(contentOf(body).map(([, schema]) => schema));
  return body.required === true ? type : { anyOf: [type, { tsType: 'undefined' }] };
}

function replyType(document: OpenApiDocument, operation: OpenApiOperation): Schema {
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const types = successes.flatMap(([, response]) => {
    const contents = contentOf(resolve(document, response));
    return contents.length === 0 ? [{ tsType: 'undefined' }] : contents.map(([, schema]) => schema);
  });
  return union(types);
}

function union(types: readonly Schema[]): Schema {
  const [only, ...others] = types.map(forTypes);
  return only !== undefined && others.length === 0 ? only : { anyOf: types.map(forTypes) };
}

/** Adapts a schema for the generator: renames references and opens undocumented schemas. */
function forTypes(schema: Schema): Schema {
  if (schema.$ref !== undefined) return { $ref: reference(schema.$ref) };
  if (schema['x-not-shown'] === true && schema.type === undefined) return { ...described(schema), tsType: 'unknown' };
  if (schema['x-not-shown'] === true && schema.properties === undefined) {
    return { ...described(schema), tsType: 'Record<string, unknown>' };
  }
  return {
    ...schema,
    ...(schema.properties && { properties: mapValues(schema.properties, forTypes) }),
    ...(schema.items && { items: forTypes(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(forTypes) }),
    ...(schema['x-not-shown'] === true && { additionalProperties: true }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: forTypes(schema.additionalProperties),
    }),
  };
}

function described(schema: Schema): Schema {
  return schema.description === undefined ? {} : { description: schema.description };
}

function reference(pointer: string): string {
  return `#/definitions/${pointer.slice(pointer.lastIndexOf('/') + 1)}`;
}

function mapValues<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** Removes the generator's comments about the origin of definitions. */
function withoutNoise(text: string): string {
  return text
    .replaceAll(
      /^ *\/\*\*\n *\* This interface was referenced by .*\n(?: *\* via the `definition` .*\n)? *\*\/\n/gm,
      '',
    )
    .replaceAll(/^ *\*\n *\* This interface was referenced by .*\n *\* via the `definition` .*\n/gm, '');
}
