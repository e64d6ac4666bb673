/** Whether a body fits the documents, said so that a person can act on it. Ajv is loaded, and a schema compiled, on first use. */

import type { ValidateFunction } from 'ajv';
import type { Ajv } from './ajv.ts';
import { newAjv } from './ajv.ts';
import type { Content, OpenApiDocument, OpenApiOperation, Schema, Surface } from './documents.ts';
import { documentOf, eachOperation, keyFor, resolve } from './documents.ts';
import type { Finding } from './findings.ts';
import { findingsOf } from './findings.ts';
import type { OperationId } from './generated/types.ts';
import { operation } from './operations.ts';
import { withoutNulls } from './without-nulls.ts';

export type { Finding } from './findings.ts';

type Direction = 'request' | 'reply';

/** What is wrong with a request body; read-only fields in it are passed over, whatever they hold. */
export function bodyFindings(id: OperationId, body: unknown): Finding[] {
  return findings(id, 'request', 'body', () => bodySchema(id), body);
}

/**
 * What is wrong with the JSON body of an answer; null in it counts as left out (decision 016). A 2xx status that the document does not list is held to the success
 * body that it does list; where the document shows no JSON body nothing can be wrong.
 */
export function replyFindings(id: OperationId, status: number, body: unknown): Finding[] {
  const key = keyFor(status, Object.keys(entryOf(id).entry.responses));
  return key === undefined ? [] : findings(id, 'reply', key, () => replySchema(id, key), body);
}

/** What is wrong with a value against one component schema of a surface, judged as part of an answer. */
export function schemaFindings(surface: Surface, name: string, value: unknown): Finding[] {
  return misfits(
    compiled(surface, 'reply', name, () => ({ $ref: `#/components/schemas/${name}` })),
    value,
    'reply',
  );
}

function findings(
  id: OperationId,
  direction: Direction,
  part: string,
  schema: () => Schema | undefined,
  value: unknown,
): Finding[] {
  return misfits(compiled(operation(id).surface, direction, `${id} ${part}`, schema), value, direction);
}

function misfits(validate: ValidateFunction | undefined, value: unknown, direction: Direction): Finding[] {
  if (validate === undefined || validate(value)) return [];
  const isLeftOut = direction === 'reply' && validate(withoutNulls(value));
  return isLeftOut ? [] : findingsOf(validate.errors ?? []);
}

const validators = new Map<string, ValidateFunction | undefined>();

function compiled(surface: Surface, direction: Direction, name: string, schemaOf: () => Schema | undefined) {
  const key = `${direction} ${surface} ${name}`;
  if (!validators.has(key)) {
    const schema = schemaOf();
    const base = `assay://${direction}/${surface}`; // An absolute URI: references would else be resolved against each other.
    validators.set(key, schema && compilerFor(base, surface, direction).compile(adapted(schema, base, direction)));
  }
  return validators.get(key);
}

let ajv: Ajv | undefined;
const prepared = new Set<string>();

/** The one Ajv, with the component schemas of that surface and direction in it under `base`. */
function compilerFor(base: string, surface: Surface, direction: Direction): Ajv {
  ajv ??= newAjv();
  if (prepared.has(base)) return ajv;
  prepared.add(base);
  for (const [name, schema] of Object.entries(documentOf(surface).components.schemas)) {
    ajv.addSchema(adapted(schema, base, direction), `${base}/${name}`);
  }
  return ajv;
}

/** A schema with its references made absolute and, in a request, with no word on what is read-only. */
function adapted(schema: Schema, base: string, direction: Direction): Schema {
  if (direction === 'request' && schema.readOnly === true)
    return schema['x-secret'] === true ? { 'x-secret': true } : {};
  const adapt = (each: Schema) => adapted(each, base, direction);
  return {
    ...schema,
    ...(schema.$ref !== undefined && { $ref: `${base}/${schema.$ref.slice('#/components/schemas/'.length)}` }),
    ...(schema.items && { items: adapt(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(adapt) }),
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, adapt(each)])),
    }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: adapt(schema.additionalProperties),
    }),
  };
}

const JSON_TYPE = 'application/json';

function bodySchema(id: OperationId): Schema | undefined {
  const { document, entry } = entryOf(id);
  if (entry.requestBody === undefined) return undefined;
  const { content } = resolve<Content>(document, entry.requestBody);
  return (content?.[JSON_TYPE] ?? content?.['application/x-www-form-urlencoded'])?.schema;
}

function replySchema(id: OperationId, key: string): Schema | undefined {
  const { document, entry } = entryOf(id);
  const response = entry.responses[key];
  return response && resolve<Content>(document, response).content?.[JSON_TYPE]?.schema;
}

const entries = new Map<string, OpenApiOperation>();

function entryOf(id: OperationId): { document: OpenApiDocument; entry: OpenApiOperation } {
  const document = documentOf(operation(id).surface);
  if (!entries.has(id))
    for (const found of eachOperation(document)) entries.set(found.operation.operationId, found.operation);
  const entry = entries.get(id);
  if (entry === undefined) throw new Error(`The documents have no operation "${id}".`);
  return { document, entry };
}
