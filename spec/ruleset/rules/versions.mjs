// @ts-check
/** Rules for API versions, the path prefix and the branded headers. */
import { accepts } from '../document/accepts.mjs';
import { BRANDED, VERSION, headerNames } from '../document/headers.mjs';
import { below, entriesOf, finding, follow, isMap, itemsOf, textOf } from '../document/place.mjs';
import { isOfType, keyword, property } from '../document/schema.mjs';
import { pathOfServer } from '../document/surface.mjs';
import { earliestVersion } from '../values.mjs';
import { rejectedBy } from './bounds.mjs';
import { listed, quoted, rule } from './rule.mjs';

/** @typedef {import('../document/model.mjs').Model} Model */
/** @typedef {import('../document/model.mjs').Operation} Operation */
/** @typedef {import('../document/model.mjs').Parameter} Parameter */
/** @typedef {import('./rule.mjs').Finding} Finding */

const OPERATION = ['paths', '/agents/{agentName}', 'put'];
const VERSION_HEADER = ['components', 'parameters', 'Version'];
const REFERENCES = { version: { $ref: '#/components/parameters/Version' } };

/** @param {Model} model */
const managed = ({ operations }) => operations.filter(({ surface }) => surface === 'management');

/**
 * @param {Operation} operation
 * @param {RegExp} name
 */
const header = ({ parameters }, name) => parameters.find((each) => each.in === 'header' && name.test(each.name));

/**
 * Returns the lowercase brands of the headers that match, each with one of its places.
 * @param {Model} model
 * @param {RegExp} form
 */
function brands(model, form) {
  const named = headerNames(model).flatMap(({ place, name }) => {
    const brand = form.exec(name)?.[1]?.toLowerCase();
    return brand === undefined ? [] : [/** @type {const} */ ([brand, place])];
  });
  return new Map(named);
}

/**
 * Returns the brand as the headers of the document write it, also those that no operation uses, or a placeholder.
 * @param {Model} model
 */
function brandOf(model) {
  const shared = entriesOf(below(model.root, 'components', 'parameters')).map(([, each]) => follow(each));
  const names = [...headerNames(model), ...shared.map((place) => ({ name: textOf(below(place, 'name')) }))].map(
    ({ name }) => name,
  );
  const found = [BRANDED, VERSION].flatMap((form) => names.flatMap((name) => form.exec(name)?.[1] ?? []));
  return found[0] ?? '<Brand>';
}

/**
 * Finds the version header of an operation. If several match, prefers the one with the brand of the other headers.
 * @param {Model} model
 * @returns {(operation: Operation) => Parameter | undefined}
 */
function versionHeaderIn(model) {
  const known = brands(model, BRANDED);
  return ({ parameters }) => {
    const all = parameters.filter((each) => each.in === 'header' && VERSION.test(each.name));
    return all.find(({ name }) => known.has(name.toLowerCase().replace(/-version$/, ''))) ?? all[0];
  };
}

/**
 * Checks every version header once, even if many operations share it.
 * @param {(parameter: Parameter) => string | undefined} judge
 * @returns {(model: Model) => Finding[]}
 */
const eachVersionHeader = (judge) => (model) => {
  const headerOf = versionHeaderIn(model);
  const parameters = managed(model).flatMap((operation) => headerOf(operation) ?? []);
  const once = new Map(parameters.map((parameter) => [parameter.place.value, parameter]));
  return [...once.values()].flatMap((parameter) => {
    const message = judge(parameter);
    return message === undefined ? [] : [finding(parameter.place, message)];
  });
};

/**
 * Whether a string occurs anywhere in a value, following references.
 * @param {import('../document/place.mjs').Place} place
 * @param {string} text
 * @param {Set<unknown>} visited
 * @returns {boolean}
 */
function mentions(place, text, visited = new Set()) {
  const { value } = place;
  if (typeof value === 'string') return value.includes(text);
  if (typeof value !== 'object' || value === null || visited.has(value)) return false;
  visited.add(value);
  const end = follow(place);
  if (end.value !== value) return mentions(end, text, visited);
  const inner = isMap(value) ? entriesOf(place).map(([, each]) => each) : itemsOf(place);
  return inner.some((each) => mentions(each, text, visited));
}

/**
 * Whether an operation creates a resource in a workspace; workspaces and accounts are not in one.
 * @param {Operation} operation
 */
function createsResource({ method, path, requestBody }) {
  if (method !== 'post' || /^\/(workspaces|accounts)\b/.test(path)) return false;
  const shapes = requestBody?.contents.map(({ schema }) => schema) ?? [];
  return shapes.some((schema) => property(schema, 'metadata') && property(schema, 'spec'));
}

export const versionsRules = [
  rule({
    id: 'path-prefix',
    description: 'The management API is served below the path prefix v0.',
    requirements: ['versions.default.absent-header-means-earliest-stable'],
    example: {
      within: 'operation',
      at: [],
      good: { servers: [{ url: 'https://api.example.com/v0' }] },
      bad: { servers: [{ url: 'https://api.example.com/v2' }] },
    },
    find: (model) => {
      const bare = managed(model).filter(({ template }) => !template.startsWith('/v0/'));
      if (bare.length === 0) return [];
      return itemsOf(below(model.root, 'servers')).flatMap((server) => {
        const path = pathOfServer(server);
        if (path === undefined || path.split('/').includes('v0')) return [];
        return [
          finding(below(server, 'url') ?? server, 'The server URL of the management API must have the path prefix v0.'),
        ];
      });
    },
  }),
  rule({
    id: 'version-header',
    description: 'A management operation accepts the header <Brand>-Version.',
    requirements: ['versions.listed.accepted-everywhere', 'versions.header.name-any-case'],
    example: {
      within: 'operation',
      at: OPERATION,
      good: { parameters: [REFERENCES.version] },
      bad: { parameters: [] },
    },
    find: (model) => {
      const headerOf = versionHeaderIn(model);
      return managed(model)
        .filter((operation) => headerOf(operation) === undefined)
        .map(({ place, name }) => finding(place, `${name} must accept the header ${brandOf(model)}-Version.`));
    },
  }),
  rule({
    id: 'version-optional',
    description: 'The version header is optional and defaults to the earliest stable version.',
    requirements: ['versions.default.absent-header-means-earliest-stable'],
    example: { within: 'operation', at: VERSION_HEADER, good: { required: false }, bad: { required: true } },
    find: eachVersionHeader(({ required }) => (required ? 'The version header must be optional.' : undefined)),
  }),
  rule({
    id: 'version-values',
    description: 'The version header is a string that accepts 2026-04-16; its default, if any, is 2026-04-16.',
    requirements: ['versions.listed.accepted-everywhere', 'versions.default.absent-header-means-earliest-stable'],
    example: {
      within: 'operation',
      at: [...VERSION_HEADER, 'schema'],
      good: { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}(\.preview)?$` },
      bad: { pattern: String.raw`^v\d+$` },
    },
    find: eachVersionHeader(({ schema }) => {
      if (!isOfType(schema, 'string')) return 'The version header must be a string.';
      if (accepts(schema, earliestVersion) !== true)
        return `The schema of the version header must accept ${earliestVersion}${rejectedBy(schema, earliestVersion)}.`;
      const otherwise = keyword(schema, 'default');
      if (otherwise === undefined || otherwise === earliestVersion) return undefined;
      return `The default version must be ${earliestVersion}, not ${quoted(otherwise)}.`;
    }),
  }),
  rule({
    id: 'version-refused',
    description:
      'A management operation documents that an unknown version returns 400 with the error invalid_api_version.',
    requirements: [
      'versions.unknown.stable-date-refused',
      'versions.unknown.preview-refused',
      'versions.unknown.malformed-refused',
      'errors.version.body-shape',
    ],
    example: {
      within: 'operation',
      at: [...OPERATION, 'responses'],
      good: { 400: { $ref: '#/components/responses/BadRequest' } },
      bad: { 400: { $ref: '#/components/responses/Failure' } },
    },
    find: (model) =>
      managed(model).flatMap(({ place, name, responses }) => {
        const refusals = responses.filter(({ status }) => /^4(00|xx)$/i.test(status));
        const isMentioned = refusals.some(
          ({ place: each, description }) =>
            description.includes('invalid_api_version') || mentions(each, 'invalid_api_version'),
        );
        if (isMentioned) return [];
        const where = refusals[0]?.place ?? below(place, 'responses') ?? place;
        const what =
          refusals.length === 0 ? 'must have a 400 response' : 'must document invalid_api_version in its 400 response';
        return [finding(where, `${name} ${what}: it is returned for an unknown version.`)];
      }),
  }),
  rule({
    id: 'workspace-header',
    description: 'A management operation that creates a resource accepts the optional header X-<Brand>-Workspace.',
    requirements: ['auth.workspace-header.missing-or-other'],
    example: {
      within: 'operation',
      at: ['paths', '/agents', 'post'],
      good: { parameters: [REFERENCES.version, { $ref: '#/components/parameters/Workspace' }] },
      bad: { parameters: [REFERENCES.version] },
    },
    find: (model) =>
      managed(model)
        .filter(createsResource)
        .flatMap((operation) => {
          const parameter = header(operation, /^x-[a-z][a-z\d]*-workspace$/i);
          if (parameter === undefined)
            return [
              finding(operation.place, `${operation.name} must accept the header X-${brandOf(model)}-Workspace.`),
            ];
          if (!parameter.required) return [];
          return [finding(parameter.place, 'The workspace header must be optional, because only API keys need it.')];
        }),
  }),
  rule({
    id: 'one-brand',
    description: 'All branded headers use the same brand.',
    requirements: ['auth.headers.brand-authorization-accepted-on-every-api', 'versions.header.name-any-case'],
    example: {
      within: 'operation',
      at: ['components', 'parameters', 'Workspace'],
      good: { name: 'X-Svc-Workspace' },
      bad: { name: 'X-Acme-Workspace' },
    },
    find: (model) => {
      const [others, versions] = [brands(model, BRANDED), brands(model, VERSION)];
      const [first] = others.keys();
      if (first === undefined) return [];
      // Other headers may end with -Version too, so these are wrong only if none has the brand of the other headers.
      const odd = [...versions.keys()].some((brand) => others.has(brand)) ? [] : [...versions];
      const strange = [...[...others].slice(1), ...odd];
      const all = listed([first, ...strange.map(([brand]) => brand)]);
      return strange.map(([, place]) =>
        finding(place, `All branded headers must use the same brand, but found: ${all}.`),
      );
    },
  }),
];
