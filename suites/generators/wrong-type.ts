/** Values of a wrong JSON type, for every field of a schema. */
import { documentOf } from '../../spec/documents.ts';
import { resolve } from '../../spec/openapi-document.ts';
import type { Schema } from '../../spec/openapi-document.ts';

const document = documentOf('management');

/** The values most likely to be converted come first. */
const ofType = {
  string: ['5', 'true', 'text', ''],
  integer: [1, 0],
  number: [1.5],
  boolean: [true, false],
  array: [[], ['text']],
  object: [{}, { name: 'text' }],
} as const;

type JsonType = keyof typeof ofType;

export interface TypedField {
  /** Property names. `*` is an array element. */
  readonly path: readonly string[];
  readonly type: JsonType;
}

/** Every field of a schema that clients set and whose type is documented, including array elements. */
export function typedFields(schema: Schema, path: readonly string[] = []): TypedField[] {
  const known = resolve<Schema>(document, schema);
  if (known.readOnly === true || known['x-not-shown'] === true || known.type === undefined) return [];
  const members = Object.entries(known.properties ?? {}).flatMap(([name, member]) =>
    typedFields(member, [...path, name]),
  );
  const elements = known.items === undefined ? [] : typedFields(known.items, [...path, '*']);
  return [{ path, type: known.type as JsonType }, ...members, ...elements];
}

/** What a lenient server does with a value of a wrong type: it takes falsy and empty ones as omitted and converts others. */
export function kindOfValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'empty array' : 'array';
  if (value === null) return 'null';
  return value === false || value === 0 || value === '' ? 'falsy' : typeof value;
}

/** Without null, which may count as omitted. Integers are numbers. */
export const wrongValues = (type: JsonType): unknown[] => wrongValuesByType(type).flat();

/** One list for each other type. */
export function wrongValuesByType(type: JsonType): (readonly unknown[])[] {
  const right: readonly JsonType[] = type === 'number' ? ['number', 'integer'] : [type];
  const wrong = (Object.keys(ofType) as JsonType[]).filter((other) => !right.includes(other));
  return wrong.map((other) => ofType[other]);
}

/** A copy with a value at the path, where `*` is the given element. Creates missing parents. */
export function withValueAt(body: unknown, path: readonly string[], element: number, value: unknown): unknown {
  const [name, ...deeper] = path;
  if (name === undefined) return value;
  if (name !== '*') {
    const fields = (body ?? {}) as Record<string, unknown>;
    return { ...fields, [name]: withValueAt(fields[name], deeper, element, value) };
  }
  const list = [...((body ?? []) as unknown[])];
  const index = Math.min(element, list.length === 0 ? 0 : list.length - 1);
  list[index] = withValueAt(list[index], deeper, element, value);
  return list;
}
