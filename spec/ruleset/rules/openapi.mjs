// @ts-check
/** Rules for the use of OpenAPI itself: versions, their differences, and open shapes. */
import { contextsIn } from '../document/contexts.mjs';
import { isOperation } from '../document/operations.mjs';
import { methodsOf, pathItems, unknownFields } from '../document/path-item.mjs';
import { below, entriesOf, finding, follow, isMap, kindOf } from '../document/place.mjs';
import { describeOther } from './other-document.mjs';
import { quoted, rule } from './rule.mjs';

/** @typedef {import('../document/model.mjs').Model} Model */
/** @typedef {import('../document/place.mjs').Place} Place */
/** @typedef {import('./rule.mjs').Finding} Finding */

const SCHEMAS = ['components', 'schemas'];
/** @type {readonly never[]} */
const none = [];

/** Keywords that constrain the shape of a value. */
const SHAPE =
  /^(\$ref|\$dynamicRef|properties|patternProperties|additionalProperties|propertyNames|items|prefixItems|contains|enum|const|allOf|anyOf|oneOf|not|if|required|minProperties|maxProperties|dependentSchemas)$/;

/**
 * Checks every schema of the document.
 * @param {(schema: Record<string, unknown>) => string | undefined} judge
 * @returns {(model: Model) => Finding[]}
 */
const eachSchema = (judge) => (model) =>
  model.schemas.flatMap((place) => {
    const message = isMap(place.value) ? judge(place.value) : undefined;
    return message === undefined ? [] : [finding(place, message)];
  });

/**
 * @param {'3.0' | '3.1'} version
 * @param {(model: Model) => Finding[]} find
 * @returns {(model: Model) => Finding[]}
 */
const only = (version, find) => (model) => (model.reading.version === version ? find(model) : []);

/** Required parts by OpenAPI version; one of each group must exist. */
const PARTS = {
  '3.0': [['info'], ['paths']],
  3.1: [['info'], ['paths', 'components', 'webhooks']],
};

/** @param {Place} root */
const missingParts = (root) =>
  PARTS[root.reading.version]
    .filter((names) => names.every((name) => below(root, name) === undefined))
    .map((names) => finding(root, `The document has no ${names.join(', no ')}.`));

/**
 * @param {Model | undefined} model
 * @param {unknown} [data]
 */
const otherDocument = (model, data) => (model === undefined ? [describeOther(data)] : []);

/** @param {Place} root */
const relativePaths = (root) =>
  entriesOf(below(root, 'paths'))
    .filter(([template]) => !/^(\/|x-)/.test(template))
    .map(([template, place]) =>
      finding(place, `The path "${template}" must start with a slash; its operations are ignored.`),
    );

/** @param {Model} model */
const invalidOperations = ({ root, operations }) =>
  pathItems(root, operations)
    .flatMap(methodsOf)
    .filter(([, place]) => !isOperation(place))
    .map(([method, place]) =>
      finding(place, `The operation "${method}" must be an object, not ${kindOf(follow(place).value)}.`),
    );

/**
 * A version such as 1.0 is a number unless it is quoted.
 * @param {Place} root
 */
const wronglyTypedInfo = (root) =>
  ['title', 'version'].flatMap((name) => {
    const place = below(root, 'info', name);
    if (place === undefined || typeof place.value === 'string') return [];
    const hint = typeof place.value === 'number' ? ` Put it in quotes: ${name}: "${place.value}".` : '';
    return [finding(place, `info.${name} must be a string, not ${quoted(place.value)}.${hint}`)];
  });

/** @param {Place} place */
function isUnconstrained({ value }) {
  const schema = isMap(value) ? value : {};
  if (schema['x-not-shown'] === true || Object.keys(schema).some((each) => SHAPE.test(each))) return false;
  const types = [schema['type'] ?? []].flat();
  return types.length === 0 || types.some((type) => type === 'object' || type === 'array');
}

/**
 * Returns the schemas that accept any shape, together with what applies to the same value, somewhere that they are used.
 * @param {readonly Place[]} schemas
 */
function openShapes(schemas) {
  const contextsOf = contextsIn(schemas);
  return schemas
    .filter((place) => isMap(place.value) && isUnconstrained(place))
    .filter((place) => {
      for (const context of contextsOf(place)) if (context.every(isUnconstrained)) return true;
      return false;
    });
}

/**
 * Returns everything that may have an example: parameters, headers, bodies and schemas.
 * @param {Model} model
 * @returns {Place[]}
 */
function exampleHolders({ operations, schemas }) {
  const bodies = operations.flatMap(({ requestBody, responses }) => [requestBody ?? [], responses].flat());
  const headers = bodies.flatMap(({ place }) => entriesOf(below(place, 'headers')).map(([, each]) => each));
  const parameters = operations.flatMap((each) => each.parameters.map(({ place }) => place));
  const places = [
    ...parameters,
    ...headers,
    ...bodies.flatMap((body) => body.contents.map(({ place }) => place)),
    ...schemas,
  ];
  return [...new Map(places.map((place) => [place.value, place])).values()];
}

export const openapiRules = [
  {
    id: 'openapi-version',
    description: 'The document is OpenAPI 3.x; versions after 3.1 are read as 3.1.',
    requirements: none,
    severity: /** @type {const} */ ('error'),
    example: {
      within: /** @type {const} */ ('resource'),
      at: [],
      good: { openapi: '3.1.0' },
      bad: { openapi: null, swagger: '2.0' },
    },
    find: otherDocument,
  },
  rule({
    id: 'openapi-form',
    description:
      'Required parts exist, and objects, arrays and strings are where OpenAPI expects them; anything else cannot be linted.',
    requirements: none,
    severity: 'error',
    example: { within: 'resource', at: [], good: { paths: {} }, bad: { paths: [] } },
    find: (model) => {
      const { root, reading } = model;
      const found = [...wronglyTypedInfo(root), ...relativePaths(root), ...invalidOperations(model)];
      const once = new Map([...reading.typeFindings, ...found].map((each) => [each.path.join('\n'), each]));
      return [...missingParts(root), ...once.values()];
    },
  }),
  rule({
    id: 'known-methods',
    description:
      'A path item has only the methods and fields of its version of OpenAPI; an operation with another name is ignored by every tool.',
    requirements: none,
    severity: 'error',
    example: {
      within: 'operation',
      at: ['paths', '/agents/{agentName}'],
      good: { 'x-owner': 'agents' },
      bad: { fetch: { operationId: 'fetchAgent' } },
    },
    find: ({ root, operations }) =>
      pathItems(root, operations)
        .flatMap(unknownFields)
        .map(({ place, message }) => finding(place, message)),
  }),
  rule({
    id: 'no-nullable',
    description: 'An OpenAPI 3.1 document does not use nullable, which has no effect; use the type "null".',
    requirements: none,
    example: {
      within: 'resource',
      at: [...SCHEMAS, 'CoreEvent', 'properties', 'revision'],
      good: { type: ['string', 'null'] },
      bad: { type: 'string', nullable: true },
    },
    find: only(
      '3.1',
      eachSchema((schema) =>
        'nullable' in schema ? 'nullable has no effect in OpenAPI 3.1; add "null" to the types.' : undefined,
      ),
    ),
  }),
  rule({
    id: 'no-boolean-bounds',
    description: 'In an OpenAPI 3.1 document, exclusiveMinimum and exclusiveMaximum are numbers.',
    requirements: none,
    example: {
      within: 'agent',
      at: [...SCHEMAS, 'AgentRuntime', 'properties', 'memory'],
      good: { exclusiveMinimum: 0 },
      bad: { minimum: 0, exclusiveMinimum: true },
    },
    find: only(
      '3.1',
      eachSchema((schema) => {
        const name = ['exclusiveMinimum', 'exclusiveMaximum'].find((each) => typeof schema[each] === 'boolean');
        return name === undefined ? undefined : `In OpenAPI 3.1, ${name} must be a number, not a boolean.`;
      }),
    ),
  }),
  rule({
    id: 'one-kind-of-example',
    description: 'Nothing has both example and examples, because one of them would be ignored.',
    requirements: none,
    example: {
      within: 'sandbox',
      at: ['components', 'responses', 'Uploads', 'content', 'application/json'],
      good: { example: { uploads: [] } },
      bad: { examples: { Empty: { value: { uploads: [] } } } },
    },
    find: (model) =>
      exampleHolders(model)
        .filter(({ value }) => isMap(value) && 'example' in value && 'examples' in value)
        .map((place) => finding(place, 'Use either example or examples, not both.')),
  }),
  rule({
    id: 'beside-reference',
    description: 'In an OpenAPI 3.0 document, a $ref has no siblings, because they would be ignored.',
    requirements: none,
    example: {
      within: 'openapi-3.0',
      at: [...SCHEMAS, 'Vpc', 'properties', 'metadata'],
      good: { $ref: '#/components/schemas/Metadata' },
      bad: { maxProperties: 20 },
    },
    find: only(
      '3.0',
      eachSchema((schema) => {
        const others = Object.keys(schema).filter((name) => name !== '$ref');
        if (!('$ref' in schema) || others.length === 0) return undefined;
        return `OpenAPI 3.0 ignores ${others.join(', ')} next to a $ref; combine them with allOf.`;
      }),
    ),
  }),
  rule({
    id: 'open-shape-marked',
    description: 'A schema that accepts any shape is marked x-not-shown to show that this is intended.',
    requirements: none,
    example: {
      within: 'resource',
      at: [...SCHEMAS, 'Vpc', 'properties', 'spec'],
      good: { type: 'object', 'x-not-shown': true },
      bad: { 'x-not-shown': null },
    },
    find: ({ schemas }) =>
      openShapes(schemas).map((place) =>
        finding(place, 'This schema accepts any shape. If this is intended, mark it x-not-shown.'),
      ),
  }),
];
