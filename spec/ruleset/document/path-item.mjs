// @ts-check
/** The fields of a path item by version of OpenAPI: methods, and what applies to all of them. */
import { below, entriesOf, follow, isMap } from './place.mjs';

/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./operations.mjs').Operation} Operation */

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** The field for other methods, since OpenAPI 3.2. */
const ADDITIONAL = 'additionalOperations';
const OTHERS = ['$ref', 'summary', 'description', 'servers', 'parameters'];

/**
 * Returns the names of the methods that have a field.
 * @param {Place} place Any place of the document.
 */
const methodNames = (place) => (isVersion32(place) ? [...METHODS, 'query'] : METHODS);

/**
 * Whether the document is of OpenAPI 3.2 or later.
 * @param {Place} place
 */
const isVersion32 = ({ reading }) => reading.minorVersion >= 2;

/**
 * Returns the operations of a path item by method, without following their references.
 * @param {Place} item
 * @returns {[string, Place][]} Methods in lower case.
 */
export function methodsOf(item) {
  const known = methodNames(item);
  const fields = entriesOf(item);
  const additional = isVersion32(item)
    ? fields.flatMap(([name, place]) => (name === ADDITIONAL ? entriesOf(place) : []))
    : [];
  return [
    ...fields.filter(([name]) => known.includes(name)),
    ...additional.filter(([name]) => !isExtension(name)).map(([name, place]) => lowerCase(name, place)),
  ];
}

/**
 * @param {string} name
 * @param {Place} place
 * @returns {[string, Place]}
 */
const lowerCase = (name, place) => [name.toLowerCase(), place];

/**
 * Returns every path item once: those of paths, webhooks, components and callbacks.
 * @param {Place} root
 * @param {readonly Operation[]} operations
 * @returns {Place[]}
 */
export function pathItems(root, operations) {
  const callbacks = [
    below(root, 'components', 'callbacks'),
    ...operations.map(({ place }) => below(place, 'callbacks')),
  ];
  const maps = [
    below(root, 'paths'),
    below(root, 'webhooks'),
    below(root, 'components', 'pathItems'),
    ...callbacks.flatMap((each) => entriesOf(each).map(([, callback]) => callback)),
  ];
  const items = maps.flatMap((map) => entriesOf(map).filter(([name]) => !isExtension(name)));
  return [...new Map(items.map(([, item]) => [follow(item).value, item])).values()];
}

/**
 * Returns what is wrong with the fields of a path item, each as a sentence with its place.
 * @param {Place} item
 * @returns {{ place: Place, message: string }[]}
 */
export function unknownFields(item) {
  const known = [...methodNames(item), ...OTHERS, ...(isVersion32(item) ? [ADDITIONAL] : [])];
  const fields = entriesOf(item).filter(([name]) => !known.includes(name) && !isExtension(name));
  const repeated = isVersion32(item) ? entriesOf(below(item, ADDITIONAL)) : [];
  return [
    ...fields.map(([name, place]) => ({ place, message: describe(name, place) })),
    ...repeated
      .filter(([name]) => methodNames(item).includes(name.toLowerCase()))
      .map(([name, place]) => ({
        place,
        message: `${ADDITIONAL} must not contain "${name}"; use the field "${name.toLowerCase()}" of the path item.`,
      })),
  ];
}

/**
 * @param {string} name
 * @param {Place} place
 */
function describe(name, place) {
  const lower = name.toLowerCase();
  if (methodNames(place).includes(lower)) return `The method "${name}" must be in lower case: ${lower}.`;
  if (name === 'query' || name === ADDITIONAL)
    return `OpenAPI 3.${place.reading.minorVersion} does not know "${name}" in a path item, so the operation is ignored; it needs OpenAPI 3.2.`;
  const what = isMap(place.value) ? 'method' : 'field';
  const hint = isVersion32(place) && what === 'method' ? `, or ${ADDITIONAL}` : '';
  const isSimilar = (/** @type {string} */ each) => each.startsWith(lower) || lower.startsWith(each);
  const similar = lower === '' || what === 'field' ? undefined : methodNames(place).find(isSimilar);
  const suggestion = similar === undefined ? '' : ` Did you mean "${similar}"?`;
  return `Unknown ${what} "${name}" in a path item.${suggestion} Expected one of ${methodNames(place).join(', ')}${hint}.`;
}

/** @param {string} name */
const isExtension = (name) => name.startsWith('x-');
