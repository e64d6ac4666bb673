// @ts-check
/** Treats references and `allOf` as one schema with several layers. */
import { below, entriesOf, follow, isMap, itemsOf, textOf } from './place.mjs';

/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./place.mjs').Segment} Segment */

/**
 * All places that describe one value. The first is where the schema is used.
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
 * @param {Set<unknown>} visited
 * @returns {Place[]}
 */
function layersBelow(place, visited) {
  if (!isMap(place.value) || visited.has(place.value)) return [];
  visited.add(place.value);
  const parts = [...referred(place), ...itemsOf(own(place, 'allOf')), ...theOneBranch(place)];
  return parts.flatMap((part) => [part, ...layersBelow(part, visited)]);
}

/**
 * Returns the place of a keyword without following a sibling reference.
 * @param {Place} place
 * @param {string} name
 * @returns {Place | undefined}
 */
export function own({ value, path, source, reading }, name) {
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
 * Returns the only non-null branch of `anyOf` or `oneOf`, which is another way to allow null.
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
 * Returns the value of a keyword in the first layer that has it. OpenAPI 3.0 ignores siblings of a reference.
 * @param {Schema | undefined} schema
 * @param {string} name
 * @returns {unknown}
 */
export function keyword(schema, name) {
  return placeOfKeyword(schema, name)?.value;
}

/**
 * Returns the values of a keyword in all layers that have it.
 * @param {Schema | undefined} schema
 * @param {string} name
 * @returns {unknown[]}
 */
export function keywords(schema, name) {
  return (schema ?? []).filter(counts).flatMap((layer) => {
    const found = own(layer, name);
    return found === undefined ? [] : [found.value];
  });
}

/**
 * Returns a schema without one of its keywords.
 * @param {Place} place
 * @param {string} name
 * @returns {Place}
 */
export function without(place, name) {
  const { [name]: _, ...others } = /** @type {Record<string, unknown>} */ (place.value);
  return { ...place, value: others };
}

/**
 * Returns the descriptions of all layers, such as that next to a reference and that of its target.
 * @param {Schema | undefined} schema
 */
export function descriptionsOf(schema) {
  return keywords(schema, 'description')
    .filter((text) => typeof text === 'string')
    .join('\n');
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

/**
 * Whether the keywords of a layer count: those next to a reference do not in OpenAPI 3.0.
 * @param {Place} layer
 */
export function counts({ value, reading }) {
  return reading.version !== '3.0' || !(isMap(value) && typeof value['$ref'] === 'string');
}

/**
 * @param {Schema | undefined} schema
 * @param {...string} names From the outermost to the innermost; `[]` means the items of an array.
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
 * Returns the property names of all layers.
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
 * The name of a property or parameter without its case: `groupBy` is `group_by` is `group-by`.
 * @param {string} name
 */
export const plainName = (name) => name.replaceAll(/[_-]/g, '').toLowerCase();

/**
 * Whether the schema, or every alternative of a choice, requires a property.
 * @param {Schema | undefined} schema
 * @param {string} name
 * @param {number} [depth]
 * @returns {boolean}
 */
export function isRequired(schema, name, depth = 0) {
  if (schema === undefined) return false;
  const isListed = schema
    .filter(counts)
    .some((layer) => itemsOf(own(layer, 'required')).some(({ value }) => value === name));
  if (isListed || depth === MAX_DEPTH) return isListed;
  const choices = choicesOf(schema);
  return choices.length > 0 && choices.every((choice) => isRequired(choice, name, depth + 1));
}

/** Choices within choices are followed this far, because one may lead back to itself. */
export const MAX_DEPTH = 3;

/**
 * Returns the JSON types of the schema without `null`, or those of its enum values if it has no type.
 * @param {Schema | undefined} schema
 * @returns {string[]}
 */
export function typesOf(schema) {
  const [first, ...others] = keywords(schema, 'type').map((types) => [types].flat().map(String));
  if (first !== undefined && first.length > 0)
    return others.reduce(commonTypes, first).filter((type) => type !== 'null');
  const values = [keyword(schema, 'enum') ?? keyword(schema, 'const') ?? []].flat();
  if (values.length > 0) return [...new Set(values.filter((each) => each !== null).map((value) => typeof value))];
  if (propertyNames(schema).length > 0) return ['object'];
  if (placeOfKeyword(schema, 'items') !== undefined) return ['array'];
  const choices = innermostChoices(schema).map(typesOf);
  return choices.some((types) => types.length === 0) ? [] : [...new Set(choices.flat())];
}

/**
 * Returns the types that two layers have in common, or those of the first if there is none.
 * @param {string[]} types
 * @param {string[]} others
 */
function commonTypes(types, others) {
  const common = types.flatMap((type) => {
    if (others.includes(type)) return [type];
    const isNumeric = type === 'integer' ? others.includes('number') : type === 'number' && others.includes('integer');
    return isNumeric ? ['integer'] : [];
  });
  return common.length > 0 ? [...new Set(common)] : types;
}

/**
 * Whether the schema allows only this type.
 * @param {Schema | undefined} schema
 * @param {string} type
 */
export function isOfType(schema, type) {
  const types = typesOf(schema);
  return types.length === 1 && types[0] === type;
}

/**
 * Returns the values allowed by enum or const without `null`, also in every alternative of a choice. Undefined if any value is
 * allowed.
 * @param {Schema | undefined} schema
 * @returns {unknown[] | undefined}
 */
export function allowedValues(schema) {
  const constant = keyword(schema, 'const');
  const values = keyword(schema, 'enum') ?? (constant === undefined ? undefined : [constant]);
  if (Array.isArray(values)) return values.filter((value) => value !== null);
  const choices = innermostChoices(schema).map(allowedValues);
  return choices.length === 0 || choices.includes(undefined) ? undefined : [...new Set(choices.flat())];
}

/**
 * Returns the alternatives of `anyOf` or `oneOf`; empty if there is no choice.
 * @param {Schema} schema
 * @returns {Schema[]}
 */
export function choicesOf(schema) {
  return choiceIn(schema)?.branches.map(schemaAt) ?? [];
}

/**
 * Returns the alternatives of `anyOf` or `oneOf`, each with what is beside the choice.
 * @param {Schema} schema
 * @returns {Schema[]}
 */
export function alternativesOf(schema) {
  const choice = choiceIn(schema);
  if (choice === undefined) return [];
  const { layer, name, branches } = choice;
  const beside = schema.map((each) => (each.value === layer.value ? without(each, name) : each));
  return branches.map((branch) => [...schemaAt(branch), ...beside]);
}

/**
 * Returns the first choice of more than one branch, without its null.
 * @param {Schema} schema
 */
function choiceIn(schema) {
  for (const layer of schema.filter(counts)) {
    for (const name of ['anyOf', 'oneOf']) {
      const all = itemsOf(own(layer, name));
      const branches = all.filter((branch) => below(branch, 'type')?.value !== 'null');
      if (all.length > 1) return { layer, name, branches };
    }
  }
  return undefined;
}

/**
 * Returns the alternatives of a choice, and of the choices within it, that are no choices themselves. One that leads back to
 * itself is omitted.
 * @param {Schema | undefined} schema
 * @param {Set<unknown>} [visited]
 * @returns {Schema[]}
 */
function innermostChoices(schema, visited = new Set()) {
  const choices = schema === undefined ? [] : choicesOf(schema);
  return choices.flatMap((choice) => {
    const { value } = follow(choice[0]);
    if (visited.has(value)) return [];
    visited.add(value);
    return choicesOf(choice).length === 0 ? [choice] : innermostChoices(choice, visited);
  });
}

/**
 * Whether the shape is marked as undocumented.
 * @param {Schema | undefined} schema
 */
export function isNotShown(schema) {
  return keyword(schema, 'x-not-shown') === true;
}

/**
 * Returns the place to report for the use of a schema: the holder of the reference, if it is only referenced.
 * @param {Schema} schema
 * @returns {Pick<Place, 'path'>}
 */
export function useOf([place]) {
  const refers = isMap(place.value) && typeof place.value['$ref'] === 'string';
  return refers ? { path: place.path.slice(0, -1) } : place;
}

/** Keywords that contain a schema, an array of schemas or a map of schemas. */
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
 * Returns the direct subschemas without following references. Records values that are not schemas.
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

/**
 * Returns these schemas and all that they contain or refer to, each once.
 * @param {readonly Place[]} places
 * @returns {Place[]}
 */
export function schemasFrom(places) {
  const found = new Map();
  const waiting = [...places];
  for (let index = 0; index < waiting.length; index += 1) {
    const place = /** @type {Place} */ (waiting[index]);
    if (!isMap(place.value) || found.has(place.value)) continue;
    found.set(place.value, place);
    const end = follow(place);
    waiting.push(...(end.value === place.value ? [] : [end]), ...schemasInside(place));
  }
  return [...found.values()];
}
