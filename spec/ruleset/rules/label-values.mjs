// @ts-check
/** Decides whether the values of labels are strings, in whatever keywords they are described. */
import { accepts } from '../document/accepts.mjs';
import { entriesOf, isMap } from '../document/place.mjs';
import { MAX_DEPTH, alternativesOf, counts, isOfType, own, schemaAt, without } from '../document/schema.mjs';

/** @typedef {import('../document/place.mjs').Place} Place */
/** @typedef {import('../document/schema.mjs').Schema} Schema */

/** Of which a pattern of keys accepts one. */
const KEYS = ['team', 'a', 'A', 'my-team', 'my_team', 'example.com/team', 'TEAM'];
const OTHER_VALUES = [1, 1000, true, [], {}];

/**
 * Whether some key may have a string, and no number.
 * @param {Schema} schema
 */
export const takesStrings = (schema) =>
  KEYS.some((key) => accepts(schema, { [key]: 'text' }) === true && accepts(schema, { [key]: 1 }) === false);

/**
 * Returns the keyword that allows some keys other values than strings, unless another keyword forbids them.
 * @param {Schema} schema
 * @param {number} [depth]
 * @returns {string | undefined}
 */
export function keywordAllowingNonStrings(schema, depth = 0) {
  const layers = schema.filter((layer) => counts(layer) && isMap(layer.value));
  const named = /** @type {const} */ (['properties', 'patternProperties']).find((name) =>
    layers.some((layer) =>
      entriesOf(own(layer, name)).some(([key, place]) => {
        const keys = name === 'properties' ? [key] : KEYS;
        return !isString(place) && !onlyStrings(withoutEntry(layers, layer, name, key), keys);
      }),
    ),
  );
  const unnamed = ['additionalProperties', 'unevaluatedProperties'].find((name) =>
    layers.some((layer) => {
      const place = own(layer, name);
      return place !== undefined && !isString(place) && acceptsNonStrings(schema);
    }),
  );
  const alternatives = depth < MAX_DEPTH ? alternativesOf(schema) : [];
  return (
    named ?? unnamed ?? alternatives.map((each) => keywordAllowingNonStrings(each, depth + 1)).find((name) => name)
  );
}

/** @param {Place} place */
const isString = (place) => place.value === false || isOfType(schemaAt(place), 'string');

/** @param {Schema} schema */
const acceptsNonStrings = (schema) =>
  KEYS.some((key) => OTHER_VALUES.some((value) => accepts(schema, { [key]: value }) === true));

/**
 * @param {readonly Place[]} layers
 * @param {readonly string[]} keys
 */
const onlyStrings = ([first, ...others], keys) =>
  first !== undefined &&
  keys.every((key) => OTHER_VALUES.every((value) => accepts([first, ...others], { [key]: value }) === false));

/**
 * Returns what else applies to the keys of an entry: not what the same layer says of other keys.
 * @param {readonly Place[]} layers
 * @param {Place} layer
 * @param {'properties' | 'patternProperties'} name
 * @param {string} key
 */
function withoutEntry(layers, layer, name, key) {
  return layers.map((each) => {
    const rest = without(each, 'unevaluatedProperties');
    const entries = own(rest, name);
    if (each !== layer || entries === undefined) return rest;
    const value = { .../** @type {object} */ (rest.value), [name]: without(entries, key).value };
    return without({ ...rest, value }, 'additionalProperties');
  });
}
