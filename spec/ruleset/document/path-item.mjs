// @ts-check
/** The fields of a path item by version of OpenAPI: methods, and what applies to all of them. */
import { below, entriesOf, follow, isMap } from './place.mjs';

/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./operations.mjs').Operation} Operation */

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** Fields that OpenAPI 3.2 added. */
const ADDITIONAL = 'additionalOperations';
const OTHERS = ['$ref', 'summary', 'description', 'servers', 'parameters'];

/**
 * Returns the names of the methods that have a field.
 * @param {number} minor The document is of OpenAPI 3 with this minor version.
 */
export const methodNames = (minor) => (minor >= 2 ? [...METHODS, 'query'] : METHODS);

/**
 * Returns the operations of a path item by method, without following their references.
 * @param {Place} item
 * @param {number} minor
 * @returns {[string, Place][]} Methods in lower case.
 */
export function methodsOf(item, minor) {
  const known = methodNames(minor);
  const fields = entriesOf(item);
  const additional = minor >= 2 ? fields.flatMap(([name, place]) => (name === ADDITIONAL ? entriesOf(place) : [])) : [];
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
 * @param {number} minor
 * @returns {{ place: Place, message: string }[]}
 */
export function unknownFields(item, minor) {
  const known = [...methodNames(minor), ...OTHERS, ...(minor >= 2 ? [ADDITIONAL] : [])];
  const fields = entriesOf(item).filter(([name]) => !known.includes(name) && !isExtension(name));
  const repeated = minor >= 2 ? entriesOf(below(item, ADDITIONAL)) : [];
  return [
    ...fields.map(([name, place]) => ({ place, message: describe(name, place, minor) })),
    ...repeated
      .filter(([name]) => methodNames(minor).includes(name.toLowerCase()))
      .map(([name, place]) => ({
        place,
        message: `${ADDITIONAL} must not contain "${name}"; use the field "${name.toLowerCase()}" of the path item.`,
      })),
  ];
}

/**
 * @param {string} name
 * @param {Place} place
 * @param {number} minor
 */
function describe(name, place, minor) {
  const lower = name.toLowerCase();
  if (methodNames(minor).includes(lower)) return `The method "${name}" must be in lower case: ${lower}.`;
  if (name === 'query' || name === ADDITIONAL)
    return `OpenAPI 3.${minor} does not know "${name}" in a path item, so the operation is ignored; it needs OpenAPI 3.2.`;
  const what = isMap(place.value) ? 'method' : 'field';
  const hint = minor >= 2 && what === 'method' ? `, or ${ADDITIONAL}` : '';
  return `Unknown ${what} "${name}" in a path item. Expected one of ${methodNames(minor).join(', ')}${hint}.`;
}

/** @param {string} name */
const isExtension = (name) => name.startsWith('x-');
