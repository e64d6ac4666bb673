// @ts-check
/** The language itself: versions of OpenAPI, what one of them no longer knows, and shapes that are left open. */
import { below, entriesOf, finding, isMap } from '../document/place.mjs';
import { rule } from './rule.mjs';

/** @typedef {import('../document/model.mjs').Model} Model */
/** @typedef {import('../document/place.mjs').Place} Place */
/** @typedef {import('./rule.mjs').Finding} Finding */

const SCHEMAS = ['components', 'schemas'];
/** @type {readonly never[]} */
const none = [];

/** Keywords that tell something of the shape of a value. */
const SHAPE =
  /^(\$ref|\$dynamicRef|properties|patternProperties|additionalProperties|propertyNames|items|prefixItems|contains|enum|const|allOf|anyOf|oneOf|not|if|required|minProperties|maxProperties|dependentSchemas)$/;

/**
 * What a judge says of each schema that has the keyword.
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

/** What an OpenAPI document has one of, by its version. */
const PARTS = {
  '3.0': [['info'], ['paths']],
  3.1: [['info'], ['paths', 'components', 'webhooks']],
};

/** @param {Place} root */
const missingParts = (root) =>
  PARTS[root.reading.version]
    .filter((names) => names.every((name) => below(root, name) === undefined))
    .map((names) => finding(root, `The document has no ${names.join(', no ')}.`));

/** @param {Record<string, unknown>} schema */
function saysNothing(schema) {
  if (schema['x-not-shown'] === true || Object.keys(schema).some((each) => SHAPE.test(each))) return false;
  const types = [schema['type'] ?? []].flat();
  return types.length === 0 || types.some((type) => type === 'object' || type === 'array');
}

/**
 * Everything that may have an example: parameters, headers and bodies.
 * @param {Model} model
 * @returns {Place[]}
 */
function exampleHolders({ operations, schemas }) {
  const bodies = operations.flatMap(({ requestBody, answers }) => [requestBody ?? [], answers].flat());
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
    says: 'What is linted is an OpenAPI document of version 3.0, 3.1, or a later 3, which is read as 3.1 is.',
    requirements: none,
    severity: /** @type {const} */ ('error'),
    example: {
      within: /** @type {const} */ ('resource'),
      at: [],
      good: { openapi: '3.1.0' },
      bad: { openapi: null, swagger: '2.0' },
    },
    find: (/** @type {Model | undefined} */ model) =>
      model === undefined ? [{ path: [], message: 'This is no OpenAPI document of version 3.0 or a later 3.' }] : [],
  },
  rule({
    id: 'openapi-form',
    says: 'Objects and lists stand where OpenAPI wants them; what is missing or something else cannot be linted.',
    requirements: none,
    example: { within: 'resource', at: [], good: { paths: {} }, bad: { paths: [] } },
    find: ({ root, reading }) => {
      const once = new Map(reading.oddities.map((each) => [each.path.join('\n'), each]));
      return [...missingParts(root), ...once.values()];
    },
  }),
  rule({
    id: 'no-nullable',
    says: 'A document of OpenAPI 3.1 does not say nullable, which means nothing there; null is one of the types.',
    requirements: none,
    example: {
      within: 'resource',
      at: [...SCHEMAS, 'CoreEvent', 'properties', 'revision'],
      good: { type: ['string', 'null'] },
      bad: { type: 'string', nullable: true },
    },
    find: only(
      '3.1',
      eachSchema((schema) => ('nullable' in schema ? 'OpenAPI 3.1 does not know nullable.' : undefined)),
    ),
  }),
  rule({
    id: 'no-boolean-bounds',
    says: 'In a document of OpenAPI 3.1 exclusiveMinimum and exclusiveMaximum are numbers.',
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
        return name === undefined ? undefined : `In OpenAPI 3.1 ${name} is a number, not true or false.`;
      }),
    ),
  }),
  rule({
    id: 'one-kind-of-example',
    says: 'Nothing has both example and examples: one of them would not count.',
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
        .map((place) => finding(place, 'Here stand both example and examples.')),
  }),
  rule({
    id: 'beside-reference',
    says: 'In a document of OpenAPI 3.0 nothing stands beside a $ref, where it would not count.',
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
        return `In OpenAPI 3.0 ${others.join(', ')} beside a $ref does not count; allOf takes both.`;
      }),
    ),
  }),
  rule({
    id: 'open-shape-marked',
    says: 'A schema that says nothing of a shape is marked x-not-shown: it is left open on purpose.',
    requirements: none,
    example: {
      within: 'resource',
      at: [...SCHEMAS, 'Vpc', 'properties', 'spec'],
      good: { type: 'object', 'x-not-shown': true },
      bad: { 'x-not-shown': null },
    },
    find: eachSchema((schema) =>
      saysNothing(schema) ? 'Any shape fits this schema, and nothing says that this is meant.' : undefined,
    ),
  }),
];
