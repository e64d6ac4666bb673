/** What stands beside a schema counts: siblings of allOf, anyOf, oneOf and $ref, and other parts. */
import { expect, test } from 'vitest';
import type { Json } from './sample-documents.ts';
import {
  agent,
  found,
  get,
  json,
  metadata,
  metrics,
  name,
  resource,
  responses,
  schemes,
  withSchemas,
} from './sample-documents.ts';

const ref = (to: string): Json => ({ $ref: `#/components/schemas/${to}` });
const LIMIT = { maxLength: 63 };
const NAMED = { type: 'object', properties: { name: { type: 'string' } } };
const ERROR = { properties: { error: { type: 'string' }, code: { type: 'integer' } } };

test.each<[string, Json]>([
  ['a part of a string', { A: { type: 'string', allOf: [LIMIT] } }],
  ['a part within a part', { A: { type: 'string', anyOf: [{ allOf: [LIMIT] }, { enum: ['a'] }] } }],
  ['a part next to one with a type', { A: { allOf: [{ type: 'string' }, LIMIT] } }],
  ['a part next to a reference', { A: { allOf: [ref('B'), { description: 'B.' }] }, B: NAMED }],
  ['an object in a part with properties elsewhere', { A: { allOf: [NAMED, { type: 'object' }] } }],
  ['alternatives of a string', { A: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] } }],
  ['alternatives of which one is null', { A: { type: ['string', 'null'], oneOf: [LIMIT, { type: 'null' }] } }],
  ['a schema used only as a part', { A: { type: 'string', allOf: [ref('B')] }, B: LIMIT }],
  ['a schema used only next to a type', { A: { ...ref('B'), type: 'string' }, B: LIMIT }],
  ['a property that another part describes', { A: { allOf: [ref('B'), { properties: { name: LIMIT } }] }, B: NAMED }],
  ['items that another part describes', { A: { type: 'array', items: { type: 'string' }, allOf: [{ items: LIMIT }] } }],
  ['a negation', { A: { type: 'string', not: { maxLength: 3 } } }],
  ['a condition', { A: { type: 'string', if: { minLength: 3 }, else: LIMIT } }],
  ['names of properties', { A: { type: 'object', propertyNames: LIMIT } }],
  ['a marked schema with parts', { A: { 'x-not-shown': true, allOf: [{ description: 'Anything.' }] } }],
])('open-shape-marked accepts %s', (_what, schemas) => {
  expect(found('open-shape-marked', withSchemas(schemas))).toEqual([]);
});

test.each<[string, Json]>([
  ['a part with nothing beside it', { A: { allOf: [LIMIT] } }],
  ['an object of which no part says more', { A: { type: 'object', allOf: [{ description: 'A.' }] } }],
  ['an alternative without a type', { A: { anyOf: [{ type: 'string' }, { description: 'Anything.' }] } }],
  [
    'a schema that is also used alone',
    { A: { properties: { a: ref('B') }, allOf: [{ type: 'string', ...ref('B') }] }, B: LIMIT },
  ],
  ['a property that no other part describes', { A: { allOf: [ref('B'), { properties: { other: LIMIT } }] }, B: NAMED }],
  ['a property of a schema that contains itself', { A: { properties: { next: ref('A'), a: { type: 'object' } } } }],
])('open-shape-marked rejects %s', (_what, schemas) => {
  expect(found('open-shape-marked', withSchemas(schemas))).toHaveLength(1);
});

test('siblings of a reference do not count in OpenAPI 3.0', () => {
  const schemas = { A: { ...ref('B'), type: 'string' }, B: LIMIT };
  expect(found('open-shape-marked', withSchemas(schemas, '3.0.3'))).toHaveLength(1);
});

test('a document with very many ways to a schema is linted quickly', () => {
  const last = { L30: { properties: { a: LIMIT } } };
  const levels = Array.from({ length: 30 }, (_, index) => [
    `L${index}`,
    {
      type: 'object',
      allOf: [ref(`L${index + 1}`), { anyOf: [ref(`L${index + 1}`), { type: 'object', required: ['a'] }] }],
    },
  ]);
  const start = performance.now();
  found('open-shape-marked', withSchemas({ ...Object.fromEntries(levels), ...last }));
  expect(performance.now() - start).toBeLessThan(5000);
});

test.each<[string, string, Json]>([
  [
    'management-error-body',
    'properties beside the alternatives',
    get(responses({ 400: json({ ...ERROR, oneOf: [{ required: ['error'] }, { required: ['error', 'code'] }] }) })),
  ],
  [
    'management-error-body',
    'required beside the alternatives',
    get(responses({ 400: json({ required: ['error'], anyOf: [ERROR, { properties: { message: {} } }] }) })),
  ],
  [
    'envelope-required',
    'what every alternative requires',
    withSchemas({
      Vpc: {
        ...resource({}),
        anyOf: [{ required: ['metadata', 'spec'] }, { required: ['metadata', 'spec', 'status'] }],
      },
    }),
  ],
  [
    'envelope-required',
    'what is required beside alternatives',
    withSchemas({ Vpc: { required: ['metadata', 'spec'], oneOf: [resource({}), resource({ events: {} })] } }),
  ],
  ['name-required', 'a name required by another part', metadata({ name: {} }, { allOf: [{ required: ['name'] }] })],
  ['name-length', 'a type in a part', metadata({ name: { maxLength: 49, allOf: [{ type: 'string' }] } })],
  [
    'metrics-limit',
    'an integer in a part',
    metrics({ name: 'limit', schema: { type: 'number', default: 100, allOf: [{ type: 'integer' }] } }),
  ],
  [
    'name-immutable',
    'words of the target of a reference',
    name({ description: 'Name.', allOf: [{ description: 'Immutable.' }] }),
  ],
  [
    'mount-path',
    'words of a part',
    agent({
      volumes: {
        items: { properties: { mountPath: { description: 'Path.', allOf: [{ description: 'Absolute.' }] } } },
      },
    }),
  ],
  [
    'parameter-description',
    'a description next to a reference',
    get(
      { parameters: [{ $ref: '#/components/parameters/A', description: 'A.' }] },
      { components: { parameters: { A: { name: 'a', in: 'query' } } } },
    ),
  ],
  [
    'version-refused',
    'a description next to a reference',
    get(responses({ 400: { $ref: '#/components/responses/Bad', description: 'As for invalid_api_version.' } }), {
      components: { responses: { Bad: { description: 'Bad.' } }, securitySchemes: schemes },
    }),
  ],
])('%s accepts %s', (id, _what, document) => {
  expect(found(id, document)).toEqual([]);
});

test('a parameter without a description is found next to another use with one', () => {
  const reference = { $ref: '#/components/parameters/A' };
  const document = {
    paths: {
      '/a': { get: { parameters: [{ ...reference, description: 'A.' }] } },
      '/b': { get: { parameters: [reference] } },
    },
    components: { parameters: { A: { name: 'a', in: 'query' } } },
  };
  expect(found('parameter-description', document)).toEqual(['The parameter "a" has no description.']);
  const described = { ...document, paths: { '/a': document.paths['/a'] } };
  expect(found('parameter-description', { ...described, openapi: '3.0.3' })).toHaveLength(1);
});
