// @ts-check
/** Decides whether a document describes the interface. Words of its paths, such as jobs or models, are no evidence: many APIs have them. */
import { documentedOperations, earliestVersion } from '../values.mjs';
import { BRANDED, VERSION, headerNames } from './headers.mjs';
import { bodySchemas } from './operations.mjs';
import { follow } from './place.mjs';
import { contentSchemas, contradictsEnvelope, hasMostStatuses, isEnvelope, ownMemberCount } from './resources.mjs';
import { plainName, propertyNames, schemaAt, schemasFrom } from './schema.mjs';

/** @typedef {import('./operations.mjs').Operation} Operation */
/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./schema.mjs').Schema} Schema */

/**
 * @typedef {object} Parts The parts of a document that may have evidence.
 * @property {Operation[]} operations
 * @property {Place[]} schemas
 * @property {[string, Place][]} securitySchemes
 */

/** So many of the documented operations with a path of one word, such as `GET /accounts`, are no coincidence. */
const MIN_PLAIN_OPERATIONS = 3;
/** With a header that has the brand of a deployment. */
const MIN_PLAIN_OPERATIONS_WITH_HEADER = 2;

/** The brand in the interface document. Those of deployments are words that other APIs may have in such a header, too. */
const DOCUMENTED_BRAND = 'svc';

/**
 * Documented operations with paths that other APIs have, too: they count with so many of these query parameters or members of
 * bodies, or if the document says nothing else of them.
 * @type {Readonly<Record<string, { names: readonly string[], min: number }>>}
 */
const NEEDS_NAMES = {
  'get /accounts/{}/metrics': {
    names: [
      'resolution',
      'groupBy',
      'resourceType',
      'resourceName',
      'resourceUuid',
      'billingDimension',
      'totalCost',
      'totalUsage',
    ],
    min: 3,
  },
  'post /{}/jobs/{}/executions': { names: ['tasks'], min: 1 },
};

/** So many of the members of resources are no coincidence. */
const MIN_OWN_MEMBERS = 3;

/**
 * Whether one of these is in the document: headers of the service, most of the deployment statuses, the earliest version in
 * its header, a documented operation with a path of several words (or three with one word, two with a header of the service), or
 * a resource of the interface.
 * @param {Parts} parts
 */
export function belongsToInterface(parts) {
  const { operations, schemas } = parts;
  const brands = brandedHeaders(parts);
  if (brands.some(isOfService) || schemas.some(hasMostStatuses) || operations.some(hasEarliestVersion)) return true;
  const minCount = brands.length > 0 ? MIN_PLAIN_OPERATIONS_WITH_HEADER : MIN_PLAIN_OPERATIONS;
  const documented = new Set(operations.filter(isDocumented).map(keyOf));
  return documented.size >= minCount || [...documented].some((each) => wordCount(each) > 1) || hasOwnResource(parts);
}

/** @param {Operation} operation */
const keyOf = ({ method, path }) => `${method} ${path}`;

/** @param {Operation} operation */
function isDocumented(operation) {
  const key = keyOf(operation);
  const needed = NEEDS_NAMES[key];
  if (needed === undefined) return documentedOperations.includes(key);
  if (isUndescribed(operation)) return true;
  const found = namesOf(operation);
  return needed.names.filter((name) => found.has(plainName(name))).length >= needed.min;
}

/**
 * Whether the document is a fragment that has neither query parameters nor bodies nor successful responses of an operation.
 * @param {Operation} operation
 */
const isUndescribed = ({ parameters, requestBody, responses }) =>
  requestBody === undefined &&
  !parameters.some((each) => each.in === 'query') &&
  !responses.some(({ status }) => status.startsWith('2'));

/**
 * Returns the names of the query parameters and of all members of bodies.
 * @param {Operation} operation
 */
function namesOf(operation) {
  const queried = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const members = bodySchemasWithin([operation]).flatMap((place) => propertyNames([place]));
  return new Set([...queried, ...members].map(plainName));
}

/**
 * Returns all schemas in the bodies of operations. The findings about their types are those of the model already.
 * @param {readonly Operation[]} operations
 */
const bodySchemasWithin = (operations) =>
  schemasFrom(
    operations.flatMap(bodySchemas).map((place) => ({ ...place, reading: { ...place.reading, typeFindings: [] } })),
  );

/**
 * Whether a schema with metadata and spec is a resource of the interface. Kubernetes made the two members common: others of the
 * interface must be in it, or nothing that contradicts the interface. Then a documented operation or one below v0 must take or
 * return it, or no operation at all.
 * @param {Parts} parts
 */
function hasOwnResource({ operations, schemas }) {
  if (operations.length > 0 && !operations.some(({ surface }) => surface === 'management')) return false;
  const envelopes = schemas.map(schemaAt).filter(isEnvelope);
  if (envelopes.some((schema) => ownMemberCount(schema) >= MIN_OWN_MEMBERS)) return true;
  const used = new Set(bodySchemasWithin(operations).map(({ value }) => value));
  const own = operations.filter((each) => each.hasPrefix || isDocumented(each)).flatMap(contentSchemas);
  const ownLayers = new Set(own.flat().map((layer) => follow(layer).value));
  return envelopes.some((schema) => {
    const { value } = follow(schema[0]);
    return (ownLayers.has(value) || !used.has(value)) && !contradictsEnvelope(schema);
  });
}

/**
 * Whether the document has a header of the service or most of the deployment statuses. If it belongs to the interface, paths that
 * the interface does not have are of the management API, too.
 * @param {Parts} parts
 */
export const hasServiceMark = (parts) => brandedHeaders(parts).length > 0 || parts.schemas.some(hasMostStatuses);

/** @typedef {[brand: string, names: Set<string>]} BrandedHeaders */

/**
 * Returns the brands in headers such as `X-Svc-Workspace`, with the names of these headers and of the version header.
 * @param {Omit<Parts, 'schemas'>} parts
 * @returns {BrandedHeaders[]}
 */
function brandedHeaders(parts) {
  const names = headerNames(parts).map(({ name }) => name.toLowerCase());
  const brands = new Set(names.flatMap((name) => BRANDED.exec(name)?.[1] ?? []));
  const isOf = (/** @type {string} */ brand) => (/** @type {string} */ name) =>
    [BRANDED, VERSION].some((form) => form.exec(name)?.[1] === brand);
  return [...brands].map((brand) => [brand, new Set(names.filter(isOf(brand)))]);
}

/** @param {BrandedHeaders} headers */
const isOfService = ([brand, names]) => brand === DOCUMENTED_BRAND || (names.size > 1 && brand !== 'api');

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
