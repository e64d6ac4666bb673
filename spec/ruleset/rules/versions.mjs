// @ts-check
/** API versions, the path prefix, and the headers that carry the brand. */
import { below, entriesOf, finding, follow, isMap, itemsOf, textOf } from '../document/place.mjs';
import { allowedValues, isOfType, keyword, property } from '../document/schema.mjs';
import { pathOfServer } from '../document/surface.mjs';
import { earliestVersion } from '../values.mjs';
import { takes } from './pattern.mjs';
import { listed, quoted, rule } from './rule.mjs';

/** @typedef {import('../document/model.mjs').Model} Model */
/** @typedef {import('../document/model.mjs').Operation} Operation */
/** @typedef {import('../document/model.mjs').Parameter} Parameter */
/** @typedef {import('./rule.mjs').Finding} Finding */

const OPERATION = ['paths', '/agents/{agentName}', 'put'];
const VERSION_HEADER = ['components', 'parameters', 'Version'];
const REFERENCES = { version: { $ref: '#/components/parameters/Version' } };

const BRANDED = /^x-([a-z][a-z\d]*)-(?:authorization|workspace|thread-id)$/i;
const VERSION = /^(?!x-)([a-z][a-z\d]*)-version$/i;

/** @param {Model} model */
const managed = ({ operations }) => operations.filter(({ surface }) => surface === 'management');

/**
 * @param {Operation} operation
 * @param {RegExp} name
 */
const header = ({ parameters }, name) => parameters.find((each) => each.in === 'header' && name.test(each.name));

/**
 * Every place that names a header, of parameters and of security schemes.
 * @param {Model} model
 */
function headerNames({ operations, securitySchemes }) {
  const parameters = operations.flatMap((each) => each.parameters).filter((each) => each.in === 'header');
  const places = [...securitySchemes.map(([, scheme]) => scheme), ...parameters.map(({ place }) => place)];
  return places.map((place) => ({ place, name: textOf(below(place, 'name')) }));
}

/**
 * The brands in the names of headers that are of a form, with one of the places of each; in lower case.
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
 * The version header of an operation: of several that could be it the one with the brand of the other headers.
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
 * What a judge says of the version header, once though many operations share it.
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
 * Whether a text stands anywhere in what is there, references followed.
 * @param {import('../document/place.mjs').Place} place
 * @param {string} text
 * @param {Set<unknown>} seen
 * @returns {boolean}
 */
function mentions(place, text, seen = new Set()) {
  const { value } = place;
  if (typeof value === 'string') return value.includes(text);
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  const end = follow(place);
  if (end.value !== value) return mentions(end, text, seen);
  const inner = isMap(value) ? entriesOf(place).map(([, each]) => each) : itemsOf(place);
  return inner.some((each) => mentions(each, text, seen));
}

/**
 * Creates a resource of a workspace; workspaces and accounts are in none.
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
    says: 'The management API is served below the path prefix v0.',
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
          finding(
            below(server, 'url') ?? server,
            'The address of the management API does not have the path prefix v0.',
          ),
        ];
      });
    },
  }),
  rule({
    id: 'version-header',
    says: 'A management operation takes the header <Brand>-Version.',
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
        .map(({ place, name }) => finding(place, `${name} does not take the header <Brand>-Version.`));
    },
  }),
  rule({
    id: 'version-optional',
    says: 'The version header may be left out: the earliest stable version then applies.',
    requirements: ['versions.default.absent-header-means-earliest-stable'],
    example: { within: 'operation', at: VERSION_HEADER, good: { required: false }, bad: { required: true } },
    find: eachVersionHeader(({ required }) =>
      required ? 'The version header is required, but may be left out.' : undefined,
    ),
  }),
  rule({
    id: 'version-values',
    says: 'The version header is a string that may be 2026-04-16, which is what its default is if it has one.',
    requirements: ['versions.listed.accepted-everywhere', 'versions.default.absent-header-means-earliest-stable'],
    example: {
      within: 'operation',
      at: [...VERSION_HEADER, 'schema'],
      good: { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}(\.preview)?$` },
      bad: { pattern: String.raw`^v\d+$` },
    },
    find: eachVersionHeader(({ schema }) => {
      if (!isOfType(schema, 'string')) return 'The version header is no string.';
      const values = allowedValues(schema);
      const allowed = values === undefined || values.includes(earliestVersion);
      if (!allowed || takes(schema, earliestVersion) !== true)
        return `The schema of the version header refuses ${earliestVersion}.`;
      const otherwise = keyword(schema, 'default');
      if (otherwise === undefined || otherwise === earliestVersion) return undefined;
      return `The default version is ${earliestVersion}, not ${quoted(otherwise)}.`;
    }),
  }),
  rule({
    id: 'version-refused',
    says: 'A management operation says that it answers an unknown version 400 with the error invalid_api_version.',
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
      managed(model).flatMap(({ place, name, answers }) => {
        const refusals = answers.filter(({ status }) => /^4(00|xx)$/i.test(status));
        if (refusals.some((answer) => mentions(answer.place, 'invalid_api_version'))) return [];
        const where = refusals[0]?.place ?? below(place, 'responses') ?? place;
        const what =
          refusals.length === 0 ? 'has no answer 400' : 'does not say that its 400 may be invalid_api_version';
        return [finding(where, `${name} ${what}.`)];
      }),
  }),
  rule({
    id: 'workspace-header',
    says: 'A management operation that creates a resource takes the header X-<Brand>-Workspace, and does not require it.',
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
            return [finding(operation.place, `${operation.name} does not take the header X-<Brand>-Workspace.`)];
          if (!parameter.required) return [];
          return [finding(parameter.place, 'The workspace header is required, but accompanies API keys only.')];
        }),
  }),
  rule({
    id: 'one-brand',
    says: 'All headers that carry the brand carry the same one.',
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
      // Something else may have a version too: one of these headers has a brand of the others, or all of them are wrong.
      const odd = [...versions.keys()].some((brand) => others.has(brand)) ? [] : [...versions];
      const strange = [...[...others].slice(1), ...odd];
      const all = listed([first, ...strange.map(([brand]) => brand)]);
      return strange.map(([, place]) => finding(place, `The brands of the headers differ: ${all}.`));
    },
  }),
];
