/** Generates bodies that violate a schema, with the places at which a validator must report errors. */
import type { OpenApiDocument, Schema } from '../openapi-document.ts';
import { resolve } from '../openapi-document.ts';

export interface InvalidBody {
  /** How the body violates the schema. */
  readonly kind: 'wrong type' | 'nothing in it' | 'wrong type in every field' | 'wrong value in every field';
  readonly body: unknown;
  /** JSON Pointers to the invalid places. Never empty. */
  readonly wrongAt: readonly string[];
}

/** Returns an empty array if every body is valid. */
export function invalidBodies(schema: Schema, document: OpenApiDocument): InvalidBody[] {
  const whole = wrongType(schema, document);
  if (whole === undefined) return [];
  const { required = [] } = resolve(document, schema);
  const bodies: (InvalidBody | undefined)[] = [
    { kind: 'wrong type', body: whole, wrongAt: [''] },
    required.length > 0 ? { kind: 'nothing in it', body: {}, wrongAt: [''] } : undefined,
    inEveryField('wrong type in every field', wrongType, schema, document),
    inEveryField('wrong value in every field', wrongValue, schema, document),
  ];
  return bodies.filter((each) => each !== undefined);
}

function inEveryField(kind: InvalidBody['kind'], leaf: InvalidValue, schema: Schema, document: OpenApiDocument) {
  const invalid = invalidFields(schema, document, leaf, []);
  return invalid === undefined || invalid.wrongAt.includes('') ? undefined : { kind, ...invalid };
}

/** Returns a value that the schema rejects, or undefined if it accepts everything. */
type InvalidValue = (schema: Schema, document: OpenApiDocument) => unknown;
type InvalidFields = Pick<InvalidBody, 'body' | 'wrongAt'>;

/** `within` are the references followed so far, to stop at recursive schemas. */
function invalidFields(
  given: Schema,
  document: OpenApiDocument,
  leaf: InvalidValue,
  within: readonly string[],
): InvalidFields | undefined {
  if (given.$ref !== undefined && within.includes(given.$ref)) return undefined;
  const path = given.$ref === undefined ? within : [...within, given.$ref];
  const schema = resolve(document, given);
  const inside = (each: Schema) => invalidFields(each, document, leaf, path);
  const fields = Object.entries(fieldsOf(schema)).flatMap(([name, each]): [string, InvalidFields][] => {
    const invalid = inside(each);
    return invalid === undefined ? [] : [[name, invalid]];
  });
  if (fields.length > 0) return composed(fields, schema.items !== undefined);
  const body = leaf(schema, document);
  return body === undefined ? undefined : { body, wrongAt: [''] };
}

function fieldsOf({ properties, items, additionalProperties }: Schema): Record<string, Schema> {
  if (items !== undefined) return { 0: items };
  if (properties !== undefined) return properties;
  return typeof additionalProperties === 'object' ? { canary: additionalProperties } : {};
}

function composed(fields: readonly (readonly [string, InvalidFields])[], isArray: boolean): InvalidFields {
  const bodies = fields.map(([name, { body }]) => [name, body] as const);
  return {
    body: isArray ? bodies.map(([, body]) => body) : Object.fromEntries(bodies),
    wrongAt: fields.flatMap(([name, { wrongAt }]) => wrongAt.map((at) => `/${name}${at}`)),
  };
}

/** A value of each JSON type except number, which may have to be an integer. */
const valuesByType: readonly (readonly [string, unknown])[] = [
  ['boolean', true],
  ['string', 'canary'],
  ['array', []],
  ['object', {}],
];

function wrongType(schema: Schema, document: OpenApiDocument): unknown {
  return valuesByType.find(([type]) => !allows(schema, type, document))?.[1];
}

function allows(given: Schema, type: string, document: OpenApiDocument): boolean {
  const { anyOf, type: wanted, enum: enumValues, const: constValue } = resolve(document, given);
  if (anyOf !== undefined) return anyOf.some((each) => allows(each, type, document));
  if (wanted !== undefined) return wanted === type;
  return enumValues === undefined && constValue === undefined ? true : type === 'string';
}

/** A string that is not among the allowed values. */
function wrongValue({ type, enum: enumValues, const: constValue, format }: Schema): unknown {
  const isText = type === undefined || type === 'string';
  return isText && (enumValues !== undefined || constValue !== undefined || format !== undefined)
    ? 'no such value'
    : undefined;
}
