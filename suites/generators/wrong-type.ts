/** Values of the JSON types that a field does not take, for every field of a schema. */
import { documentOf, resolve } from '../../spec/documents.ts';
import type { Schema } from '../../spec/documents.ts';

const document = documentOf('management');

/** The likeliest to be taken for something else first. */
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
  /** Names of members; `*` stands for an element of a list. */
  readonly path: readonly string[];
  readonly type: JsonType;
}

/**
 * Every field below a schema that a client sets and whose type is documented, the elements of lists included; not what is
 * not shown.
 */
export function typedFields(schema: Schema, path: readonly string[] = []): TypedField[] {
  const known = resolve<Schema>(document, schema);
  if (known.readOnly === true || known['x-not-shown'] === true || known.type === undefined) return [];
  const members = Object.entries(known.properties ?? {}).flatMap(([name, member]) =>
    typedFields(member, [...path, name]),
  );
  const elements = known.items === undefined ? [] : typedFields(known.items, [...path, '*']);
  return [{ path, type: known.type as JsonType }, ...members, ...elements];
}

/** Without null, which may mean that the field is left out; every integer is a number. `each`: how many of a type. */
export function wrongValues(type: JsonType, each = Infinity): unknown[] {
  const right: readonly JsonType[] = type === 'number' ? ['number', 'integer'] : [type];
  const wrong = (Object.keys(ofType) as JsonType[]).filter((other) => !right.includes(other));
  return wrong.flatMap((other) => ofType[other].slice(0, each));
}

/** A copy with a value at the path, `*` standing for the given element; what leads there is made where it is missing. */
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
