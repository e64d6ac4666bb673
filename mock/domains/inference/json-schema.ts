/** Resolves what a JSON Schema requires of one value: its references, `allOf` and one alternative of each `anyOf` and `oneOf`. */
import { isObject, type JsonObject } from '../../../spec/json-object.ts';

/** Why no value can be generated, such as "no value is both null and a number". */
export class Unsatisfiable extends Error {}

/** The keywords of a value, without those that refer to other schemas. */
export type Constraints = JsonObject;

/** Chooses one of the alternatives that some value satisfies. */
export type ChooseOne = (alternatives: readonly unknown[]) => unknown;

export interface SchemaReader {
  /** Throws Unsatisfiable. */
  readonly constraintsOf: (schema: unknown, choose: ChooseOne) => Constraints;
  /** How many levels of containers a value has at least: 0 for a string, Infinity if no value is finite. */
  readonly heightOf: (schema: unknown) => number;
  /** Counts what is looked at. Throws Unsatisfiable if it is too much. */
  readonly spend: Spend;
}

type Spend = (steps: number) => void;

/** Of references, combinations and containers, before a schema counts as endless. */
export const MAX_DEPTH = 64;
/** Schemas that are combined for one value and all values in it: references may multiply. */
const MAX_SCHEMAS = 100_000;
/** Values, names and alternatives that are looked at for all values, and characters of values that are compared. */
const MAX_STEPS = 500_000;

export function createSchemaReader(root: unknown): SchemaReader {
  const heights = new Map<unknown, number[]>();
  const heightWithin = (schema: unknown, depth: number): number => {
    if (schema === false) return Infinity;
    if (!isObject(schema)) return 0;
    const known = heights.get(schema) ?? [];
    heights.set(schema, known);
    known[depth] ??= depth === 0 ? Infinity : measure(schema, (inner) => heightWithin(inner, depth - 1));
    return known[depth];
  };
  const measure = (schema: JsonObject, height: (inner: unknown) => number): number => {
    const reference = schema['$ref'];
    return Math.max(
      reference === undefined ? 0 : height(targetOf(root, reference)),
      ...listIn(schema, 'allOf').map(height),
      ...['anyOf', 'oneOf'].map((name) => lowest(listIn(schema, name).map(height))),
      ownHeight(schema, height),
    );
  };
  let stepsLeft = MAX_STEPS;
  const spend: Spend = (steps) => {
    stepsLeft -= steps;
    if (stepsLeft < 0) throw new Unsatisfiable('its lists are too long');
  };
  let left = MAX_SCHEMAS;
  const chosen = (schema: JsonObject, name: string, choose: ChooseOne): readonly unknown[] => {
    if (schema[name] === undefined) return [];
    spend(listIn(schema, name).length);
    return [choose(listIn(schema, name))];
  };
  const collect = (schema: unknown, choose: ChooseOne, depth: number): Constraints => {
    if (schema === false) throw new Unsatisfiable('a schema is false');
    if (!isObject(schema)) return {};
    if (depth === 0) throw new Unsatisfiable('it refers to itself');
    if (--left < 0) throw new Unsatisfiable(`it combines more than ${MAX_SCHEMAS} schemas`);
    const { $ref: reference, allOf: _all, anyOf: _any, oneOf: _one, ...own } = schema;
    const parts = [
      ...(reference === undefined ? [] : [targetOf(root, reference)]),
      ...listIn(schema, 'allOf'),
      ...['anyOf', 'oneOf'].flatMap((name) => chosen(schema, name, choose)),
    ];
    return parts
      .map((part) => collect(part, choose, depth - 1))
      .reduce((one, other) => combine(one, other, spend), own);
  };
  return {
    constraintsOf: (schema, choose) => collect(schema, choose, MAX_DEPTH),
    heightOf: (schema) => heightWithin(schema, MAX_DEPTH),
    spend,
  };
}

/** An empty list is no restriction. */
const lowest = (heights: readonly number[]): number => (heights.length === 0 ? 0 : Math.min(...heights));

function ownHeight(schema: JsonObject, height: (inner: unknown) => number): number {
  const { properties = {}, required = [], items, minItems = 0 } = schema;
  const hasOther = typesOf(schema).some((type) => type !== 'object' && type !== 'array');
  if (hasOther || 'const' in schema || 'enum' in schema) return 0;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const members = isObject(properties) ? names.flatMap((name) => properties[name] ?? []) : [];
  const elements = [...listIn(schema, 'prefixItems'), ...(Number(minItems) > 0 && isObject(items) ? [items] : [])];
  const inner = [...members, ...elements].map(height);
  return inner.length === 0 ? 0 : 1 + Math.max(...inner);
}

export function typesOf({ type }: JsonObject): string[] {
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return types.filter((each) => typeof each === 'string');
}

export function listIn(schema: JsonObject, name: string): readonly unknown[] {
  const list = schema[name];
  return Array.isArray(list) ? list : [];
}

/** A JSON pointer in a URI fragment (RFC 6901 6). Throws Unsatisfiable for any other reference. */
function targetOf(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference))
    throw new Unsatisfiable(`the reference ${JSON.stringify(reference)} is not a JSON pointer such as #/$defs/name`);
  const names = reference.split('/').slice(1);
  const target = names.reduce<unknown>((value, name) => {
    const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as JsonObject)[key]
      : undefined;
  }, root);
  if (target === undefined) throw new Unsatisfiable(`the reference ${JSON.stringify(reference)} leads nowhere`);
  return target;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

type Combine = (one: unknown, other: unknown, spend: Spend) => unknown;

const both: Combine = (one, other) => ({ allOf: [one, other] });
const largest: Combine = (one, other) => Math.max(Number(one), Number(other));
const smallest: Combine = (one, other) => Math.min(Number(one), Number(other));

/** Of two values of which one is malformed, the other counts. */
const wellFormed =
  <Value>(
    isValid: (value: unknown) => value is Value,
    of: (one: Value, other: Value, spend: Spend) => unknown,
  ): Combine =>
  (one, other, spend) => {
    if (!isValid(one)) return other;
    return isValid(other) ? of(one, other, spend) : one;
  };

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

const combinations: Readonly<Record<string, Combine>> = {
  type: (one, other, spend) => commonTypes(typesOf({ type: one }), typesOf({ type: other }), spend),
  const: (one, other, spend) => requireSome(commonValues([one], [other], spend))[0],
  enum: wellFormed(isList, (one, other, spend) => requireSome(commonValues(one, other, spend))),
  properties: wellFormed(isObject, (one, other, spend) => combine(one, other, spend, both)),
  required: wellFormed(isList, (one, other, spend) => {
    spend(one.length + other.length);
    return [...new Set([...one, ...other])];
  }),
  patternProperties: wellFormed(isObject, (one, other, spend) => combine(one, other, spend, both)),
  propertyNames: both,
  items: both,
  additionalProperties: both,
  minimum: largest,
  exclusiveMinimum: largest,
  minLength: largest,
  minItems: largest,
  minProperties: largest,
  maximum: smallest,
  exclusiveMaximum: smallest,
  maxLength: smallest,
  maxItems: smallest,
  maxProperties: smallest,
  uniqueItems: (one, other) => one === true || other === true,
};

/** Members that both have are combined by their keyword, or by `always`. */
function combine(one: JsonObject, other: JsonObject, spend: Spend, always?: Combine): JsonObject {
  const members = Object.entries(other);
  const known = Object.entries(one);
  spend(known.length + members.length);
  const entries = members.map(([name, value]) => {
    const combined = Object.hasOwn(one, name) ? (always ?? combinations[name])?.(one[name], value, spend) : undefined;
    return [name, combined ?? value] as const;
  });
  return Object.fromEntries([...known, ...entries]);
}

/** The values of one list that the other has, too. */
export function commonValues(one: readonly unknown[], other: readonly unknown[], spend: Spend): unknown[] {
  const textOf = (value: unknown): string => {
    const text = JSON.stringify(value, withSortedKeys) ?? '';
    spend(1 + text.length);
    return text;
  };
  const texts = new Set(other.map(textOf));
  return one.filter((each) => texts.has(textOf(each)));
}

/** Objects are equal in any order of their members. */
const withSortedKeys = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** An integer is a number. */
function commonTypes(one: readonly string[], other: readonly string[], spend: Spend): string[] {
  spend(one.length * other.length);
  const isIn = (type: string, types: readonly string[]) =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  return requireSome([
    ...new Set([...one.filter((type) => isIn(type, other)), ...other.filter((type) => isIn(type, one))]),
  ]);
}

function requireSome<Item>(items: Item[]): Item[] {
  if (items.length === 0) throw new Unsatisfiable('parts of it exclude each other');
  return items;
}
