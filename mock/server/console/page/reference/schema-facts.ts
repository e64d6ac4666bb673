/** Describes a schema in words: its type and what restricts its values. */
import { resolve } from '../../../../../spec/openapi-document.ts';
import type { OpenApiDocument, Schema } from '../../../../../spec/openapi-document.ts';
import { valueText } from './value-text.ts';

/** The schema without its reference: what stands next to a reference takes precedence. */
export function resolveSchema(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  return { ...resolveSchema(document, resolve<Schema>(document, { $ref })), ...own };
}

/** `string`, `array of AgentSpec`, `integer or string`. */
export function typeOf(document: OpenApiDocument, schema: Schema): string {
  const name = /[^/]+$/.exec(schema.$ref ?? '')?.[0];
  const whole = resolveSchema(document, schema);
  if (whole.type === 'array')
    return `array of ${whole.items === undefined ? 'anything' : typeOf(document, whole.items)}`;
  if (whole.anyOf !== undefined) return whole.anyOf.map((each) => typeOf(document, each)).join(' or ');
  const type = whole.type ?? (whole.const === undefined && whole.enum === undefined ? 'anything' : 'string');
  return type === 'object' && name !== undefined ? name : type;
}

const list = (values: unknown): string => (Array.isArray(values) ? values : [values]).map(valueText).join(', ');

/** Both bounds are inclusive; an absent one is undefined. */
function range(min: unknown, max: unknown, unit = ''): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  if (max === undefined) return `at least ${valueText(min)}${unit}`;
  return min === undefined ? `at most ${valueText(max)}${unit}` : `${valueText(min)} to ${valueText(max)}${unit}`;
}

/** Each keyword and its description; undefined: nothing to say. */
const descriptions: Readonly<Record<string, (value: unknown, schema: Schema) => string | undefined>> = {
  const: (value) => `always ${valueText(value)}`,
  enum: (values) => `one of ${list(values)}`,
  format: (value) => `format ${valueText(value)}`,
  contentMediaType: (value) => `content ${valueText(value)}`,
  pattern: (value, schema) => schema['x-allowed'] ?? `pattern ${valueText(value)}`,
  default: (value) => `default ${valueText(value)}`,
  readOnly: (value) => (value === true ? 'read-only' : undefined),
  uniqueItems: (value) => (value === true ? 'without duplicates' : undefined),
  examples: (values) => `for example ${list(values)}`,
  'x-unit': (value) => `in ${valueText(value)}`,
  'x-secret': (value) => (value === true ? 'secret' : undefined),
  'x-not-shown': (value) => (value === true ? 'content not documented' : undefined),
  'x-standard': (value) => valueText(value),
  'x-clamped-at': (value) => `larger values count as ${valueText(value)}`,
  'x-max-dimensions': (value) => `at most ${valueText(value)} dimensions`,
  'x-window-cap': (value) =>
    Object.entries(value as object)
      .map(([resolution, cap]) => `${resolution} for windows up to ${valueText(cap)}`)
      .join(', '),
  'x-keys-of-oauth-mail-integration': (value) => `keys of an OAuth-based mail integration: ${list(value)}`,
};

const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];

/** All keywords that `constraintsOf` describes. */
export const describedKeywords: readonly string[] = [...BOUNDS, ...Object.keys(descriptions)];

/** In the order of reading. Empty if every value of the type is allowed. */
export function constraintsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const bounds = [
    range(minimum, maximum),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' entries'),
  ];
  const others = Object.entries(descriptions).map(([keyword, describe]) =>
    schema[keyword] === undefined ? undefined : describe(schema[keyword], schema),
  );
  return [...bounds, ...others].filter((each) => each !== undefined);
}
