/** What the rules reject because of what a schema accepts or lacks, however it is written. */
import { expect, test } from 'vitest';
import { statuses } from '../values.mjs';
import type { Json } from './sample-documents.ts';
import { found, get, metadata, name, operation, resource, responses, withSchemas } from './sample-documents.ts';

const labelsOf = (values: Json): Json => ({ type: 'object', patternProperties: { '^[a-z]+$': values } });
const TEXT = { type: 'string' };
const TEXTS = { additionalProperties: TEXT };

test.each<[string, string, Json, string]>([
  [
    'event-records',
    'events that are strings',
    withSchemas({ Vpc: resource({ events: { type: 'array', items: { type: 'string' } } }) }),
    'must be an object with type, status, message, revision, canaryRevision, time.',
  ],
  [
    'event-records',
    'events without some of their fields',
    withSchemas({ Vpc: resource({ events: { items: { properties: { time: {}, type: {}, message: {} } } } }) }),
    'it lacks status, revision, canaryRevision',
  ],
  ['name-length', 'no limit', name({}), 'must be 49; it is missing'],
  ['name-length', 'a shorter limit', name({ maxLength: 40 }), 'must be 49, not 40'],
  ...Object.entries<Json>({
    'numbers for keys of one pattern': { patternProperties: { '^n-': { type: 'integer' } }, ...TEXTS },
    'anything for keys of one pattern': { patternProperties: { '^n-': {} }, ...TEXTS },
    'numbers for keys of one pattern of several': {
      patternProperties: { '^n-': { type: 'integer' }, '^t-': TEXT },
      ...TEXTS,
    },
    'a large number for one key': { properties: { count: { type: 'integer', minimum: 10 } }, ...TEXTS },
    'numbers for keys of a pattern in a part': {
      allOf: [{ patternProperties: { '^n-': {} } }],
      unevaluatedProperties: TEXT,
    },
    'anything for keys that do not match the pattern': {
      patternProperties: { '^[a-z]+$': TEXT },
      additionalProperties: true,
    },
    'numbers for keys of a pattern in an alternative': {
      anyOf: [TEXTS, { patternProperties: { '^n-': { type: 'integer' } }, ...TEXTS }],
    },
    'numbers for keys that nothing else describes': {
      properties: { a: TEXT },
      unevaluatedProperties: { type: 'integer' },
    },
  }).map(([what, schema]): [string, string, Json, string] => [
    'labels',
    what,
    metadata({ labels: { type: 'object', ...schema } }),
    'must be strings',
  ]),
  ['labels', 'a pattern of keys with numbers', metadata({ labels: labelsOf({ type: 'integer' }) }), 'must be strings'],
  [
    'status-values',
    'constants of which one is missing',
    withSchemas({ Vpc: resource({ status: { oneOf: statuses.slice(1).map((each) => ({ const: each })) } }) }),
    'lacks DELETING',
  ],
  [
    'management-error-body',
    'an error without a body',
    get(responses({ 404: { description: 'Unknown.' } })),
    'The 404 response of GET /vpcs has no body.',
  ],
  [
    'management-error-body',
    'every other error without a body',
    get(responses({ 201: {}, default: { description: 'Failed.' } })),
    'The default response of GET /vpcs has no body.',
  ],
  [
    'management-error-body',
    'a body without a schema',
    get(responses({ 401: { content: { 'application/json': {} } } })),
    'The application/json body of the 401 response of GET /vpcs has no schema.',
  ],
  [
    'management-error-body',
    'a refusal of the metrics without a schema',
    operation(
      '/accounts/{id}/metrics',
      'get',
      responses({ 403: { content: { 'application/json': { example: {} } } } }),
    ),
    'The application/json body of the 403 response of GET /accounts/{id}/metrics has no schema.',
  ],
  [
    'sandbox-error-body',
    'every error of a sandbox without a schema',
    operation('/filesystem-multipart', 'get', responses({ 200: {}, default: { content: { '*/*': {} } } })),
    'The */* body of the default response of GET /filesystem-multipart has no schema.',
  ],
  [
    'management-error-body',
    'a refusal of the metrics without its message',
    operation('/accounts/{id}/metrics', 'get', responses({ 400: {}, 403: {} })),
    'The 403 response of GET /accounts/{id}/metrics has no body.',
  ],
  [
    'sandbox-error-body',
    'a shared response without a body, once',
    {
      paths: {
        '/filesystem-multipart': { get: responses({ 500: { $ref: '#/components/responses/E' } }) },
        '/watch/filesystem/{path}': { get: responses({ 404: { $ref: '#/components/responses/E' } }) },
        '/mcp': { post: responses({ 404: {} }) },
      },
      components: { responses: { E: { description: 'Failed.' } } },
    },
    'has no body',
  ],
])('%s rejects %s', (id, _what, document, says) => {
  const messages = found(id, document);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain(says);
});
