// @ts-check
/** Recognizes operations that are served next to the management API but do not belong to it, such as health checks. */
import { collections } from '../values.mjs';
import { below } from './place.mjs';

/** @typedef {import('./operations.mjs').Operation} Operation */

const READING = ['get', 'head', 'options'];

/**
 * Returns the operations; those that are public are of no surface.
 * @param {Operation[]} operations
 * @returns {Operation[]}
 */
export function withoutPublicSurface(operations) {
  const isAt = (/** @type {string} */ template) => operations.some((each) => each.template.startsWith(template));
  return operations.map((operation) =>
    isPublic(operation) && !isAt(`${operation.template.replace(/\/$/, '')}/{`)
      ? { ...operation, surface: undefined }
      : operation,
  );
}

/**
 * Every operation of the management API requires a credential. One that declares itself that it requires none is
 * outside of it if it only reads and is not at a collection or an item.
 * @param {Operation} operation
 */
function isPublic({ surface, method, path, place }) {
  const own = below(place, 'security')?.value;
  const declaresNone = Array.isArray(own) && own.length === 0;
  const isOfInterface = path.includes('{') || collections.includes(path.split('/')[1] ?? '');
  return surface === 'management' && declaresNone && READING.includes(method) && !isOfInterface;
}
