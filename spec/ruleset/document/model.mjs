// @ts-check
/** The model of an OpenAPI document for the rules: operations, schemas and resources without duplicates. */
import { collectionsOf } from './collections.mjs';
import { bodySchemas, operationsOf } from './operations.mjs';
import { below, entriesOf, follow, isMap } from './place.mjs';
import { belongsToInterface, hasServiceMark } from './evidence.mjs';
import { withoutPublicSurface } from './public-operations.mjs';
import { resourcesOf } from './resources.mjs';
import { schemasFrom } from './schema.mjs';

/** @typedef {import('./collections.mjs').Collection} Collection */
/** @typedef {import('./operations.mjs').Body} Body */
/** @typedef {import('./operations.mjs').Content} Content */
/** @typedef {import('./operations.mjs').Operation} Operation */
/** @typedef {import('./operations.mjs').Parameter} Parameter */
/** @typedef {import('./operations.mjs').Response} Response */
/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./place.mjs').Reading} Reading */
/** @typedef {import('./resources.mjs').Resource} Resource */

/**
 * @typedef {object} Model
 * @property {Place} root
 * @property {Reading} reading
 * @property {boolean} isOurs Whether the document describes the interface. Otherwise its operations are of no surface.
 * @property {Operation[]} operations
 * @property {Place[]} schemas Every schema object once, wherever it is reached from.
 * @property {Collection[]} collections Those of the management API.
 * @property {Resource[]} resources
 * @property {[string, Place][]} securitySchemes By name.
 */

/**
 * @param {unknown} data
 * @param {string | null} source
 * @param {(source: string) => unknown} contentOf
 * @returns {Model | undefined} Undefined if the data is not an OpenAPI document of version 3.0 or later.
 */
export function modelOf(data, source, contentOf) {
  const [, version] = /^3\.(\d+)\./.exec(isMap(data) ? String(data['openapi']) : '') ?? [];
  if (version === undefined) return undefined;
  /** @type {Reading} */
  const reading = {
    version: version === '0' ? '3.0' : '3.1',
    minorVersion: Number(version),
    describedVersion: isMap(data) && isMap(data['info']) ? data['info']['version'] : undefined,
    contentOf: (wanted) => (wanted === (source ?? '') ? data : contentOf(wanted)),
    typeFindings: [],
  };
  /** @type {Place} */
  const root = { value: data, path: [], source, reading };
  const all = operationsOf(root);
  const schemas = everySchema(root, all);
  const securitySchemes = entriesOf(below(root, 'components', 'securitySchemes')).map(schemeAt);
  const isOurs = belongsToInterface({ operations: all, schemas, securitySchemes });
  const operations = isOurs ? withoutPublicSurface(all) : all.map((each) => ({ ...each, surface: undefined }));
  const isMarked = isOurs && hasServiceMark({ operations, schemas, securitySchemes });
  const collections = isOurs ? collectionsOf(operations, isMarked) : [];
  return {
    root,
    reading,
    isOurs,
    operations,
    schemas,
    collections,
    resources: isOurs ? resourcesOf(schemas, collections, operations, isMarked) : [],
    securitySchemes,
  };
}

/**
 * @param {[string, Place]} entry
 * @returns {[string, Place]}
 */
const schemeAt = ([name, place]) => [name, follow(place)];

/**
 * @param {Place} root
 * @param {Operation[]} operations
 * @returns {Place[]}
 */
function everySchema(root, operations) {
  const named = entriesOf(below(root, 'components', 'schemas')).map(([, place]) => place);
  const used = operations.flatMap((operation) => [
    ...operation.parameters.flatMap(({ schema }) => schema?.[0] ?? []),
    ...bodySchemas(operation),
  ]);
  return schemasFrom([...named, ...used]);
}
