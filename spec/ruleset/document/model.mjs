// @ts-check
/** The model of an OpenAPI document for the rules: operations, schemas and resources without duplicates. */
import { below, entriesOf, follow, isMap, itemsOf } from './place.mjs';
import { isNotShown, property, schemaAt, schemasInside } from './schema.mjs';
import { addressOf, pathOfServer } from './surface.mjs';

/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./place.mjs').Reading} Reading */
/** @typedef {import('./schema.mjs').Schema} Schema */
/** @typedef {import('./surface.mjs').Surface} Surface */

/**
 * @typedef {object} Content A body of one media type.
 * @property {string} type
 * @property {Place} place
 * @property {Schema | undefined} schema
 */

/**
 * @typedef {object} Body
 * @property {Place} place
 * @property {Content[]} contents
 */

/** @typedef {Body & { status: string }} Response `status` may be a range such as 4XX, or default. */

/**
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string} in
 * @property {boolean} required
 * @property {Place} place
 * @property {Schema | undefined} schema
 */

/**
 * @typedef {object} Alternative One way to authenticate: its schemes, all required, with their scopes.
 * @property {Place} place
 * @property {[string, unknown[]][]} schemes
 */

/**
 * @typedef {object} Operation
 * @property {string} method In lower case.
 * @property {string} template The path as in the document.
 * @property {Surface | undefined} surface
 * @property {string} path Below the root of its surface, parameters as `{}`.
 * @property {string} name For messages.
 * @property {Place} place
 * @property {Parameter[]} parameters
 * @property {Body | undefined} requestBody
 * @property {Response[]} responses
 * @property {Alternative[]} security Empty if no credential is required.
 */

/**
 * @typedef {object} Model
 * @property {Place} root
 * @property {Reading} reading
 * @property {Operation[]} operations
 * @property {Place[]} schemas Every schema object once, wherever it is reached from.
 * @property {Schema[]} resources Schemas of an envelope: those with metadata and spec.
 * @property {Schema[]} metadata Those of the metadata of resources, each once.
 * @property {[string, Place][]} securitySchemes By name.
 */

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace', 'query'];

/**
 * @param {unknown} data
 * @param {string | null} source
 * @param {(source: string) => unknown} contentOf
 * @returns {Model | undefined} Undefined where the data is no OpenAPI document of version 3.0 or later.
 */
export function modelOf(data, source, contentOf) {
  const [, version] = /^3\.(\d+)\./.exec(isMap(data) ? String(data['openapi']) : '') ?? [];
  if (version === undefined) return undefined;
  /** @type {Reading} */
  const reading = {
    version: version === '0' ? '3.0' : '3.1',
    contentOf: (wanted) => (wanted === (source ?? '') ? data : contentOf(wanted)),
    oddities: [],
  };
  /** @type {Place} */
  const root = { value: data, path: [], source, reading };
  const operations = operationsOf(root);
  const schemas = everySchema(root, operations);
  const resources = resourcesAmong(schemas);
  return {
    root,
    reading,
    operations,
    schemas,
    resources,
    metadata: metadataOf(resources),
    securitySchemes: entriesOf(below(root, 'components', 'securitySchemes')).map(([name, each]) => [
      name,
      follow(each),
    ]),
  };
}

/**
 * @param {Place} root
 * @returns {Operation[]}
 */
function operationsOf(root) {
  const paths = entriesOf(below(root, 'paths')).filter(([template]) => template.startsWith('/'));
  return paths.flatMap(([template, item]) =>
    entriesOf(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, place]) => operationAt(root, template, item, method, follow(place))),
  );
}

/**
 * @param {Place} root
 * @param {string} template
 * @param {Place} item
 * @param {string} method
 * @param {Place} place
 * @returns {Operation}
 */
function operationAt(root, template, item, method, place) {
  const servers = below(place, 'servers') ?? below(item, 'servers') ?? below(root, 'servers');
  const body = below(place, 'requestBody');
  return {
    method,
    template,
    ...addressOf(
      template,
      itemsOf(servers).flatMap((server) => pathOfServer(server) ?? []),
    ),
    name: `${method.toUpperCase()} ${template}`,
    place,
    parameters: parametersOf(item, place),
    requestBody: body && bodyAt(follow(body)),
    responses: entriesOf(below(place, 'responses'))
      .filter(([status]) => !status.startsWith('x-'))
      .map(([status, each]) => ({ status, ...bodyAt(follow(each)) })),
    security: itemsOf(below(place, 'security') ?? below(root, 'security')).map(alternativeAt),
  };
}

/**
 * Returns the parameters of the operation and those of the path that it does not override.
 * @param {Place} item
 * @param {Place} operation
 * @returns {Parameter[]}
 */
function parametersOf(item, operation) {
  const own = itemsOf(below(operation, 'parameters')).map(parameterAt);
  const shared = itemsOf(below(item, 'parameters')).map(parameterAt);
  const anew = new Set(own.map((each) => `${each.in} ${each.name}`));
  return [...shared.filter((each) => !anew.has(`${each.in} ${each.name}`)), ...own];
}

/**
 * @param {Place} holder
 * @returns {Parameter}
 */
function parameterAt(holder) {
  const place = follow(holder);
  const content = entriesOf(below(place, 'content'))[0]?.[1];
  const schema = below(place, 'schema') ?? below(content, 'schema');
  return {
    name: String(below(place, 'name')?.value),
    in: String(below(place, 'in')?.value),
    required: below(place, 'required')?.value === true,
    place,
    schema: schema && schemaAt(schema),
  };
}

/**
 * @param {Place} place
 * @returns {Body}
 */
function bodyAt(place) {
  const contents = entriesOf(below(place, 'content')).map(([type, media]) => {
    const schema = below(media, 'schema');
    return { type, place: follow(media), schema: schema && schemaAt(schema) };
  });
  return { place, contents };
}

/**
 * @param {Place} place
 * @returns {Alternative}
 */
function alternativeAt(place) {
  const schemes = entriesOf(place).map(([name, scopes]) => {
    /** @type {[string, unknown[]]} */
    const scheme = [name, itemsOf(scopes).map(({ value }) => value)];
    return scheme;
  });
  return { place, schemes };
}

/**
 * @param {Place} root
 * @param {Operation[]} operations
 * @returns {Place[]}
 */
function everySchema(root, operations) {
  const named = entriesOf(below(root, 'components', 'schemas')).map(([, place]) => place);
  const used = operations.flatMap(({ parameters, requestBody, responses }) => [
    ...parameters.flatMap(({ schema }) => schema?.[0] ?? []),
    ...[requestBody ?? [], responses]
      .flat()
      .flatMap(({ contents }) => contents.flatMap(({ schema }) => schema?.[0] ?? [])),
  ]);
  const found = new Map();
  const waiting = [...named, ...used];
  for (let index = 0; index < waiting.length; index += 1) {
    const place = /** @type {Place} */ (waiting[index]);
    if (!isMap(place.value) || found.has(place.value)) continue;
    found.set(place.value, place);
    const end = follow(place);
    waiting.push(...(end.value === place.value ? [] : [end]), ...schemasInside(place));
  }
  return [...found.values()];
}

/**
 * Excludes schemas that others include with `allOf`, because they are parts, not resources.
 * @param {Place[]} schemas
 * @returns {Schema[]}
 */
function resourcesAmong(schemas) {
  const parts = new Set(
    schemas.flatMap((place) => itemsOf(allOf(place)).flatMap((part) => [part.value, follow(part).value])),
  );
  return schemas
    .filter(({ value }) => !parts.has(value) && isMap(value) && !('$ref' in value))
    .map(schemaAt)
    .filter((schema) => property(schema, 'metadata') !== undefined && property(schema, 'spec') !== undefined);
}

/** @param {Place} place */
const allOf = (place) => (isMap(place.value) && 'allOf' in place.value ? below(place, 'allOf') : undefined);

/**
 * @param {Schema[]} resources
 * @returns {Schema[]}
 */
function metadataOf(resources) {
  const found = new Map();
  for (const resource of resources) {
    const metadata = property(resource, 'metadata');
    if (metadata === undefined || isNotShown(metadata)) continue;
    const key = follow(metadata[0]).value;
    if (!found.has(key)) found.set(key, metadata);
  }
  return [...found.values()];
}
