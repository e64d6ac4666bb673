/**
 * Generates a JSON value that is valid for a JSON Schema, as models with structured output do. The same seed yields the same value.
 * Conditions (`not`, `if`, `contains` and the like) are ignored.
 */
import { isObject, type JsonObject } from '../../../spec/json-object.ts';
import { createRandom, type Random } from '../../time/random.ts';
import { pick } from '../../metrics/hash.ts';
import { commonValues, createSchemaReader, listIn, MAX_DEPTH, typesOf, Unsatisfiable } from './json-schema.ts';
import type { ChooseOne, Constraints, SchemaReader } from './json-schema.ts';
import { patternOf, textFor } from './text-from-schema.ts';

/** Optional members and elements are omitted below, so that recursive values end. */
const FULL_DEPTH = 4;
const MAX_ELEMENTS = 3;
/** Of the whole value. Texts count once more for each hundred characters. */
const MAX_VALUES = 10_000;
const MAX_TRIES = 20;
/** Of numbers without bounds. */
const FEW = 4;

interface Generation extends SchemaReader {
  readonly random: Random;
  /** How many values may still be generated. */
  left: number;
}

/** A value of a schema at a depth; `name` is that of its property, for texts. */
type Generate = (schema: Constraints, generation: Generation, depth: number, name: string) => unknown;

/** Throws Unsatisfiable if there is no such value, or none that it can find. */
export function jsonFromSchema(schema: unknown, seed: number): unknown {
  const reader = createSchemaReader(schema);
  if (!Number.isFinite(reader.heightOf(schema))) throw new Unsatisfiable('no finite value is valid for it');
  const generation = { ...reader, random: createRandom(seed), left: MAX_VALUES };
  return valueFor(schema, generation, 0, 'text');
}

function valueFor(schema: unknown, generation: Generation, depth: number, name: string): unknown {
  if (depth > MAX_DEPTH) throw new Unsatisfiable('its values do not end');
  if (--generation.left < 0) throw tooLarge();
  const constraints = generation.constraintsOf(schema, chooserFor(generation, depth));
  const values = listedValues(constraints, generation);
  if (values !== undefined) return listedValue(values, constraints, generation);
  return generators[typeFor(constraints, generation, depth)]?.(constraints, generation, depth, name) ?? null;
}

const tooLarge = () => new Unsatisfiable(`its values would have more than ${MAX_VALUES} parts`);

/** Not null if there is something else; when deep, one that ends soonest. */
function chooserFor({ random, heightOf }: Generation, depth: number): ChooseOne {
  return (alternatives) => {
    const heights = alternatives.map(heightOf);
    const finite = alternatives.filter((_, index) => Number.isFinite(heights[index]));
    if (finite.length === 0) throw new Unsatisfiable('it has no alternative with a finite value');
    if (depth >= FULL_DEPTH) return alternatives[heights.indexOf(Math.min(...heights))];
    const filled = finite.filter(
      (each) => !isObject(each) || !typesOf(each).every((type) => type === 'null') || typesOf(each).length === 0,
    );
    return pick(filled.length === 0 ? finite : filled, random.next());
  };
}

/** Of `const` and `enum`, if there are any. */
function listedValues(constraints: Constraints, { spend }: Generation): readonly unknown[] | undefined {
  const { const: constant, enum: list } = constraints;
  if (constant === undefined) return Array.isArray(list) ? list : undefined;
  return Array.isArray(list) ? commonValues([constant], list, spend) : [constant];
}

function listedValue(values: readonly unknown[], constraints: Constraints, { random, spend }: Generation): unknown {
  const types = typesOf(constraints);
  spend(values.length * Math.max(1, types.length));
  const allowed = values.filter((value) => types.length === 0 || types.some((type) => isOfType(value, type)));
  if (allowed.length === 0) throw new Unsatisfiable('no value of an enum or const is allowed by the rest');
  const filled = allowed.filter((value) => value !== null);
  return pick(filled.length === 0 ? allowed : filled, random.next());
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}

/** Keywords by which the type of a value without `type` is known. */
const typeByKeyword: Readonly<Record<string, string>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  patternProperties: 'object',
  propertyNames: 'object',
  items: 'array',
  prefixItems: 'array',
  minItems: 'array',
  minimum: 'number',
  maximum: 'number',
  multipleOf: 'number',
};

function typeFor(constraints: Constraints, { random }: Generation, depth: number): string {
  const types = typesOf(constraints);
  if (types.length === 0) {
    const keyword = Object.keys(constraints).find((name) => Object.hasOwn(typeByKeyword, name)) ?? '';
    return typeByKeyword[keyword] ?? 'string';
  }
  const simple = types.filter((type) => type !== 'object' && type !== 'array');
  const possible = depth >= FULL_DEPTH && simple.length > 0 ? simple : types;
  const filled = possible.filter((type) => type !== 'null');
  return pick(filled.length === 0 ? possible : filled, random.next());
}

const generators: Readonly<Record<string, Generate>> = {
  null: () => null,
  boolean: (_, { random }) => random.next() % 2 === 0,
  integer: (constraints, { random }) => numberFor(constraints, random, 1),
  number: (constraints, { random }) => numberFor(constraints, random, 0.01),
  string: (constraints, generation, _, name) => {
    const text = textFor(constraints, name, generation.random);
    generation.left -= Math.floor(text.length / 100);
    return text;
  },
  array: arrayFor,
  object: objectFor,
};

/** A multiple of `multipleOf`, or of `step`, if there is one. */
function numberFor(constraints: Constraints, random: Random, step: number): number {
  const unit = numberIn(constraints, 'multipleOf') ?? step;
  const isInteger = step === 1;
  const lower = bound(constraints, ['minimum', 'exclusiveMinimum'], Math.max);
  const upper = bound(constraints, ['maximum', 'exclusiveMaximum'], Math.min);
  // Few units: some clients check bounds that they do not send.
  const min = lower ?? (upper === undefined || upper >= unit ? unit : upper - FEW * unit);
  const max = upper ?? min + FEW * Math.max(unit, 1);
  const isAllowed = (value: number) =>
    value >= min &&
    value <= max &&
    value !== numberIn(constraints, 'exclusiveMinimum') &&
    value !== numberIn(constraints, 'exclusiveMaximum') &&
    (!isInteger || Number.isInteger(value)) &&
    (numberIn(constraints, 'multipleOf') === undefined || Number.isInteger(value / unit));
  const [first, last] = [Math.ceil(min / unit), Math.floor(max / unit)];
  const start = first + (random.next() % Math.max(1, last - first + 1));
  const multiples = Array.from({ length: MAX_TRIES * 5 }, (_, nth) => {
    const factor = start + nth > last ? first + (start + nth - last - 1) : start + nth;
    return Number((factor * unit).toPrecision(15));
  });
  const found = [...multiples, (min + max) / 2, min, max, 0].find(isAllowed);
  if (found === undefined) throw new Unsatisfiable('no number is within the bounds');
  return found;
}

const numberIn = (constraints: Constraints, name: string): number | undefined =>
  typeof constraints[name] === 'number' ? constraints[name] : undefined;

function bound(
  constraints: Constraints,
  names: readonly string[],
  of: (...values: number[]) => number,
): number | undefined {
  const values = names.flatMap((name) => numberIn(constraints, name) ?? []);
  return values.length === 0 ? undefined : of(...values);
}

function arrayFor(constraints: Constraints, generation: Generation, depth: number, name: string): unknown[] {
  const { items = true, uniqueItems } = constraints;
  // Before 2020-12, a list of `items` was what `prefixItems` is now.
  const fixed = Array.isArray(items) ? (items as unknown[]) : listIn(constraints, 'prefixItems');
  const others = Array.isArray(items) ? (constraints['additionalItems'] ?? true) : items;
  const min = numberIn(constraints, 'minItems') ?? 0;
  const max = Math.min(numberIn(constraints, 'maxItems') ?? Infinity, others === false ? fixed.length : Infinity);
  if (min > max) throw new Unsatisfiable('minItems is more than the elements that it allows');
  const isDeep = depth >= FULL_DEPTH || !Number.isFinite(generation.heightOf(others));
  const wanted = isDeep ? fixed.length : Math.max(fixed.length, 1 + (generation.random.next() % MAX_ELEMENTS));
  const count = Math.max(min, Math.min(max, wanted));
  if (count > generation.left) throw tooLarge();
  const elements: unknown[] = [];
  const known = new Set<string>();
  for (let tries = 0; elements.length < count && tries < count * MAX_TRIES; tries++) {
    const element = valueFor(fixed[elements.length] ?? others, generation, depth + 1, name);
    if (uniqueItems !== true || !known.has(JSON.stringify(element))) elements.push(element);
    known.add(JSON.stringify(element));
  }
  if (elements.length < min) throw new Unsatisfiable('it has too few different elements');
  return elements;
}

function objectFor(constraints: Constraints, generation: Generation, depth: number): JsonObject {
  const { additionalProperties: others = true, propertyNames = true } = constraints;
  const properties = isObject(constraints['properties']) ? constraints['properties'] : {};
  const patterns = isObject(constraints['patternProperties']) ? Object.entries(constraints['patternProperties']) : [];
  const required = listIn(constraints, 'required').filter((name) => typeof name === 'string');
  const schemaOf = schemaByName(properties, patterns, others);
  const isIncluded = (name: string): boolean =>
    depth < FULL_DEPTH && Number.isFinite(generation.heightOf(properties[name]));
  const max = numberIn(constraints, 'maxProperties') ?? Infinity;
  const names = new Set(required);
  generation.spend((required.length + Object.keys(properties).length) * (1 + patterns.length));
  const optional = Object.keys(properties).filter((name) => !names.has(name) && isIncluded(name));
  for (const name of optional.slice(0, Math.max(0, max - names.size))) names.add(name);
  // An object without known properties, such as a map, has an example of its entries.
  const possible = patterns.filter(([, schema]) => schema !== false).map(([pattern]) => ({ pattern }));
  const isMap = Object.keys(properties).length === 0 && (isObject(others) || possible.length > 0);
  const min = numberIn(constraints, 'minProperties') ?? (isMap && depth < FULL_DEPTH ? 1 : 0);
  if (Math.max(min, names.size) > generation.left) throw tooLarge();
  const hasOthers = propertyNames !== false && (others !== false || possible.length > 0);
  const filled = hasOthers ? Math.min(min, max) : 0;
  const ofNames = isObject(propertyNames) && others !== false ? propertyNames : possible[0];
  for (let nth = 1; names.size < filled && nth <= filled * MAX_TRIES; nth++) {
    const name = ofNames === undefined ? `key${nth}` : otherName(ofNames, generation, depth);
    if (schemaOf(name) !== false) names.add(name);
  }
  if (names.size < (numberIn(constraints, 'minProperties') ?? 0) || names.size > max)
    throw new Unsatisfiable('the number of its properties is not allowed');
  const order = [...Object.keys(properties), ...names].filter((name) => names.delete(name));
  return Object.fromEntries(order.map((name) => [name, valueFor(schemaOf(name), generation, depth + 1, name)]));
}

const otherName = (schema: JsonObject, generation: Generation, depth: number): string =>
  String(valueFor({ allOf: [{ type: 'string' }, schema] }, generation, depth + 1, 'key'));

/** `others`: for names without a schema of their own and without a pattern that matches. */
function schemaByName(properties: JsonObject, patterns: readonly [string, unknown][], others: unknown) {
  const compiled = patterns.map(([source, schema]) => [patternOf(source), schema] as const);
  return (name: string): unknown => {
    const own = Object.hasOwn(properties, name) ? [properties[name]] : [];
    const all = [...own, ...compiled.filter(([pattern]) => pattern.test(name)).map(([, schema]) => schema)];
    return all.length > 1 ? { allOf: all } : all.length === 1 ? all[0] : others;
  };
}
