// @ts-check
/** Decides whether a document describes the interface. Words of its paths, such as jobs or models, are no evidence: many APIs have them. */
import { documentedOperations, earliestVersion } from '../values.mjs';
import { BRANDED, VERSION, headerNames } from './headers.mjs';
import { hasMostStatuses, isEnvelope } from './resources.mjs';
import { schemaAt } from './schema.mjs';

/** @typedef {import('./operations.mjs').Operation} Operation */
/** @typedef {import('./place.mjs').Place} Place */

/**
 * @typedef {object} Parts The parts of a document that may have evidence.
 * @property {Operation[]} operations
 * @property {Place[]} schemas
 * @property {[string, Place][]} securitySchemes
 */

/** So many of the documented operations with a path of one word, such as `GET /accounts`, are no coincidence. */
const MIN_PLAIN_OPERATIONS = 3;

/**
 * Whether one of these is in the document: a header of the service, most of the deployment statuses, the earliest version in
 * its header, a documented operation with a path of several words (or three with one word), or a schema with metadata and spec
 * and an operation with a path of the management API. A document without operations only needs such a schema.
 * @param {Parts} parts
 */
export function belongsToInterface(parts) {
  const { operations, schemas } = parts;
  if (hasServiceMark(parts) || operations.some(hasEarliestVersion)) return true;
  const documented = new Set(
    operations.map(({ method, path }) => `${method} ${path}`).filter((each) => documentedOperations.includes(each)),
  );
  return (
    documented.size >= MIN_PLAIN_OPERATIONS ||
    [...documented].some((each) => wordCount(each) > 1) ||
    ((operations.length === 0 || operations.some(({ surface }) => surface === 'management')) &&
      schemas.some((place) => isEnvelope(schemaAt(place))))
  );
}

/**
 * Whether the document has a header of the service or most of the deployment statuses, which no other API has. Then paths that
 * the interface does not have are of the management API, too.
 * @param {Parts} parts
 */
export const hasServiceMark = ({ operations, schemas, securitySchemes }) =>
  headerNames({ operations, securitySchemes }).some(({ name }) => BRANDED.test(name)) || schemas.some(hasMostStatuses);

/** @param {Operation} operation */
const hasEarliestVersion = ({ parameters }) =>
  parameters.some(
    (each) =>
      each.in === 'header' &&
      VERSION.test(each.name) &&
      [each.place, ...(each.schema ?? [])].some(({ value }) => JSON.stringify(value).includes(earliestVersion)),
  );

/** @param {string} operation Its method and path. */
const wordCount = (operation) => (operation.split(' ')[1]?.match(/[a-z]+/g) ?? []).length;
