/** A value made from a JSON Schema, with what the schema's author wrote as default, example or constant where there is one. */
import { isFields } from '../json/fields.ts';

export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Of an object's members: those that it requires, or all that can be filled. */
export type Members = 'required' | 'all';

interface Making {
  readonly root: Schema;
  readonly members: Members;
  /** How deep the value may still become: a schema may refer to itself. */
  readonly depth: number;
}

const DEEPEST = 8;

/** One value in a list, or an empty list where none can be made. Whether it fits is for a validator to say. */
export function sampleOf(schema: Schema, members: Members): unknown[] {
  return made(schema, { root: schema, members, depth: DEEPEST });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

function made(schema: unknown, making: Making): unknown[] {
  if (schema === true) return [WORD];
  if (!isFields(schema) || making.depth === 0) return [];
  const given = givenIn(schema);
  if (given.length > 0) return given;
  const deeper = { ...making, depth: making.depth - 1 };
  const { $ref, ...beside } = schema;
  if (typeof $ref === 'string') return made(merged(beside, referred($ref, making.root)), deeper);
  for (const keyword of ['anyOf', 'oneOf'] as const)
    if (Array.isArray(schema[keyword])) return firstMade(schema, keyword, deeper);
  if (Array.isArray(schema['allOf'])) {
    const { allOf, ...rest } = schema;
    return made(listOf(allOf).reduce(merged, rest), deeper);
  }
  return ofType(schema, deeper);
}

function givenIn({ const: constant, enum: values, default: preset, examples }: Schema): unknown[] {
  if (constant !== undefined) return [constant];
  if (preset !== undefined) return [preset];
  return [...listOf(examples), ...listOf(values)].slice(0, 1);
}

/** `#/$defs/Name`; false, which nothing fits, where there is no such thing. */
function referred(ref: string, root: Schema): unknown {
  if (!ref.startsWith('#')) return false;
  const names = ref
    .split('/')
    .slice(1)
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>((at, name) => (isFields(at) ? at[name] : false), root) ?? false;
}

/** Both at once, as far as members and their names go. */
function merged(one: unknown, other: unknown): unknown {
  if (other === true) return one;
  if (one === true) return other;
  if (!isFields(one) || !isFields(other)) return false;
  const properties = { ...(one['properties'] as object | undefined), ...(other['properties'] as object | undefined) };
  const required = [...listOf(one['required']), ...listOf(other['required'])];
  return { ...one, ...other, ...(Object.keys(properties).length > 0 && { properties }), required };
}

function firstMade(schema: Schema, keyword: 'anyOf' | 'oneOf', making: Making): unknown[] {
  const { [keyword]: alternatives, ...beside } = schema;
  return listOf(alternatives)
    .flatMap((each) => made(merged(beside, each), making))
    .slice(0, 1);
}

function ofType(schema: Schema, making: Making): unknown[] {
  const [type = 'properties' in schema ? 'object' : 'string'] = [schema['type']].flat();
  switch (type) {
    case 'object':
      return objectOf(schema, making);
    case 'array':
      return arrayOf(schema, making);
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

function objectOf(schema: Schema, making: Making): unknown[] {
  const properties = isFields(schema['properties']) ? schema['properties'] : {};
  const required = listOf(schema['required']).map(String);
  const wanted = making.members === 'all' ? [...new Set([...required, ...Object.keys(properties)])] : required;
  const filled = wanted.map((name) => ({ name, value: made(properties[name] ?? true, making) }));
  if (filled.some(({ name, value }) => value.length === 0 && required.includes(name))) return [];
  return [Object.fromEntries(filled.flatMap(({ name, value }) => value.map((each) => [name, each])))];
}

function arrayOf({ items, prefixItems, minItems }: Schema, making: Making): unknown[] {
  const first = listOf(prefixItems).map((each) => made(each, making));
  if (first.some((each) => each.length === 0)) return [];
  const least = typeof minItems === 'number' ? minItems : making.members === 'all' ? 1 : 0;
  const more = Math.max(0, least - first.length);
  const item = more === 0 ? [] : made(items ?? true, making);
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

/** Tried where there is a pattern. */
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
  const least = typeof minLength === 'number' ? minLength : 0;
  const most = typeof maxLength === 'number' ? maxLength : Infinity;
  return [
    WORD.repeat(Math.ceil(Math.max(least, 1) / WORD.length)).slice(0, Math.max(least, Math.min(WORD.length, most))),
  ];
}

function matches(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false; // Written in a dialect of its own: no text is known to match.
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
