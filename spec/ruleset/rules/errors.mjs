// @ts-check
/** Rules for error bodies, by surface. */
import { finding, isMap } from '../document/place.mjs';
import { MAX_DEPTH, alternativesOf, isNotShown, isOfType, isRequired, property } from '../document/schema.mjs';
import { rule } from './rule.mjs';

/** @typedef {import('../document/schema.mjs').Schema} Schema */
/** @typedef {import('../document/model.mjs').Content} Content */
/** @typedef {import('../document/model.mjs').Operation} Operation */

const SCHEMAS = ['components', 'schemas'];

/** @param {Content} content */
const isJson = ({ type }) => /^application\/([\w.-]+\+)?json\b/i.test(type) || type === '*/*';

/** @typedef {Content & { operation: Operation, status: string }} ErrorContent */

/**
 * Returns the matching error bodies of a surface without duplicates.
 * @param {import('./rule.mjs').Model} model
 * @param {import('../document/surface.mjs').Surface} surface
 * @param {(content: ErrorContent) => boolean} kind
 */
function errorContents({ operations }, surface, kind) {
  const all = operations
    .filter((each) => each.surface === surface)
    .flatMap((operation) =>
      operation.responses
        .filter(({ status }) => isError(operation, status))
        .flatMap(({ status, contents }) => contents.map((content) => ({ operation, status, ...content }))),
    );
  return [...new Map(all.filter(kind).map((each) => [each.schema?.at(-1)?.value ?? each.place.value, each])).values()];
}

/**
 * @param {import('./rule.mjs').Model} model
 * @param {'management' | 'sandbox'} surface
 * @param {(content: ErrorContent) => boolean} kind
 */
function badBodies(model, surface, kind) {
  return errorContents(model, surface, kind).flatMap(({ schema }) => {
    const wrong = schema && notAnError(schema);
    return schema === undefined || wrong === undefined
      ? []
      : [finding(schema[0], `The body of a ${surface} error ${wrong}.`)];
  });
}

/**
 * Returns the error responses of a surface that have no body, or one in JSON without a schema, each once.
 * @param {import('./rule.mjs').Model} model
 * @param {'management' | 'sandbox'} surface
 * @param {(operation: Operation, status: string) => boolean} isDocumented Whether the interface says that such a response has a
 * body.
 */
function withoutBody({ operations }, surface, isDocumented) {
  const responses = operations
    .filter((each) => each.surface === surface && each.method !== 'head')
    .flatMap((operation) =>
      operation.responses
        .filter(({ status, place }) => isMap(place.value) && isError(operation, status))
        .filter(({ status }) => isDocumented(operation, status))
        .flatMap((response) => missingBodies(response, `${response.status} response of ${operation.name}`)),
    );
  const once = new Map(responses.toReversed().map((each) => [each.place.value, each]));
  return [...once.values()].toReversed().map(({ place, message }) => finding(place, message));
}

/**
 * Whether a status is one of an error. `default` is, next to the successful responses; without these, it includes them.
 * @param {Operation} operation
 * @param {string} status
 */
const isError = ({ responses }, status) =>
  /^[45]/.test(status) || (/^default$/i.test(status) && responses.some((each) => /^[123]/.test(each.status)));

/**
 * @param {import('../document/model.mjs').Response} response
 * @param {string} what
 */
function missingBodies({ place, contents }, what) {
  if (contents.length === 0) return [{ place, message: `The ${what} has no body.` }];
  return contents
    .filter((content) => isJson(content) && content.schema === undefined)
    .map((content) => ({ place: content.place, message: `The ${content.type} body of the ${what} has no schema.` }));
}

/**
 * Describes what is wrong with the schema of an error body. One valid or undocumented alternative is enough.
 * @param {Schema} schema
 * @param {number} [depth]
 * @returns {string | undefined}
 */
function notAnError(schema, depth = 0) {
  if (isNotShown(schema)) return undefined;
  const [first, ...others] = depth < MAX_DEPTH ? alternativesOf(schema) : [];
  if (first !== undefined) {
    const wrong = notAnError(first, depth + 1);
    return others.some((each) => notAnError(each, depth + 1) === undefined) ? undefined : wrong;
  }
  if (!isOfType(property(schema, 'error'), 'string')) return 'lacks the string "error"';
  if (!isRequired(schema, 'error')) return 'must require "error"';
  const code = property(schema, 'code');
  if (code !== undefined && !isOfType(code, 'integer')) return 'has a "code" that is not an integer';
  const message = property(schema, 'message');
  return message === undefined || isOfType(message, 'string') ? undefined : 'has a "message" that is not a string';
}

/** @param {string} path */
const isOfMetrics = (path) => path.startsWith('/accounts/{}/metrics');

/**
 * The 403 of metrics has only a message.
 * @param {ErrorContent} content
 */
const isAccessDenied = ({ operation, status }) => isOfMetrics(operation.path) && status === '403';

export const errorsRules = [
  rule({
    id: 'management-error-body',
    description:
      'A management error has a body with error (a string, required), code (an integer) and message (a string).',
    requirements: ['errors.management.body-shape', 'errors.management.code-is-the-status'],
    example: {
      within: 'operation',
      at: [...SCHEMAS, 'Error', 'properties'],
      good: { code: { type: 'integer' } },
      bad: { code: { type: 'string' } },
    },
    find: (model) => [
      ...badBodies(model, 'management', (each) => isJson(each) && !isAccessDenied(each)),
      // Of the metrics, only the 403 has a documented body.
      ...withoutBody(model, 'management', ({ path }, status) => !isOfMetrics(path) || status === '403'),
    ],
  }),
  rule({
    id: 'sandbox-error-body',
    description: 'A sandbox error has a body with error (a string, required).',
    requirements: ['errors.sandbox.body-shape'],
    example: {
      within: 'sandbox',
      at: [...SCHEMAS, 'SandboxError'],
      good: { required: ['error'] },
      bad: { required: ['message'] },
    },
    find: (model) => [
      ...badBodies(model, 'sandbox', isJson),
      ...withoutBody(model, 'sandbox', ({ path }) => /^\/(filesystem|watch)/.test(path)),
    ],
  }),
  rule({
    id: 'error-is-json',
    description: 'Error bodies of the management API and of sandboxes are JSON.',
    requirements: ['errors.management.is-json'],
    example: {
      within: 'sandbox',
      at: ['components', 'responses', 'Failure', 'content'],
      good: { 'application/json': { schema: { $ref: '#/components/schemas/SandboxError' } } },
      bad: {
        'application/json': null,
        'text/plain': { schema: { type: 'string' }, example: 'directory not found' },
      },
    },
    find: (model) =>
      /** @type {const} */ (['management', 'sandbox']).flatMap((surface) =>
        errorContents(model, surface, (each) => !isJson(each)).map(({ place, type }) =>
          finding(place, `The error body must be JSON, not ${type}.`),
        ),
      ),
  }),
];
