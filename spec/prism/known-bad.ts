/** Bodies that certainly do not fit a schema, each with the places at which a reader must find that. */
import type { OpenApiDocument, Schema } from '../documents.ts';
import { resolve } from '../documents.ts';

export interface KnownBad {
  /** What is wrong with it. */
  readonly kind: 'wrong type' | 'nothing in it' | 'wrong type in every field' | 'wrong value in every field';
  readonly body: unknown;
  /** JSON Pointers: at each of them the body is wrong. Never empty. */
  readonly wrongAt: readonly string[];
}

/** None for a schema that every body fits. */
export function knownBadBodies(schema: Schema, document: OpenApiDocument): KnownBad[] {
  const whole = wrongType(schema, document);
  if (whole === undefined) return [];
  const { required = [] } = resolve(document, schema);
  const bodies: (KnownBad | undefined)[] = [
    { kind: 'wrong type', body: whole, wrongAt: [''] },
    required.length > 0 ? { kind: 'nothing in it', body: {}, wrongAt: [''] } : undefined,
    inEveryField('wrong type in every field', wrongType, schema, document),
    inEveryField('wrong value in every field', wrongValue, schema, document),
  ];
  return bodies.filter((each) => each !== undefined);
}

function inEveryField(kind: KnownBad['kind'], leaf: Leaf, schema: Schema, document: OpenApiDocument) {
  const spoilt = spoiltFields(schema, document, leaf, []);
  return spoilt === undefined || spoilt.wrongAt.includes('') ? undefined : { kind, ...spoilt };
}

/** A value that the schema refuses; undefined where the schema gives no reason to. */
type Leaf = (schema: Schema, document: OpenApiDocument) => unknown;
type Spoilt = Pick<KnownBad, 'body' | 'wrongAt'>;

/** `within` are the references that led here: a schema that holds itself is spoilt once. */
function spoiltFields(
  given: Schema,
  document: OpenApiDocument,
  leaf: Leaf,
  within: readonly string[],
): Spoilt | undefined {
  if (given.$ref !== undefined && within.includes(given.$ref)) return undefined;
  const path = given.$ref === undefined ? within : [...within, given.$ref];
  const schema = resolve(document, given);
  const inside = (each: Schema) => spoiltFields(each, document, leaf, path);
  const fields = Object.entries(fieldsOf(schema)).flatMap(([name, each]): [string, Spoilt][] => {
    const spoilt = inside(each);
    return spoilt === undefined ? [] : [[name, spoilt]];
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

function composed(fields: readonly (readonly [string, Spoilt])[], isArray: boolean): Spoilt {
  const bodies = fields.map(([name, { body }]) => [name, body] as const);
  return {
    body: isArray ? bodies.map(([, body]) => body) : Object.fromEntries(bodies),
    wrongAt: fields.flatMap(([name, { wrongAt }]) => wrongAt.map((at) => `/${name}${at}`)),
  };
}

/** One of each JSON type but number, of which a schema may want a whole one. */
const ofEachType: readonly (readonly [string, unknown])[] = [
  ['boolean', true],
  ['string', 'canary'],
  ['array', []],
  ['object', {}],
];

function wrongType(schema: Schema, document: OpenApiDocument): unknown {
  return ofEachType.find(([type]) => !allows(schema, type, document))?.[1];
}

function allows(given: Schema, type: string, document: OpenApiDocument): boolean {
  const { anyOf, type: wanted, enum: words, const: word } = resolve(document, given);
  if (anyOf !== undefined) return anyOf.some((each) => allows(each, type, document));
  if (wanted !== undefined) return wanted === type;
  return words === undefined && word === undefined ? true : type === 'string';
}

/** Text, as wanted, that is none of what is wanted. */
function wrongValue({ type, enum: words, const: word, format }: Schema): unknown {
  const isText = type === undefined || type === 'string';
  return isText && (words !== undefined || word !== undefined || format !== undefined) ? 'no such value' : undefined;
}
