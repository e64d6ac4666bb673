// @ts-check
/** Rules for what readers need: operation ids, tags, descriptions and examples. */
import { below, entriesOf, finding, follow, itemsOf } from '../document/place.mjs';
import { choicesOf, descriptionOf, keyword, property, propertyNames, schemaAt } from '../document/schema.mjs';
import { listed, rule } from './rule.mjs';

/** @typedef {import('../document/place.mjs').Place} Place */
/** @typedef {import('../document/model.mjs').Content} Content */

const OPERATION = ['paths', '/agents/{agentName}', 'put'];
/** @type {readonly never[]} */
const none = [];

/** A verb at the end of an operationId. */
const LATE_VERB = /[a-z](Get|List|Create|Read|Update|Delete|Put|Post|Patch|Upsert|Remove|GET|PUT|POST|PATCH|DELETE)$/;

/** @param {Place | undefined} place */
const isFilled = (place) => typeof place?.value === 'string' && place.value.trim() !== '';

/**
 * @param {Place} place
 * @param {string} name
 */
const says = (place, name) => isFilled(below(place, name));

/** @param {Place} operation */
const idOf = (operation) => below(operation, 'operationId')?.value;

/** Names of keywords with a value that tools show as an example. */
const EXAMPLES = ['example', 'examples', 'const', 'default', 'enum'];

/** Media types whose examples no reader could read. */
const BINARY = /^(image|audio|video|font)\/|^application\/(octet-stream|pdf|zip|gzip|x-tar)\b/i;

/**
 * Whether the content or its schema has an example, or is binary.
 * @param {Content} content
 */
function hasExample({ type, place, schema }) {
  if (below(place, 'example') !== undefined || entriesOf(below(place, 'examples')).length > 0) return true;
  return BINARY.test(type) || keyword(schema, 'format') === 'binary' || isIllustrated(schema, new Set());
}

/**
 * Whether a schema has an example, or all its parts have: tools make an example of these.
 * @param {import('../document/schema.mjs').Schema | undefined} schema
 * @param {Set<unknown>} visited
 * @returns {boolean}
 */
function isIllustrated(schema, visited) {
  if (schema === undefined) return false;
  if (EXAMPLES.some((name) => keyword(schema, name) !== undefined)) return true;
  const { value } = follow(schema[0]);
  // A part that contains itself is omitted in examples.
  if (visited.has(value)) return true;
  visited.add(value);
  const names = propertyNames(schema);
  if (names.length > 0) return names.every((name) => isIllustrated(property(schema, name), visited));
  const choices = choicesOf(schema);
  return choices.length > 0
    ? choices.some((choice) => isIllustrated(choice, visited))
    : isIllustrated(property(schema, '[]'), visited);
}

/**
 * Returns every content once, with the body that it belongs to.
 * @param {readonly import('../document/model.mjs').Operation[]} operations
 */
function contentsOf(operations) {
  const bodies = operations.flatMap(({ name, requestBody, responses }) => [
    ...[requestBody ?? []].flat().map((body) => ({ ...body, what: `request body of ${name}` })),
    ...responses.map((body) => ({ ...body, what: `body of the ${body.status} response of ${name}` })),
  ]);
  const found = bodies.flatMap(({ contents, what }) => contents.map((content) => ({ ...content, what })));
  return [...new Map(found.toReversed().map((each) => [each.place.value, each])).values()].toReversed();
}

export const operationsRules = [
  rule({
    id: 'operation-id',
    description: 'An operation has an operationId in camelCase that starts with its verb.',
    requirements: none,
    example: {
      within: 'operation',
      at: OPERATION,
      good: { operationId: 'updateAgent' },
      bad: { operationId: 'agentUpdate' },
    },
    find: ({ operations }) =>
      operations.flatMap(({ place, name }) => {
        const id = idOf(place);
        if (typeof id !== 'string') return [finding(place, `${name} has no operationId.`)];
        const where = below(place, 'operationId') ?? place;
        if (!/^[a-z][a-z\d]*([A-Z][a-z\d]*)*$/.test(id))
          return [finding(where, `The operationId "${id}" must be camelCase.`)];
        return LATE_VERB.test(id) ? [finding(where, `The operationId "${id}" must start with its verb.`)] : [];
      }),
  }),
  rule({
    id: 'operation-id-unique',
    description: 'No two operations have the same operationId.',
    requirements: none,
    example: {
      within: 'operation',
      at: ['paths', '/agents', 'post'],
      good: { operationId: 'createAgent' },
      bad: { operationId: 'updateAgent' },
    },
    find: ({ operations }) => {
      const ids = new Set();
      return operations.flatMap(({ place }) => {
        const id = idOf(place);
        if (typeof id !== 'string') return [];
        if (ids.has(id))
          return [finding(below(place, 'operationId') ?? place, `The operationId "${id}" is not unique.`)];
        ids.add(id);
        return [];
      });
    },
  }),
  rule({
    id: 'operation-tags',
    description: 'An operation has a tag, and the document describes its tags.',
    requirements: none,
    example: { within: 'operation', at: OPERATION, good: { tags: ['agents'] }, bad: { tags: ['workloads'] } },
    find: ({ root, operations }) => {
      const described = itemsOf(below(root, 'tags')).filter((tag) => says(tag, 'description'));
      const known = new Set(described.map((tag) => below(tag, 'name')?.value));
      return operations.flatMap(({ place, name }) => {
        const tags = itemsOf(below(place, 'tags'));
        if (tags.length === 0) return [finding(place, `${name} has no tag.`)];
        const unknown = tags.filter(({ value }) => !known.has(value));
        if (unknown.length === 0) return [];
        const words = listed(unknown.map(({ value }) => value));
        return [finding(below(place, 'tags') ?? place, `The document does not describe the tag ${words}.`)];
      });
    },
  }),
  rule({
    id: 'operation-summary',
    description: 'An operation has a summary.',
    requirements: none,
    example: { within: 'operation', at: OPERATION, good: { summary: 'Update an agent' }, bad: { summary: null } },
    find: ({ operations }) =>
      operations
        .filter(({ place }) => !says(place, 'summary'))
        .map(({ place, name }) => finding(place, `${name} has no summary.`)),
  }),
  rule({
    id: 'parameter-description',
    description: 'A parameter has a description.',
    requirements: none,
    example: {
      within: 'operation',
      at: ['components', 'parameters', 'agentName'],
      good: { description: 'Name of the agent.' },
      bad: { description: null },
    },
    find: ({ operations }) => {
      const undescribed = operations
        .flatMap((each) => each.parameters)
        .filter(({ description, schema }) => description.trim() === '' && keyword(schema, 'description') === undefined);
      const once = new Map(undescribed.map((each) => [each.place.value, each]));
      return [...once.values()].map(({ place, name }) => finding(place, `The parameter "${name}" has no description.`));
    },
  }),
  rule({
    id: 'schema-description',
    description: 'A component schema has a description.',
    requirements: none,
    example: {
      within: 'resource',
      at: ['components', 'schemas', 'Vpc'],
      good: { description: 'A virtual private cloud.' },
      bad: { description: null },
    },
    find: ({ root }) =>
      entriesOf(below(root, 'components', 'schemas'))
        .filter(([, place]) => follow(place).value !== undefined && descriptionOf(schemaAt(place)) === '')
        .map(([name, place]) => finding(place, `The schema ${name} has no description.`)),
  }),
  rule({
    id: 'body-example',
    description: 'Every request and response body has an example, or all parts of its schema have.',
    requirements: none,
    example: {
      within: 'sandbox',
      at: ['components', 'responses', 'Uploads', 'content', 'application/json'],
      good: { example: { uploads: [] } },
      bad: { example: null },
    },
    find: ({ operations }) =>
      contentsOf(operations)
        .filter((content) => !hasExample(content))
        .map(({ place, type, what }) => finding(place, `The ${type} ${what} has no example.`)),
  }),
];
