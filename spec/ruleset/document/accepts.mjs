// @ts-check
/** Decides whether a schema accepts a value, however it is written: limits and values have many forms. */
import { below, entriesOf, follow, itemsOf } from './place.mjs';
import { counts, own, schemaAt } from './schema.mjs';

/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./schema.mjs').Schema} Schema */
/** @typedef {boolean | undefined} Verdict Undefined if a pattern is invalid, or takes too long. */
/** @typedef {Record<string, unknown>} Json */

/**
 * @typedef {object} Keyword What a keyword of a layer requires of a value.
 * @property {Place} place The place of the keyword.
 * @property {Place} layer
 * @property {unknown} value
 * @property {Set<unknown>} visited Schemas that are being applied to the value.
 */

/** @param {unknown} value */
const typeOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/**
 * @param {unknown} value
 * @param {unknown} type
 */
const isOf = (value, type) => (type === 'integer' ? Number.isInteger(value) : typeOf(value) === type);

/**
 * Applies a check to values of one type only; a keyword accepts all others.
 * @param {string} type
 * @param {(value: any, limit: any, keyword: Keyword) => Verdict} check
 * @returns {(keyword: Keyword) => Verdict}
 */
const of = (type, check) => (keyword) =>
  typeOf(keyword.value) !== type || check(keyword.value, keyword.place.value, keyword);

/** @param {string} text */
const length = (text) => [...text].length;

/**
 * Patterns are last: one may take long to match a long string. Formats are not checked.
 * @type {Readonly<Record<string, (keyword: Keyword) => Verdict>>}
 */
const CHECKS = {
  type: ({ value, place }) => [place.value].flat().some((type) => isOf(value, type)),
  const: ({ value, place }) => isSame(value, place.value),
  enum: ({ value, place }) => [place.value].flat().some((each) => isSame(value, each)),
  minLength: of('string', (value, limit) => length(value) >= limit),
  maxLength: of('string', (value, limit) => length(value) <= limit),
  minimum: of('number', (value, limit, { layer }) =>
    own(layer, 'exclusiveMinimum')?.value === true ? value > limit : value >= limit,
  ),
  maximum: of('number', (value, limit, { layer }) =>
    own(layer, 'exclusiveMaximum')?.value === true ? value < limit : value <= limit,
  ),
  exclusiveMinimum: of('number', (value, limit) => typeof limit === 'boolean' || value > limit),
  exclusiveMaximum: of('number', (value, limit) => typeof limit === 'boolean' || value < limit),
  multipleOf: of('number', (value, limit) => value % limit === 0),
  minItems: of('array', (value, limit) => value.length >= limit),
  maxItems: of('array', (value, limit) => value.length <= limit),
  minProperties: of('object', (value, limit) => Object.keys(value).length >= limit),
  maxProperties: of('object', (value, limit) => Object.keys(value).length <= limit),
  required: of('object', (value, names) => [names].flat().every((name) => Object.hasOwn(value, name))),
  items: of('array', (value, _, { place }) => every(value, (each) => accepts(schemaAt(place), each))),
  properties: of('object', (value, _, { place }) =>
    every(entriesOf(place), ([name, each]) => !Object.hasOwn(value, name) || accepts(schemaAt(each), value[name])),
  ),
  patternProperties: of('object', (value, _, { place }) =>
    every(entriesOf(place), ([pattern, each]) =>
      every(Object.keys(value), (name) => {
        const isMatch = matches(pattern, name);
        return isMatch === true ? accepts(schemaAt(each), value[name]) : isMatch === false || undefined;
      }),
    ),
  ),
  additionalProperties: of('object', (value, _, { place, layer }) =>
    every(othersOf(value, layer), (name) => accepts(schemaAt(place), value[name])),
  ),
  unevaluatedProperties: of('object', (value, _, { place, layer, visited }) =>
    every(
      Object.keys(value).filter((name) => !isEvaluated(name, value, layer, visited)),
      (name) => accepts(schemaAt(place), value[name]),
    ),
  ),
  propertyNames: of('object', (value, _, { place }) =>
    every(Object.keys(value), (each) => accepts(schemaAt(place), each)),
  ),
  anyOf: (keyword) => acceptsSome(keyword),
  oneOf: (keyword) => acceptsSome(keyword),
  not: ({ value, place, visited }) => negated(acceptsLayers(schemaAt(place), value, visited)),
  pattern: of('string', (value, pattern) => typeof pattern !== 'string' || matches(pattern, value)),
};

/**
 * Whether a schema accepts a value.
 * @param {Schema | undefined} schema Undefined accepts everything.
 * @param {unknown} value Strings are short, because an unknown pattern may take long to match a long one.
 * @returns {Verdict}
 */
export function accepts(schema, value) {
  return schema === undefined || acceptsLayers(schema, value, new Set());
}

/**
 * Finds the first keyword that rejects a value.
 * @param {Schema} schema
 * @param {unknown} value As for accepts.
 * @returns {{ name: string, value: unknown } | undefined}
 */
export function rejectingKeyword(schema, value) {
  for (const [name, check] of Object.entries(CHECKS)) {
    for (const layer of schema.filter(counts)) {
      const place = own(layer, name);
      if (place === undefined || check({ place, layer, value, visited: new Set() }) !== false) continue;
      const isExclusive = own(layer, EXCLUSIVE[name] ?? '')?.value === true;
      return { name: isExclusive ? (EXCLUSIVE[name] ?? name) : name, value: place.value };
    }
  }
  return undefined;
}

/** @type {Readonly<Record<string, string>>} The keywords that make a bound of OpenAPI 3.0 exclusive. */
const EXCLUSIVE = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' };

/**
 * @param {Schema} schema
 * @param {unknown} value
 * @param {Set<unknown>} visited
 * @returns {Verdict}
 */
function acceptsLayers(schema, value, visited) {
  const layers = schema.filter(counts);
  if (layers.some((layer) => layer.value === false)) return false;
  return every(Object.entries(CHECKS), ([name, check]) =>
    every(layers, (layer) => {
      const place = own(layer, name);
      return place === undefined || check({ place, layer, value, visited });
    }),
  );
}

/**
 * At least one alternative accepts the value. One that leads back to itself does not.
 * @param {Keyword} keyword
 * @returns {Verdict}
 */
function acceptsSome({ place, value, visited }) {
  const results = itemsOf(place).map((branch) => {
    const { value: schema } = follow(branch);
    if (visited.has(schema)) return false;
    return acceptsLayers(schemaAt(branch), value, new Set([...visited, schema]));
  });
  return results.includes(true) || (results.includes(undefined) ? undefined : false);
}

/**
 * @param {Verdict} verdict
 * @returns {Verdict}
 */
const negated = (verdict) => (verdict === undefined ? undefined : !verdict);

/**
 * Stops at the first false.
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => Verdict} check
 * @returns {Verdict}
 */
function every(items, check) {
  /** @type {Verdict} */
  let result = true;
  for (const item of items) {
    const verdict = check(item);
    if (verdict === false) return false;
    result = verdict === undefined ? undefined : result;
  }
  return result;
}

/**
 * Returns the names that neither properties nor patternProperties of the layer describe.
 * @param {Json} value
 * @param {Place} layer
 */
function othersOf(value, layer) {
  return Object.keys(value).filter((name) => !isNamed(name, layer));
}

/**
 * Whether properties or patternProperties of the layer describe a name.
 * @param {string} name
 * @param {Place} layer
 */
const isNamed = (name, layer) =>
  below(own(layer, 'properties'), name) !== undefined ||
  entriesOf(own(layer, 'patternProperties')).some(([pattern]) => matches(pattern, name) === true);

/**
 * Whether a layer, what it includes, or an alternative that accepts the value describes a name of the value. Its own
 * unevaluatedProperties is about the others.
 * @param {string} name
 * @param {Json} value
 * @param {Place} layer
 * @param {Set<unknown>} visited
 * @returns {boolean}
 */
function isEvaluated(name, value, layer, visited) {
  return schemaAt(layer)
    .filter(counts)
    .some(
      (each) =>
        isNamed(name, each) ||
        own(each, 'additionalProperties') !== undefined ||
        (each !== layer && own(each, 'unevaluatedProperties') !== undefined) ||
        ['anyOf', 'oneOf']
          .flatMap((choice) => itemsOf(own(each, choice)))
          .some((branch) => isInBranch(name, value, branch, visited)),
    );
}

/**
 * @param {string} name
 * @param {Json} value
 * @param {Place} branch
 * @param {Set<unknown>} visited
 */
function isInBranch(name, value, branch, visited) {
  const end = follow(branch);
  if (visited.has(end.value)) return false;
  const inner = new Set([...visited, end.value]);
  const isDescribed = own(end, 'unevaluatedProperties') !== undefined || isEvaluated(name, value, branch, inner);
  return isDescribed && acceptsLayers(schemaAt(branch), value, inner) === true;
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
const isSame = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

/** A repeated group can take a time that doubles with each character. Fewer characters take little time. */
const REPEATED_GROUP = /\)(?:[+*]|\{\d+,\})|[+*}]\)+\{/;
const MAX_REPEATED = 22;

/**
 * Undefined also for a pattern that may take too long for this text. Without the u flag if it is invalid with it: that flag refuses an escaped hyphen.
 * @param {string} pattern
 * @param {string} text
 * @returns {Verdict}
 */
function matches(pattern, text) {
  if (text.length > MAX_REPEATED && REPEATED_GROUP.test(pattern)) return undefined;
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags).test(text);
    } catch {
      // The next flags, or none.
    }
  }
  return undefined;
}
