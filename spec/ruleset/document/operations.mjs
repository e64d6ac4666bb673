// @ts-check
/** Reads the operations of a document: addresses, parameters, bodies and security. */
import { methodsOf } from './path-item.mjs';
import { below, entriesOf, follow, isMap, itemsOf, textOf } from './place.mjs';
import { counts, own, schemaAt } from './schema.mjs';
import { addressOf, pathBelowPrefix, pathOfServer } from './surface.mjs';

/** @typedef {import('./place.mjs').Place} Place */
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

/** @typedef {Body & { status: string, description: string }} Response `status` may be a range such as 4XX, or default. */

/**
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string} in
 * @property {boolean} required
 * @property {Place} place
 * @property {string} description In OpenAPI 3.1, a reference may have another than its target.
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
 * @property {boolean} hasPrefix Whether the path or the URL of a server has the prefix of the management API.
 * @property {string} name For messages.
 * @property {Place} place
 * @property {Parameter[]} parameters
 * @property {Body | undefined} requestBody
 * @property {Response[]} responses
 * @property {Alternative[]} security Empty if no credential is required.
 */

/**
 * @param {Place} root
 * @returns {Operation[]}
 */
export function operationsOf(root) {
  const paths = entriesOf(below(root, 'paths')).filter(([template]) => template.startsWith('/'));
  return paths.flatMap(([template, item]) =>
    methodsOf(item)
      .filter(([, place]) => isOperation(place))
      .map(([method, place]) => operationAt(root, template, item, method, follow(place))),
  );
}

/**
 * False for a value of another type, which is reported once. True for a reference that leads nowhere.
 * @param {Place} place
 */
export function isOperation(place) {
  const { value } = follow(place);
  return value === undefined || isMap(value);
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
  const bases = itemsOf(servers).flatMap((server) => pathOfServer(server) ?? []);
  const body = below(place, 'requestBody');
  return {
    method,
    template,
    ...addressOf(template, bases),
    hasPrefix: pathBelowPrefix(template, bases) !== undefined,
    name: `${method.toUpperCase()} ${template}`,
    place,
    parameters: parametersOf(item, place),
    requestBody: body && bodyAt(follow(body)),
    responses: entriesOf(below(place, 'responses'))
      .filter(([status]) => !status.startsWith('x-'))
      .map(([status, each]) => ({ status, description: descriptionAt(each), ...bodyAt(follow(each)) })),
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
  const declared = itemsOf(below(operation, 'parameters')).map(parameterAt);
  const shared = itemsOf(below(item, 'parameters')).map(parameterAt);
  const anew = new Set(declared.map((each) => `${each.in} ${each.name}`));
  return [...shared.filter((each) => !anew.has(`${each.in} ${each.name}`)), ...declared];
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
    description: descriptionAt(holder),
    schema: schema && schemaAt(schema),
  };
}

/**
 * Returns the description of a parameter or response, and that next to the reference to it.
 * @param {Place} holder
 */
function descriptionAt(holder) {
  const places = [...new Map([holder, follow(holder)].map((place) => [place.value, place])).values()];
  return places
    .filter(counts)
    .map((place) => textOf(own(place, 'description')))
    .join('\n');
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
 * Returns the schemas of the bodies of an operation, those of errors too.
 * @param {Operation} operation
 * @returns {Place[]}
 */
export const bodySchemas = ({ requestBody, responses }) =>
  [requestBody ?? [], responses].flat().flatMap(({ contents }) => contents.flatMap(({ schema }) => schema?.[0] ?? []));
