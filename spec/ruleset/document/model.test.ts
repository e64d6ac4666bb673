import { expect, test } from 'vitest';
import { modelOf } from './model.mjs';
import type { Model } from './model.mjs';
import { below, follow, sourceOf } from './place.mjs';
import { describeNoResource, metadataOf } from './resources.mjs';
import { allowedValues, isRequired, keyword, property, schemaAt, typesOf } from './schema.mjs';
import { rules } from '../rules/index.mjs';
import { statuses } from '../values.mjs';
import { addressOf } from './surface.mjs';

function read(data: Record<string, unknown>, files: Record<string, unknown> = {}): Model {
  const model = modelOf({ openapi: '3.1.0', ...data }, '/docs/api.yaml', (source) => files[source]);
  if (model === undefined) throw new Error('This is no document.');
  return model;
}

/** The schema A of a document with these schemas. */
function schemaA(schemas: Record<string, unknown>, openapi = '3.1.0') {
  const place = below(read({ openapi, components: { schemas } }).root, 'components', 'schemas', 'A');
  if (place === undefined) throw new Error('There is no A.');
  return schemaAt(place);
}

test.each([
  ['/agents/{agentName}', ['/v0'], 'management', '/agents/{}'],
  ['/v0/agents/{name}', [], 'management', '/agents/{}'],
  ['/agents/{name}', ['/gateway/v0/'], 'management', '/agents/{}'],
  ['/gadgets', ['/v0'], 'management', '/gadgets'],
  ['/vpcs', [], 'management', '/vpcs'],
  ['/{workspace}/agents/{agent}', [], 'inference', '/{}/agents/{}'],
  ['/{workspace}/models/{model}/chat/completions', ['/'], 'inference', '/{}/models/{}/chat/completions'],
  ['/{workspace}/jobs/{jobName}/executions', [], 'host', '/{}/jobs/{}/executions'],
  ['/oauth/token', [], 'host', '/oauth/token'],
  ['/filesystem/tree/{path}', [], 'sandbox', '/filesystem/tree/{}'],
  ['/', [], 'sandbox', '/'],
  ['/jobs/{jobName}/executions', [], 'management', '/jobs/{}/executions'],
  ['/healthz', [], undefined, '/healthz'],
  ['/constructor', [], undefined, '/constructor'],
] as const)('%s below %j is on the surface %s', (path, bases, surface, below_) => {
  expect(addressOf(path, bases)).toEqual({ surface, path: below_ });
});

test.each([
  [{ openapi: '3.0.3' }, '3.0'],
  [{ openapi: '3.1.1' }, '3.1'],
  [{ openapi: '3.2.0' }, '3.1'],
] as const)('%j is read as %s', (data, version) => {
  expect(modelOf(data, null, () => undefined)?.reading.version).toBe(version);
});

test.each([[undefined], [null], [[]], ['text'], [{}], [{ swagger: '2.0' }], [{ openapi: '2.0.0' }], [{ openapi: 3 }]])(
  '%j is not an OpenAPI document',
  (data) => {
    expect(modelOf(data, null, () => undefined)).toBeUndefined();
  },
);

test.each([
  ['3.1.0', ['get', 'trace']],
  ['3.2.0', ['get', 'trace', 'query', 'copy']],
])('the operations of a path in OpenAPI %s are %j', (openapi, methods) => {
  const item = {
    get: {},
    trace: {},
    query: {},
    fetch: {},
    GET: {},
    'x-get': {},
    additionalOperations: { COPY: {}, 'x-a': {} },
  };
  const { operations } = read({ openapi, paths: { '/a': item, 'x-b': { get: {} } } });
  expect(operations.map(({ method }) => method)).toEqual(methods);
});

test('path parameters apply to its operations unless overridden', () => {
  const [operation] = read({
    paths: {
      '/vpcs': {
        parameters: [
          { name: 'a', in: 'query', required: true },
          { name: 'a', in: 'header' },
        ],
        get: { parameters: [{ name: 'a', in: 'query' }] },
      },
    },
  }).operations;
  expect(operation?.parameters.map((each) => [each.in, each.required])).toEqual([
    ['header', false],
    ['query', false],
  ]);
});

test('security of an operation counts instead of that of the document, also when it is empty', () => {
  const { operations } = read({
    security: [{ key: [] }],
    paths: { '/a': { get: {}, put: { security: [] }, post: { security: [{}] } } },
  });
  expect(operations.map(({ security }) => security.map(({ schemes }) => schemes))).toEqual([[[['key', []]]], [], [[]]]);
});

test('references resolve across files, relative to the file that contains them', () => {
  const files = {
    '/docs/parts/paths.yaml': { vpcs: { get: { responses: { 200: { $ref: 'more/responses.yaml#/ok' } } } } },
    '/docs/parts/more/responses.yaml': {
      ok: { content: { 'application/json': { schema: { $ref: '../../api.yaml#/components/schemas/A' } } } },
    },
  };
  const model = read(
    { paths: { '/vpcs': { $ref: 'parts/paths.yaml#/vpcs' } }, components: { schemas: { A: { type: 'integer' } } } },
    files,
  );
  const content = model.operations[0]?.responses[0]?.contents[0];
  expect(typesOf(content?.schema)).toEqual(['integer']);
  expect(content?.place.source).toBe('/docs/parts/more/responses.yaml');
  expect(content?.place.path.join(' ')).toBe('paths /vpcs get responses 200 content application/json');
});

test.each([
  ['b.yaml', '/x/a.yaml', '/x/b.yaml'],
  ['../b c.yaml', '/x/y/a.yaml', '/x/b c.yaml'],
  ['b.yaml', '/x%20y/a.yaml', '/x%20y/b.yaml'],
  ['b.yaml', 'https://h.example/x/a.yaml', 'https://h.example/x/b.yaml'],
  ['https://h.example/b.yaml', '/x/a.yaml', 'https://h.example/b.yaml'],
])('%s in %s is %s', (reference, from, wanted) => {
  expect(sourceOf(reference, from)).toBe(wanted);
});

test('a reference that leads nowhere or to itself has no value', () => {
  const { root } = read({
    components: {
      schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' }, C: { $ref: '#/no' } },
    },
  });
  for (const name of ['A', 'B', 'C']) {
    const place = below(root, 'components', 'schemas', name);
    expect(place && follow(place).value).toBeUndefined();
  }
});

test('a pointer finds keys with slashes, tildes and braces', () => {
  const { root } = read({ paths: { '/a/{b}': { get: {} }, '/c': { $ref: '#/paths/~1a~1%7Bb%7D' } } });
  expect(below(root, 'paths', '/c', 'get')?.value).toEqual({});
});

test('siblings of a reference apply from OpenAPI 3.1 on, not before', () => {
  const schemas = { A: { $ref: '#/components/schemas/B', readOnly: true }, B: { type: 'string', readOnly: false } };
  expect(keyword(schemaA(schemas), 'readOnly')).toBe(true);
  expect(keyword(schemaA(schemas, '3.0.3'), 'readOnly')).toBe(false);
});

test('the parts of allOf are one schema', () => {
  const schema = schemaA({
    A: { allOf: [{ $ref: '#/components/schemas/B' }, { properties: { b: { type: 'string' } }, required: ['b'] }] },
    B: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
  });
  expect(typesOf(property(schema, 'a'))).toEqual(['integer']);
  expect(typesOf(property(schema, 'b'))).toEqual(['string']);
  expect([isRequired(schema, 'a'), isRequired(schema, 'b'), isRequired(schema, 'c')]).toEqual([true, true, false]);
});

test.each([
  [{ type: ['string', 'null'] }, ['string']],
  [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, ['string']],
  [{ enum: ['a', null] }, ['string']],
  [{ const: 1 }, ['number']],
  [{ properties: { a: {} } }, ['object']],
  [{ items: {} }, ['array']],
  [{}, []],
])('the types of %j are %j, null apart', (schema, types) => {
  expect(typesOf(schemaA({ A: schema }))).toEqual(types);
});

test('a resource that includes its envelope with allOf is found once', () => {
  const { resources } = read({
    components: {
      schemas: {
        Envelope: {
          properties: { metadata: { $ref: '#/components/schemas/Metadata' }, spec: { type: 'object' } },
        },
        Metadata: { properties: { name: { type: 'string' } } },
        Vpc: { allOf: [{ $ref: '#/components/schemas/Envelope' }, { required: ['metadata', 'spec'] }] },
      },
    },
  });
  expect(resources.map(({ name }) => name)).toEqual(['Vpc']);
  expect(metadataOf(resources)).toHaveLength(1);
});

test('schemas that refer to themselves are each visited once', () => {
  const { schemas } = read({
    components: {
      schemas: {
        Tree: {
          properties: { left: { $ref: '#/components/schemas/Tree' }, right: { $ref: '#/components/schemas/Tree' } },
        },
      },
    },
  });
  expect(schemas).toHaveLength(3);
});

test('a value that should be an object or array is reported', () => {
  const { reading } = read({
    paths: { '/a': { get: { parameters: {}, responses: [] }, put: null } },
    components: { schemas: { A: { properties: ['a'] } } },
  });
  expect(reading.typeFindings.map(({ path }) => path.join(' '))).toEqual(
    expect.arrayContaining(['paths /a get parameters', 'paths /a get responses', 'components schemas A properties']),
  );
});

/** A document with a collection at a path, whose items have this schema and parameter. */
function collectionOf(schema: Record<string, unknown>, parameter: string, at = '/v0/queues') {
  const body = { content: { 'application/json': { schema } } };
  const operation = { responses: { 200: body }, requestBody: body };
  return read({
    paths: { [at]: { post: operation }, [`${at}/{${parameter}}`]: { get: { responses: { 200: body } } } },
    components: { securitySchemes: { brand: { type: 'apiKey', in: 'header', name: 'X-Svc-Authorization' } } },
  });
}

const named = { properties: { name: { type: 'string' } } };

test.each([
  ['a resource', named, 'queueName', '/v0/queues', undefined],
  ['an identifier in the path', named, 'queueId', '/v0/queues', 'its items are addressed by the identifier {queueId}'],
  ['a collection within a resource', named, 'part', '/v0/vpcs/{vpcName}/parts', 'it is within another resource'],
  ['no name', { properties: {} }, 'queue', '/v0/queues', 'its schema has neither a name nor metadata with a name'],
  ['an unknown shape', { 'x-not-shown': true }, 'queue', '/v0/queues', 'its schema is marked x-not-shown'],
  [
    'a name that the service sets',
    { properties: { name: { type: 'string', readOnly: true } } },
    'queue',
    '/v0/queues',
    'its schema has neither a name nor metadata with a name',
  ],
])('a collection says why it contains no resource: %s', (_what, schema, parameter, at, reason) => {
  const { collections, resources } = collectionOf(schema, parameter, at);
  expect(collections.map((each) => describeNoResource(each, resources))).toEqual([reason]);
});

const envelope = { properties: { metadata: named, spec: {} } };
const object = { properties: { ...envelope.properties, apiVersion: {}, kind: {} } };
/** Operations of a document, `METHOD /path`, with this schema in their requests and responses. */
function documentWith(operations: readonly string[], schema: Record<string, unknown> = named, more = {}): Model {
  const body = { content: { 'application/json': { schema } } };
  const paths = operations.map((each) => {
    const [method = '', at = ''] = each.split(' ');
    return [at, { [method]: { requestBody: body, responses: { 200: body, 400: body } } }] as const;
  });
  const byPath = [...Map.groupBy(paths, ([at]) => at)];
  return read({
    paths: Object.fromEntries(byPath.map(([at, all]) => [at, Object.assign({}, ...all.map(([, item]) => item))])),
    ...more,
  });
}
const headerNamed = (name: string, schema: object = {}) => ({
  components: { securitySchemes: {} },
  security: [],
  paths: { '/queues': { get: { parameters: [{ name, in: 'header', schema }] } } },
});
const words = ['agents', 'functions', 'models', 'sandboxes', 'jobs', 'volumes', 'images', 'workspaces', 'policies'];
const everyPath = words.flatMap((word) => [
  `get /${word}`,
  `post /${word}`,
  `get /${word}/{id}`,
  `delete /${word}/{id}`,
]);

test.each([
  ['paths with words of the interface', documentWith(everyPath)],
  ['such paths below v0', documentWith(everyPath.map((each) => each.replace('/', '/v0/')))],
  ['two plain operations of the interface', documentWith(['get /accounts', 'put /agents/{id}'])],
  ['the MCP endpoint and the root', documentWith(['post /mcp', 'get /'])],
  ['OAuth endpoints', documentWith(['get /oauth/authorize', 'post /oauth/token'])],
  ['objects of Kubernetes', documentWith(['post /jobs'], object)],
  ['an envelope elsewhere', documentWith(['post /queues'], envelope)],
  ['a version header with other dates', read(headerNamed('Acme-Version', { default: '2026-01-01' }))],
  ['some of the statuses', documentWith(['get /queues'], { enum: ['FAILED', 'BUILDING', 'DEPLOYING', 'READY'] })],
])('a document of another API: %s', (_what, model) => {
  expect(model.isOurs).toBe(false);
  expect(model.operations.filter(({ surface }) => surface !== undefined)).toEqual([]);
  expect([model.resources, model.collections]).toEqual([[], []]);
  const own = rules.filter(({ requirements }) => requirements.length > 0);
  expect(own.filter((rule) => [...rule.find(model)].length > 0).map(({ id }) => id)).toEqual([]);
});

test.each([
  ['an operation with a path of several words', documentWith(['post /integrations/connections'])],
  ['an operation of a sandbox', documentWith(['get /filesystem-multipart'])],
  ['three plain operations', documentWith(['get /accounts', 'put /agents/{id}', 'delete /images'])],
  ['an envelope at a path of the interface', documentWith(['post /vpcs'], envelope)],
  ['an envelope below v0', documentWith(['get /v0/queues'], { type: 'array', items: envelope })],
  ['a header of the service', read(headerNamed('X-Svc-Workspace'))],
  ['the earliest version', read(headerNamed('Acme-Version', { default: '2026-04-16' }))],
  ['most of the statuses', documentWith(['get /queues'], { enum: [...statuses.slice(2), 'READY'] })],
  [
    'most of the statuses as constants',
    documentWith(['get /queues'], { oneOf: statuses.map((each) => ({ const: each })) }),
  ],
  ['a schema with metadata and spec, and no operations', read({ components: { schemas: { A: envelope } } })],
])('a document of the interface: %s', (_what, model) => {
  expect(model.isOurs).toBe(true);
});

const execution = {
  properties: { metadata: { properties: { id: {} } }, spec: {}, status: { enum: ['queued', 'running', 'failed'] } },
};
const mark = {
  components: { securitySchemes: { brand: { type: 'apiKey', in: 'header', name: 'X-Svc-Authorization' } } },
};

test.each([
  ['what a resource contains with statuses of its own', ['get /jobs/{job}/executions/{id}'], execution, []],
  ['in a list', ['get /jobs/{job}/executions'], { type: 'array', items: execution }, []],
  ['a resource within another one', ['get /vpcs/{vpc}/gateways/{name}'], envelope, ['it has metadata and spec']],
  ['a resource with wrong statuses', ['get /jobs/{job}'], execution, ['it has metadata and spec']],
])('%s', (_what, operations, schema, reasons) => {
  expect(documentWith(operations, schema, mark).resources.map(({ reason }) => reason)).toEqual(reasons);
});

test.each([
  ['an action below a path', ['post /v0/buckets/availability']],
  ['an action below a collection', ['get /v0/buckets', 'post /v0/buckets', 'post /v0/buckets/availability']],
])('%s is no collection', (_what, operations) => {
  const { collections } = documentWith(operations, named, mark);
  expect(collections.map(({ template }) => template)).not.toContain('/v0/buckets/availability');
});

test.each([
  [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, ['a', 'b']],
  [{ anyOf: [{ enum: ['a', 'b'] }, { const: 'c' }, { type: 'null' }] }, ['a', 'b', 'c']],
  [{ oneOf: [{ const: 'a' }, { oneOf: [{ const: 'b' }, { const: 'c' }] }] }, ['a', 'b', 'c']],
  [{ oneOf: [{ const: 'a' }, { type: 'string' }] }, undefined],
  [{ oneOf: [{ const: 'a' }, { $ref: '#/components/schemas/A' }] }, ['a']],
])('the values of %j are %j', (schema, values) => {
  expect(allowedValues(schemaA({ A: schema }))).toEqual(values);
});

const plainOperations = ['get /accounts', 'put /agents/{id}', 'delete /images'];
const volume = (...more: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(['name', 'size', ...more].map((name) => [name, { type: 'string' }])),
});

test.each([
  ['what has only a name', volume(), {}, 0],
  ['what has one field of metadata', volume('labels'), {}, 0],
  ['a list of jobs with metadata of their own', { type: 'array', items: { properties: { metadata: named } } }, {}, 0],
  ['what has two fields of metadata', volume('labels', 'createdAt'), {}, 1],
  ['what has statuses of deployments', { properties: { name: { type: 'string' }, state: { enum: statuses } } }, {}, 1],
  ['what has only a name, in a document with a mark of the service', volume(), mark, 1],
])('a collection at a path of the interface contains a resource, or not: %s', (_what, schema, more, count) => {
  const { isOurs, resources } = documentWith([...plainOperations, 'post /volumes'], schema, more);
  expect([isOurs, resources.length]).toEqual([true, count]);
});
