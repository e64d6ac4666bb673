/** Generates a value from a JSON Schema, preferring its default, example or constant. */
import { isFields } from '../json/fields.ts';

export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Which members of an object to generate: the required ones, or all that can be generated. */
export type Members = 'required' | 'all';

interface SampleContext {
  readonly root: Schema;
  readonly members: Members;
  /** Remaining nesting depth: a schema may refer to itself. */
  readonly depth: number;
}

const MAX_DEPTH = 8;

/** A list with one value, or empty if none can be generated. A validator must check the value. */
export function sampleOf(schema: Schema, members: Members): unknown[] {
  return makeSample(schema, { root: schema, members, depth: MAX_DEPTH });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

function makeSample(schema: unknown, context: SampleContext): unknown[] {
  if (schema === true) return [WORD];
  if (!isFields(schema) || context.depth === 0) return [];
  const authorValues = authorValuesIn(schema);
  if (authorValues.length > 0) return authorValues;
  const deeper = { ...context, depth: context.depth - 1 };
  const { $ref, ...otherKeywords } = schema;
  if (typeof $ref === 'string') return makeSample(merged(otherKeywords, resolveReference($ref, context.root)), deeper);
  for (const keyword of ['anyOf', 'oneOf'] as const)
    if (Array.isArray(schema[keyword])) return firstAlternative(schema, keyword, deeper);
  if (Array.isArray(schema['allOf'])) {
    const { allOf, ...rest } = schema;
    return makeSample(listOf(allOf).reduce(merged, rest), deeper);
  }
  return ofType(schema, deeper);
}

function authorValuesIn({ const: constant, enum: values, default: preset, examples }: Schema): unknown[] {
  if (constant !== undefined) return [constant];
  if (preset !== undefined) return [preset];
  return [...listOf(examples), ...listOf(values)].slice(0, 1);
}

/** Resolves `#/$defs/Name`; false, which matches nothing, if it does not exist. */
function resolveReference(ref: string, root: Schema): unknown {
  if (!ref.startsWith('#')) return false;
  const names = ref
    .split('/')
    .slice(1)
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>((at, name) => (isFields(at) ? at[name] : false), root) ?? false;
}

/** The conjunction of two schemas. Only combines `properties` and `required` fully. */
function merged(one: unknown, other: unknown): unknown {
  if (other === true) return one;
  if (one === true) return other;
  if (!isFields(one) || !isFields(other)) return false;
  const properties = { ...(one['properties'] as object | undefined), ...(other['properties'] as object | undefined) };
  const required = [...listOf(one['required']), ...listOf(other['required'])];
  return { ...one, ...other, ...(Object.keys(properties).length > 0 && { properties }), required };
}

function firstAlternative(schema: Schema, keyword: 'anyOf' | 'oneOf', context: SampleContext): unknown[] {
  const { [keyword]: alternatives, ...otherKeywords } = schema;
  return listOf(alternatives)
    .flatMap((each) => makeSample(merged(otherKeywords, each), context))
    .slice(0, 1);
}

function ofType(schema: Schema, context: SampleContext): unknown[] {
  const [type = 'properties' in schema ? 'object' : 'string'] = [schema['type']].flat();
  switch (type) {
    case 'object':
      return objectOf(schema, context);
    case 'array':
      return arrayOf(schema, context);
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return [false];
    default:
      return type === 'null' ? [null] : [];
  }
}

function objectOf(schema: Schema, context: SampleContext): unknown[] {
  const properties = isFields(schema['properties']) ? schema['properties'] : {};
  const required = listOf(schema['required']).map(String);
  const names = context.members === 'all' ? [...new Set([...required, ...Object.keys(properties)])] : required;
  const filled = names.map((name) => ({ name, value: makeSample(properties[name] ?? true, context) }));
  if (filled.some(({ name, value }) => value.length === 0 && required.includes(name))) return [];
  return [Object.fromEntries(filled.flatMap(({ name, value }) => value.map((each) => [name, each])))];
}

function arrayOf({ items, prefixItems, minItems }: Schema, context: SampleContext): unknown[] {
  const first = listOf(prefixItems).map((each) => makeSample(each, context));
  if (first.some((each) => each.length === 0)) return [];
  const min = typeof minItems === 'number' ? minItems : context.members === 'all' ? 1 : 0;
  const more = Math.max(0, min - first.length);
  const item = more === 0 ? [] : makeSample(items ?? true, context);
  if (more > 0 && item.length === 0) return typeof minItems === 'number' ? [] : [first.flat(1)];
  return [[...first.flat(1), ...Array.from({ length: more }, () => item[0])]];
}

const WORD = 'assay';

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-04-16T12:00:00Z',
  date: '2026-04-16',
  time: '12:00:00Z',
  email: 'assay@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/assay',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Candidates for strings with a pattern. */
const TEXTS = [
  WORD,
  'Assay',
  'a',
  'A',
  '1',
  '12',
  '12345',
  'a-1',
  '1.0.0',
  'ab12',
  '/assay',
  ...Object.values(FORMATS),
];

function textOf({ format, pattern, minLength, maxLength }: Schema): unknown[] {
  if (typeof pattern === 'string') return TEXTS.filter((text) => matches(text, pattern)).slice(0, 1);
  if (typeof format === 'string') return Object.hasOwn(FORMATS, format) ? [FORMATS[format]] : [];
  const min = typeof minLength === 'number' ? minLength : 0;
  const max = typeof maxLength === 'number' ? maxLength : Infinity;
  return [WORD.repeat(Math.ceil(Math.max(min, 1) / WORD.length)).slice(0, Math.max(min, Math.min(WORD.length, max)))];
}

function matches(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false; // A dialect of another engine: no string is known to match.
  }
}

function numberOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, type }: Schema): unknown[] {
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf].filter(
    (each) => typeof each === 'number',
  );
  const near = bounds.flatMap((bound) => [bound, bound + 1, bound - 1, bound + 0.5, bound - 0.5]);
  const fits = (value: number): boolean =>
    !(typeof minimum === 'number' && value < minimum) &&
    !(typeof maximum === 'number' && value > maximum) &&
    !(typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) &&
    !(typeof multipleOf === 'number' && value % multipleOf !== 0) &&
    (type === 'number' || Number.isInteger(value));
  return [1, 0, ...near].filter(fits).slice(0, 1);
}
