/** Validates bodies against the documents. Ajv is loaded and schemas are compiled on first use. */

import type { ValidateFunction } from 'ajv';
import type { Ajv } from './ajv.ts';
import { newAjv } from './ajv.ts';
import type { Content, OpenApiDocument, OpenApiOperation, Schema, Surface } from './openapi-document.ts';
import { documentOf } from './documents.ts';
import { eachOperation, keyFor, resolve } from './openapi-document.ts';
import type { Finding } from './findings.ts';
import { findingsOf } from './findings.ts';
import type { OperationId } from './generated/types.ts';
import { isLarge } from './is-large.ts';
import { operation } from './operations.ts';
import { omitNulls } from './omit-nulls.ts';

export type { Finding } from './findings.ts';

type Direction = 'request' | 'reply';

/** Returns the findings in a request body. Read-only fields are ignored. */
export function bodyFindings(id: OperationId, body: unknown): Finding[] {
  return findings(id, 'request', 'body', () => bodySchema(id), body);
}

/**
 * Returns the findings in the JSON body of a response. null counts as absent (decision 016). An unlisted 2xx status is checked
 * against the listed success body. Without a documented JSON body there are no findings.
 */
export function replyFindings(id: OperationId, status: number, body: unknown): Finding[] {
  const key = keyFor(status, Object.keys(entryOf(id).entry.responses));
  return key === undefined ? [] : findings(id, 'reply', key, () => replySchema(id, key), body);
}

/** Validates a value against a component schema of a surface, as part of a response. */
export function schemaFindings(surface: Surface, name: string, value: unknown): Finding[] {
  return validationFindings(
    { surface, direction: 'reply', name },
    () => ({ $ref: `#/components/schemas/${name}` }),
    value,
  );
}

function findings(
  id: OperationId,
  direction: Direction,
  part: string,
  schema: () => Schema | undefined,
  value: unknown,
): Finding[] {
  return validationFindings({ surface: operation(id).surface, direction, name: `${id} ${part}` }, schema, value);
}

/** What is validated. */
interface Part {
  readonly surface: Surface;
  readonly direction: Direction;
  readonly name: string;
}

/** Of one body: a long list may have an error in every element. */
const MAX_FINDINGS = 50;

function validationFindings(part: Part, schema: () => Schema | undefined, value: unknown): Finding[] {
  const first = compiled('the first error', part, schema);
  if (first === undefined || first(value)) return [];
  const judged = part.direction === 'reply' ? omitNulls(value) : value;
  if (judged !== value && first(judged)) return [];
  const validate = (isLarge(value) ? first : compiled('every error', part, schema)) ?? first;
  validate(judged);
  return findingsOf((validate.errors ?? []).slice(0, MAX_FINDINGS));
}

/**
 * Most values are valid, and those that are not may have many errors: Ajv copies its list of errors whenever a reference adds
 * one, which takes minutes for a long list of wrong values.
 */
type Finds = 'the first error' | 'every error';

const validators = new Map<string, ValidateFunction | undefined>();

function compiled(finds: Finds, { surface, direction, name }: Part, schemaOf: () => Schema | undefined) {
  const key = `${finds} ${direction} ${surface} ${name}`;
  if (!validators.has(key)) {
    const schema = schemaOf();
    const base = `assay://${direction}/${surface}`; // Absolute, so that references are not resolved against each other.
    const compile = (it: Schema) => compilerFor(finds, base, surface, direction).compile(adapted(it, base, direction));
    validators.set(key, schema && compile(schema));
  }
  return validators.get(key);
}

const compilers = new Map<Finds, Ajv>();
const prepared = new Set<string>();

/** Returns the shared Ajv with the component schemas of this surface and direction under `base`. */
function compilerFor(finds: Finds, base: string, surface: Surface, direction: Direction): Ajv {
  const ajv = compilers.get(finds) ?? newAjv({ allErrors: finds === 'every error' });
  compilers.set(finds, ajv);
  const key = `${finds} ${base}`;
  if (prepared.has(key)) return ajv;
  prepared.add(key);
  for (const [name, schema] of Object.entries(documentOf(surface).components.schemas)) {
    ajv.addSchema(adapted(schema, base, direction), `${base}/${name}`);
  }
  return ajv;
}

/** An empty string may stand for an omitted member (decision 039), whatever its pattern; not for one of listed values (decision 041). */
const orEmpty = (schema: Schema): Schema =>
  schema.pattern === undefined ? schema : { ...schema, pattern: `^$|${schema.pattern}` };

/**
 * Makes the references of a schema absolute. For requests, removes the schemas of read-only fields; for responses, accepts empty
 * strings in optional members.
 */
function adapted(schema: Schema, base: string, direction: Direction): Schema {
  if (direction === 'request' && schema.readOnly === true)
    return schema['x-secret'] === true ? { 'x-secret': true } : {};
  const adapt = (each: Schema) => adapted(each, base, direction);
  const adaptMember = (name: string, each: Schema) =>
    adapt(direction === 'reply' && schema.required?.includes(name) !== true ? orEmpty(each) : each);
  return {
    ...schema,
    ...(schema.$ref !== undefined && { $ref: `${base}/${schema.$ref.slice('#/components/schemas/'.length)}` }),
    ...(schema.items && { items: adapt(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(adapt) }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, each]) => [name, adaptMember(name, each)]),
      ),
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
