/** Every key of an input format with its type and meaning, from the published JSON Schema. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REFERENCE } from '../allow-references.ts';
import { schemasFolder } from '../schemas.ts';
import { markdownTable } from './markdown-table.ts';

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** A longer list of allowed values is omitted; the JSON Schema has it. */
const MAX_LISTED_VALUES = 12;

type Row = readonly [key: string, type: string, meaning: string];

export function keyTable(format: string): string {
  const file = path.join(schemasFolder, `${format}.json`);
  const schema = JSON.parse(readFileSync(file, 'utf8')) as JsonSchema;
  const top = schema.type === 'array' ? (schema.items ?? {}) : schema;
  const rows = keysOf(top, '', schema.$defs ?? {});
  return markdownTable(
    ['key', 'value', 'meaning'],
    rows.map(([key, type, meaning]) => [`\`${key}\``, type, meaning]),
  );
}

function keysOf(schema: JsonSchema, prefix: string, defs: NonNullable<JsonSchema['$defs']>): Row[] {
  const { properties = {}, anyOf } = resolve(schema, defs);
  // Of a format with alternatives, the last one is the usual.
  const { required = [] } = anyOf?.at(-1) ?? resolve(schema, defs);
  return Object.entries(properties).flatMap(([name, member]): Row[] => {
    const value = resolve(member, defs);
    const key = prefix + name;
    const meaning = [required.includes(name) ? 'Required.' : '', member.description ?? value.description ?? ''];
    return [[key, typeOf(value, defs), meaning.filter(Boolean).join(' ')], ...nestedKeys(value, key, defs)];
  });
}

function nestedKeys(value: JsonSchema, key: string, defs: NonNullable<JsonSchema['$defs']>): Row[] {
  if (value.properties !== undefined) return keysOf(value, `${key}.`, defs);
  const items = value.items === undefined ? undefined : resolve(value.items, defs);
  return items?.properties === undefined ? [] : keysOf(items, `${key}[].`, defs);
}

function resolve(schema: JsonSchema, defs: NonNullable<JsonSchema['$defs']>): JsonSchema {
  const name = schema.$ref?.replace('#/$defs/', '');
  return name === undefined ? schema : { ...defs[name], ...schema };
}

function typeOf(schema: JsonSchema, defs: NonNullable<JsonSchema['$defs']>): string {
  const { enum: values, const: constant, anyOf, oneOf, items, type, format } = schema;
  if (values !== undefined && values.length <= MAX_LISTED_VALUES)
    return values.map((value) => `\`${String(value)}\``).join(', ');
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  const alternatives = (anyOf ?? oneOf)?.filter(({ $ref }) => $ref !== REFERENCE);
  if (alternatives !== undefined)
    return [...new Set(alternatives.map((each) => typeOf(resolve(each, defs), defs)))].join(' or ');
  if (type === 'array') return `list of ${items === undefined ? 'values' : typeOf(resolve(items, defs), defs)}`;
  if (type === 'object' && schema.properties !== undefined && Object.keys(schema.properties).length <= 2)
    return `object (${Object.keys(schema.properties).join(', ')})`;
  return [format ?? type ?? 'any value', rangeOf(schema)].filter(Boolean).join(' ');
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: JsonSchema): string {
  const least =
    minimum === undefined ? (exclusiveMinimum === undefined ? '' : `> ${exclusiveMinimum}`) : `≥ ${minimum}`;
  const greatest = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : `≤ ${maximum}`;
  return [least, greatest].filter(Boolean).join(', ');
}
