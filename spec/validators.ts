/** Validates bodies against the documents. Ajv is loaded and schemas are compiled on first use. */

import type { ValidateFunction } from 'ajv';
import type { Ajv } from './ajv.ts';
import { newAjv } from './ajv.ts';
import type { PlacedSchema } from './operation-versions.ts';
import { replySchema, requestSchema } from './operation-versions.ts';
import type { OpenApiDocument, Schema, Surface } from './openapi-document.ts';
import { documentOf } from './documents.ts';
import type { Finding } from './findings.ts';
import { findingsOf } from './findings.ts';
import type { OperationId } from './generated/types.ts';
import { isLarge } from './is-large.ts';
import { omitNulls } from './omit-nulls.ts';
import { withStoredLimits } from './stored-limits.ts';
import { earliestStable } from './versions.ts';

export type { Finding } from './findings.ts';

type Direction = 'request' | 'reply';

/** Returns the findings in a request body. Read-only fields are ignored. `version`: a listed one. */
export function bodyFindings(id: OperationId, body: unknown, version?: string): Finding[] {
  return findingsIn('request', requestSchema(id, version), body);
}

/**
 * Returns the findings in the JSON body of a response. null counts as absent (decision 016). An unlisted 2xx status is checked
 * against the listed success body. Without a documented JSON body there are no findings. `version`: a listed one.
 */
export function replyFindings(id: OperationId, status: number, body: unknown, version?: string): Finding[] {
  return findingsIn('reply', replySchema(id, status, version), body);
}

/** Validates a value against a component schema of a surface, as part of a response. */
export function schemaFindings(surface: Surface, name: string, value: unknown): Finding[] {
  const document = documentOf(surface);
  const schema = document.components.schemas[name];
  if (schema === undefined) throw new Error(`The document has no schema "${name}".`);
  return findingsIn('reply', { document, schema }, value);
}

/** Of one body: a long list may have an error in every element. */
const MAX_FINDINGS = 50;

function findingsIn(direction: Direction, schema: PlacedSchema | undefined, value: unknown): Finding[] {
  if (schema === undefined) return [];
  const first = compiled('the first error', direction, schema);
  if (first(value)) return [];
  const judged = direction === 'reply' ? omitNulls(value) : value;
  if (judged !== value && first(judged)) return [];
  const validate = isLarge(value) ? first : compiled('every error', direction, schema);
  validate(judged);
  return findingsOf((validate.errors ?? []).slice(0, MAX_FINDINGS));
}

/**
 * Most values are valid, and those that are not may have many errors: Ajv copies its list of errors whenever a reference adds
 * one, which takes minutes for a long list of wrong values.
 */
type Finds = 'the first error' | 'every error';

/** By the schema, of what is found and the direction. */
const validators = new Map<string, WeakMap<Schema, ValidateFunction>>();

function compiled(finds: Finds, direction: Direction, { document, schema }: PlacedSchema): ValidateFunction {
  const key = `${finds} ${direction}`;
  const known = validators.get(key) ?? new WeakMap<Schema, ValidateFunction>();
  validators.set(key, known);
  const found = known.get(schema);
  if (found !== undefined) return found;
  // Absolute, so that references are not resolved against each other.
  const base = `assay://${direction}/${document.info.title.replaceAll(/\W/g, '-')}/${document.info.version}`;
  const validate = compilerFor(finds, base, document, direction).compile(adapted(schema, base, direction));
  known.set(schema, validate);
  return validate;
}

/** Only the management API has later versions. */
const isLater = ({ info: { version } }: OpenApiDocument): boolean => version !== earliestStable;

const compilers = new Map<Finds, Ajv>();
const prepared = new Set<string>();

/** Returns the shared Ajv with the component schemas of this document and direction under `base`. */
function compilerFor(finds: Finds, base: string, document: OpenApiDocument, direction: Direction): Ajv {
  const ajv = compilers.get(finds) ?? newAjv({ allErrors: finds === 'every error' });
  compilers.set(finds, ajv);
  const key = `${finds} ${base}`;
  if (prepared.has(key)) return ajv;
  prepared.add(key);
  const stored = documentOf('management').components.schemas;
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const limited = direction === 'reply' && isLater(document) ? withStoredLimits(schema, stored[name]) : schema;
    ajv.addSchema(adapted(limited, base, direction), `${base}/${name}`);
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
