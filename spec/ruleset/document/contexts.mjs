// @ts-check
/** Finds what applies to the same value as a schema: the siblings of `allOf`, `anyOf`, `oneOf` and `$ref`, and their other parts. */
import { entriesOf, follow, isMap, itemsOf } from './place.mjs';
import { counts, own, property, schemaAt, schemasInside, without } from './schema.mjs';

/** @typedef {import('./place.mjs').Place} Place */

/** @typedef {readonly Place[]} Context The other schemas that apply to a value where a schema is used. */

/**
 * @typedef {object} Use
 * @property {Place} parent
 * @property {(outer: Context) => Context} inherit Returns what applies to the schema, from what applies to its parent besides the parent.
 */

/** Steps until the search for contexts ends: a document may have very many ways to reach a schema. */
const MAX_STEPS = 1000;

/** Keywords whose schemas say nothing of the shape of a value on their own. */
const CONDITIONS = ['not', 'if', 'then', 'else', 'contains', 'propertyNames'];

/**
 * @param {readonly Place[]} schemas Every schema of a document.
 * @returns {(schema: Place) => Iterable<Context>} At least one context.
 */
export function contextsIn(schemas) {
  /** @type {Map<unknown, Use[]>} */
  const uses = new Map();
  for (const place of schemas) {
    for (const [{ value }, use] of usesIn(place)) {
      const known = uses.get(value);
      if (known === undefined) uses.set(value, [use]);
      else known.push(use);
    }
  }
  return function* ({ value }) {
    let isUsed = false;
    for (const context of contextsOf(uses, value, new Set(), { steps: MAX_STEPS })) {
      isUsed = true;
      yield context;
    }
    // A schema that is used only within itself.
    if (!isUsed) yield [];
  };
}

/**
 * @param {ReadonlyMap<unknown, readonly Use[]>} uses
 * @param {unknown} value
 * @param {ReadonlySet<unknown>} visited
 * @param {{ steps: number }} left
 * @returns {Generator<Context>}
 */
function* contextsOf(uses, value, visited, left) {
  const all = uses.get(value);
  if (all === undefined) yield [];
  for (const { parent, inherit } of all ?? []) {
    if (visited.has(parent.value)) continue;
    left.steps -= 1;
    if (left.steps < 0) return;
    for (const outer of contextsOf(uses, parent.value, new Set([...visited, value]), left)) yield inherit(outer);
  }
}

/**
 * Returns the schemas within a schema, and the one that it refers to.
 * @param {Place} parent
 * @returns {[Place, Use][]}
 */
function usesIn(parent) {
  const target = follow(parent);
  /** @type {[Place, Use][]} */
  const referred = isMap(target.value) && target.value !== parent.value ? [[target, besides(parent, '$ref')]] : [];
  if (!counts(parent)) return referred;
  const parts = itemsOf(own(parent, 'allOf'));
  const known = /** @type {[Place, Use][]} */ ([
    ...referred,
    ...parts.map((part) => [part, besides(parent, 'allOf', () => parts.filter((each) => each !== part))]),
    ...['anyOf', 'oneOf'].flatMap((name) =>
      itemsOf(own(parent, name)).map((branch) => [branch, besides(parent, name)]),
    ),
    ...CONDITIONS.flatMap((name) => own(parent, name) ?? []).map((place) => [place, conditional(parent)]),
    ...entriesOf(own(parent, 'dependentSchemas')).map(([, place]) => [place, conditional(parent)]),
    ...entriesOf(own(parent, 'properties')).map(([name, place]) => [place, member(parent, name)]),
    ...[own(parent, 'items') ?? []].flat().map((place) => [place, member(parent, '[]')]),
  ]);
  const values = new Set(known.map(([{ value }]) => value));
  const others = schemasInside(parent).filter(({ value }) => !values.has(value));
  return [...known, ...others.map((place) => /** @type {[Place, Use]} */ ([place, { parent, inherit: () => [] }]))];
}

/**
 * @param {Place} parent
 * @param {string} name The keyword that has the schema.
 * @param {() => Place[]} [others]
 * @returns {Use}
 */
const besides = (parent, name, others = () => []) => ({
  parent,
  inherit: (outer) => [
    ...(counts(parent) ? schemaAt(without(parent, name)) : []),
    ...others().flatMap((each) => schemaAt(each)),
    ...outer,
  ],
});

/**
 * @param {Place} parent
 * @returns {Use}
 */
const conditional = (parent) => ({ parent, inherit: (outer) => [parent, ...outer] });

/**
 * @param {Place} parent
 * @param {string} name
 * @returns {Use}
 */
const member = (parent, name) => ({
  parent,
  inherit: (outer) => outer.flatMap((layer) => property([layer], name) ?? []),
});
