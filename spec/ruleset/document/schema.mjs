// @ts-check
/** Schemas as the value they describe sees them: references and `allOf` are one schema in several layers. */
import { below, entriesOf, follow, isMap, itemsOf, textOf } from './place.mjs';

/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./place.mjs').Segment} Segment */

/**
 * Every place that says something about one value; the first is where the schema is used.
 * @typedef {readonly [Place, ...Place[]]} Schema
 */

/**
 * @param {Place} place
 * @returns {Schema}
 */
export function schemaAt(place) {
  return [place, ...layersBelow(place, new Set())];
}

/**
 * @param {Place} place
 * @param {Set<unknown>} seen
 * @returns {Place[]}
 */
function layersBelow(place, seen) {
  if (!isMap(place.value) || seen.has(place.value)) return [];
  seen.add(place.value);
  const parts = [...referred(place), ...itemsOf(own(place, 'allOf')), ...theOneBranch(place)];
  return parts.flatMap((part) => [part, ...layersBelow(part, seen)]);
}

/**
 * What stands under a keyword, the reference beside it not followed.
 * @param {Place} place
 * @param {string} name
 * @returns {Place | undefined}
 */
function own({ value, path, source, reading }, name) {
  const found = isMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return found === undefined ? undefined : { value: found, path: [...path, name], source, reading };
}

/**
 * @param {Place} place
 * @returns {Place[]}
 */
function referred(place) {
  const end = follow(place);
  return end.value === place.value || end.value === undefined ? [] : [end];
}

/**
 * Of `anyOf` and `oneOf` the branch beside `null`, where there is only one: another way to say that null is allowed.
 * @param {Place} place
 * @returns {Place[]}
 */
function theOneBranch(place) {
  return ['anyOf', 'oneOf'].flatMap((name) => {
    const branches = itemsOf(own(place, name)).filter((branch) => below(branch, 'type')?.value !== 'null');
    return branches.length === 1 ? branches : [];
  });
}

/**
 * What the first layer that has the keyword says. OpenAPI 3.0 knows nothing beside a reference.
 * @param {Schema | undefined} schema
 * @param {string} name
 * @returns {unknown}
 */
export function keyword(schema, name) {
  return placeOfKeyword(schema, name)?.value;
}

/**
 * @param {Schema | undefined} schema
 */
export function descriptionOf(schema) {
  return textOf(placeOfKeyword(schema, 'description'));
}

/**
 * @param {Schema | undefined} schema
 * @param {string} name
 * @returns {Place | undefined}
 */
export function placeOfKeyword(schema, name) {
  for (const layer of schema ?? []) {
    const found = counts(layer) ? own(layer, name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param {Place} layer */
function counts({ value, reading }) {
  return reading.version !== '3.0' || !(isMap(value) && typeof value['$ref'] === 'string');
}

/**
 * @param {Schema | undefined} schema
 * @param {...string} names One inside the other; `[]` stands for the items of a list.
 * @returns {Schema | undefined}
 */
export function property(schema, ...names) {
  return names.reduce((/** @type {Schema | undefined} */ current, name) => member(current, name), schema);
}

/**
 * @param {Schema | undefined} schema
 * @param {string} name
 * @returns {Schema | undefined}
 */
function member(schema, name) {
  const layers = (schema ?? [])
    .filter(counts)
    .flatMap((layer) => (name === '[]' ? own(layer, 'items') : below(own(layer, 'properties'), name)) ?? []);
  const [first, ...others] = layers.flatMap((place) => schemaAt(place));
  return first && [first, ...others];
}

/**
 * The names of all properties, of every layer.
 * @param {Schema | undefined} schema
 * @returns {string[]}
 */
export function propertyNames(schema) {
  const names = (schema ?? [])
    .filter(counts)
    .flatMap((layer) => entriesOf(own(layer, 'properties')).map(([name]) => name));
  return [...new Set(names)];
}

/**
 * @param {Schema | undefined} schema
 * @param {string} name
 */
export function isRequired(schema, name) {
  return (schema ?? [])
    .filter(counts)
    .some((layer) => itemsOf(own(layer, 'required')).some(({ value }) => value === name));
}

/**
 * The JSON types that the schema names, `null` left out; those of its enumeration where it names none.
 * @param {Schema | undefined} schema
 * @returns {string[]}
 */
export function typesOf(schema) {
  const said = [keyword(schema, 'type') ?? []].flat().map(String);
  if (said.length > 0) return said.filter((type) => type !== 'null');
  const values = [keyword(schema, 'enum') ?? keyword(schema, 'const') ?? []].flat();
  if (values.length > 0) return [...new Set(values.filter((each) => each !== null).map((value) => typeof value))];
  if (propertyNames(schema).length > 0) return ['object'];
  return placeOfKeyword(schema, 'items') === undefined ? [] : ['array'];
}

/**
 * Whether the schema wants that type and no other.
 * @param {Schema | undefined} schema
 * @param {string} type
 */
export function isOfType(schema, type) {
  const types = typesOf(schema);
  return types.length === 1 && types[0] === type;
}

/**
 * The values that an enumeration or a constant allows, `null` left out; undefined where any value is.
 * @param {Schema | undefined} schema
 * @returns {unknown[] | undefined}
 */
export function allowedValues(schema) {
  const constant = keyword(schema, 'const');
  const values = keyword(schema, 'enum') ?? (constant === undefined ? undefined : [constant]);
  return Array.isArray(values) ? values.filter((value) => value !== null) : undefined;
}

/**
 * The alternatives of `anyOf` or `oneOf`; none where there is no choice.
 * @param {Schema} schema
 * @returns {Schema[]}
 */
export function choicesOf(schema) {
  const choices = schema.filter(counts).flatMap((layer) => ['anyOf', 'oneOf'].map((each) => itemsOf(own(layer, each))));
  return choices.find((branches) => branches.length > 1)?.map(schemaAt) ?? [];
}

/**
 * Marked as a shape that the interface does not show.
 * @param {Schema | undefined} schema
 */
export function isNotShown(schema) {
  return keyword(schema, 'x-not-shown') === true;
}

/**
 * Where to point for what is wrong with the use of a schema: where it is only referred to, at what holds the reference.
 * @param {Schema} schema
 * @returns {Pick<Place, 'path'>}
 */
export function useOf([place]) {
  const refers = isMap(place.value) && typeof place.value['$ref'] === 'string';
  return refers ? { path: place.path.slice(0, -1) } : place;
}

/** Keywords that hold a schema, a list of them, or a map of them. */
const HOLDERS = /** @type {const} */ ({
  one: [
    'items',
    'additionalProperties',
    'not',
    'if',
    'then',
    'else',
    'contains',
    'propertyNames',
    'unevaluatedItems',
    'unevaluatedProperties',
  ],
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  map: ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
});

/**
 * The schemas directly inside one, references not followed. Notes what is no schema.
 * @param {Place} place
 * @returns {Place[]}
 */
export function schemasInside(place) {
  const held = (/** @type {readonly string[]} */ names) => names.flatMap((name) => own(place, name) ?? []);
  return [
    ...held(HOLDERS.map).flatMap((map) => entriesOf(map).map(([, schema]) => schema)),
    ...held(HOLDERS.list).flatMap(itemsOf),
    ...held(HOLDERS.one).filter(({ value }) => typeof value !== 'boolean'),
  ];
}
