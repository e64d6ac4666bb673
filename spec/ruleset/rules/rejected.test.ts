/** What the rules reject beyond their bad examples, and what they have nothing to say about. */
import { expect, test } from 'vitest';
import { statuses } from '../values.mjs';
import { rules } from './index.mjs';
import type { Json } from './sample-documents.ts';
import {
  both,
  responses,
  dimensions,
  event,
  flat,
  found,
  GADGET,
  gadgets,
  get,
  header,
  item,
  json,
  listOf,
  metadata,
  metrics,
  name,
  operation,
  paths,
  renamed,
  resource,
  returns,
  schemes,
  trigger,
  withSchemas,
} from './sample-documents.ts';

test.each<[string, string, Json, string]>([
  ['openapi-form', 'a document without info', { paths: {} }, 'has no info'],
  [
    'openapi-form',
    'a document without paths, components and webhooks',
    { info: {} },
    'has no paths, no components, no webhooks',
  ],
  ['openapi-form', 'components alone in OpenAPI 3.0', { openapi: '3.0.3', info: {}, components: {} }, 'has no paths.'],
  [
    'openapi-form',
    'a path without a slash',
    { info: {}, paths: { users: { get: {} } } },
    '"users" must start with a slash',
  ],
  [
    'openapi-form',
    'an operation that is a number',
    { info: {}, ...item({ get: 5 }) },
    '"get" must be an object, not a number',
  ],
  [
    'openapi-form',
    'an operation that is null',
    { info: {}, ...item({ get: null }) },
    '"get" must be an object, not null',
  ],
  ['openapi-form', 'an operation that is a list', { info: {}, webhooks: { made: { post: [] } } }, 'not an array'],
  [
    'openapi-form',
    'a version that is a number',
    { info: { version: 1 }, paths: {} },
    'Put it in quotes: version: "1".',
  ],
  [
    'openapi-form',
    'a title that is null',
    { info: { title: null }, paths: {} },
    'info.title must be a string, not null.',
  ],
  ['known-methods', 'a method that does not exist', item({ fetch: {} }), 'Unknown method "fetch" in a path item'],
  ['known-methods', 'a method in upper case', item({ GET: {} }), 'must be in lower case: get'],
  ['known-methods', 'a field that does not exist', item({ tags: [] }), 'Unknown field "tags"'],
  ['known-methods', 'query before OpenAPI 3.2', item({ query: {} }), 'OpenAPI 3.1 does not know "query"'],
  ['known-methods', 'query in OpenAPI 3.0', item({ query: {} }, '3.0.3'), 'OpenAPI 3.0 does not know "query"'],
  [
    'known-methods',
    'additionalOperations before OpenAPI 3.2',
    item({ additionalOperations: { COPY: {} } }),
    'it needs OpenAPI 3.2',
  ],
  [
    'known-methods',
    'an additional operation that has a field of its own',
    item({ additionalOperations: { POST: {} } }, '3.2.0'),
    'use the field "post"',
  ],
  ['known-methods', 'a webhook', { webhooks: { made: { send: {} } } }, '"send"'],
  ['known-methods', 'a shared path item', { components: { pathItems: { Made: { send: {} } } } }, '"send"'],
  [
    'known-methods',
    'a callback',
    item({ post: { callbacks: { done: { '{$request.body#/url}': { send: {} } } } } }),
    '"send"',
  ],
  [
    'known-methods',
    'a path item that two paths share, once',
    {
      paths: { '/a': { $ref: '#/components/pathItems/A' }, '/b': { $ref: '#/components/pathItems/A' } },
      components: { pathItems: { A: { send: {} } } },
    },
    '"send"',
  ],
  [
    'name-length',
    'a flat name of a resource with an unfamiliar name',
    gadgets(flat({ maxLength: 70 })),
    'must be 49, not 70. Gadget is a resource: GET /v0/gadgets/{gadgetName} returns it.',
  ],
  [
    'name-length',
    'a name in a member that is not called metadata',
    gadgets(renamed({ maxLength: 70 })),
    'Gadget is a resource: GET /v0/gadgets/{gadgetName} returns it.',
  ],
  [
    'name-length',
    'a resource that only a list returns, in a wrapper',
    paths({ '/v0/gadgets': { get: returns(listOf(GADGET)), post: {} } }, renamed({ maxLength: 70 })),
    'Gadget is a resource: GET /v0/gadgets returns it.',
  ],
  [
    'name-length',
    'a resource that is only sent',
    paths({ '/v0/gadgets': { post: { requestBody: json(GADGET) } } }, flat({ maxLength: 70 })),
    'Gadget is a resource: POST /v0/gadgets takes it.',
  ],
  [
    'name-length',
    'a resource outside of the prefix in a document with the headers of the service',
    {
      ...paths({ '/gadgets/{gadgetName}': { get: returns(GADGET) } }, renamed({ maxLength: 70 })),
      security: [{ brand: [] }],
    },
    'Gadget is a resource: GET /gadgets/{gadgetName} returns it.',
  ],
  [
    'status-values',
    'the status of a resource with unfamiliar members',
    gadgets(renamed({}, { status: { type: 'string', enum: ['READY', 'BROKEN'] } })),
    'has READY, BROKEN, which is not documented. Gadget is a resource:',
  ],
  [
    'status-values',
    'the status of a resource outside of the prefix, with most of the deployment statuses',
    gadgets(renamed({}, { status: { enum: [...statuses.slice(1), 'READY'] } }), { prefix: '' }),
    'lacks DELETING and has READY',
  ],
  [
    'status-values',
    'a status with another name',
    gadgets(renamed({}, { phase: { type: 'string', enum: ['deployed', 'failed', 'ready'] } })),
    'has deployed, failed, ready',
  ],
  [
    'envelope-required',
    'a resource with unfamiliar members',
    gadgets(renamed({})),
    'must have and require metadata, spec. Gadget is a resource:',
  ],
  ['name-required', 'metadata without a name', metadata({ displayName: { type: 'string' } }), 'must have a name'],
  ['name-length', 'a number', metadata({ name: { type: 'integer' } }), 'must be a string'],
  ['name-pattern', 'a pattern without its ends', name({ pattern: '[a-z0-9-]+' }), 'must not accept "Agent"'],
  ['name-pattern', 'no pattern', name({}), 'must not accept ""'],
  ['name-pattern', 'a pattern without hyphens', name({ pattern: '^[a-z0-9]+$' }), 'must accept "my-agent-2"'],
  ['name-pattern', 'a pattern that is none', name({ pattern: '[a-' }), 'not a valid regular expression'],
  [
    'display-name',
    'a pattern of plain letters',
    metadata({ displayName: { type: 'string', maxLength: 63, pattern: '^[a-z]+$' } }),
    'must accept spaces',
  ],
  ['labels', 'any values', metadata({ labels: { type: 'object', additionalProperties: true } }), 'must be strings'],
  [
    'envelope-read-only',
    'readOnly next to a reference in OpenAPI 3.0',
    withSchemas(
      { Vpc: resource({ status: { $ref: '#/components/schemas/S', readOnly: true } }), S: { type: 'string' } },
      '3.0.3',
    ),
    '"status"',
  ],
  [
    'status-values',
    'a status of any text',
    withSchemas({ Vpc: resource({ status: { type: 'string' } }) }),
    'must have an enum',
  ],
  [
    'event-records',
    'events that are an object',
    withSchemas({ Vpc: resource({ events: { type: 'object' } }) }),
    'must be an array',
  ],
  [
    'event-records',
    'events shared by two resources, once',
    withSchemas({
      A: resource({ events: { $ref: '#/components/schemas/E' } }),
      B: resource({ events: { $ref: '#/components/schemas/E' } }),
      E: event('integer'),
    }),
    '"time"',
  ],
  ['trigger-timeout', 'a timeout without an end', trigger({ timeout: { type: 'integer' } }), 'not undefined'],
  [
    'trigger-schedule',
    'a pattern of six fields',
    trigger({ schedule: { type: 'string', pattern: String.raw`^\S+( \S+){5}$` } }),
    'rejects',
  ],
  ['credential-required', 'no security at all', get({}), 'without a credential'],
  [
    'credential-required',
    'a collection of the interface that is public',
    operation('/v0/agents', 'get', { security: [] }),
    'without a credential',
  ],
  [
    'credential-required',
    'a collection of the document that is public',
    { paths: { '/v0/gadgets': { get: { security: [] } }, '/v0/gadgets/{name}': { get: { security: both } } } },
    'GET /v0/gadgets can be called without a credential',
  ],
  [
    'credential-required',
    'a public operation that writes',
    operation('/v0/reload', 'post', { security: [] }),
    'without a credential',
  ],
  [
    'credential-required',
    'a health check that does not say so',
    operation('/v0/health', 'get', {}),
    'without a credential',
  ],
  [
    'version-header',
    'a brand',
    { paths: { '/vpcs': { get: { parameters: [{ name: 'X-Acme-Workspace', in: 'header' }] } } } },
    'the header Acme-Version.',
  ],
  [
    'version-header',
    'a version header that other operations use',
    get({}, { components: { parameters: { Version: { name: 'Svc-Version', in: 'header' } } } }),
    'the header Svc-Version.',
  ],
  ['version-header', 'no brand', { paths: { '/vpcs': { get: {} } } }, 'the header <Brand>-Version.'],
  ['version-refused', 'no 400 response', get({}), 'must have a 400 response: it is returned for an unknown version.'],
  ['name-pattern', 'an empty name', name({ pattern: '^[a-z0-9-]*$' }), 'not accept "". Use the pattern ^[a-z0-9-]+$.'],
  [
    'envelope-read-only',
    'the status under another name',
    withSchemas({ Vpc: resource({ state: { enum: ['DEPLOYED', 'FAILED'] } }) }),
    '"state" of a resource is set by the service',
  ],
  [
    'credential-required',
    'an open model',
    operation('/{w}/models/{m}', 'post', { security: [{}] }),
    'without a credential',
  ],
  [
    'both-credentials',
    'both at once',
    get({ security: [{ oauth: ['admin'], key: [] }] }),
    'an OAuth token and an API key',
  ],
  ['both-credentials', 'a scheme that is not defined', get({ security: [{ nothing: [] }] }), 'must accept'],
  [
    'credential-in-header',
    'basic authentication',
    { components: { securitySchemes: { a: { type: 'http', scheme: 'basic' } } } },
    '"a"',
  ],
  [
    'oauth-flows',
    'another token address',
    {
      components: {
        securitySchemes: {
          a: {
            type: 'oauth2',
            flows: {
              authorizationCode: { authorizationUrl: '/oauth/authorize', tokenUrl: '/oauth/token' },
              clientCredentials: { tokenUrl: '/token' },
            },
          },
        },
      },
    },
    'tokenUrl of clientCredentials',
  ],
  ['one-scope-each', 'no scope', get({ security: [{ oauth: [] }, { key: [] }] }), 'the default is admin'],
  [
    'one-scope-each',
    'the same for two operations, once',
    { security: [{ oauth: [] }], paths: { '/vpcs': { get: {}, post: {} } }, components: { securitySchemes: schemes } },
    'the default is admin',
  ],
  ['scope-form', 'a scope of another form', get({ security: [{ oauth: ['read_agents'] }] }), '"read_agents"'],
  [
    'version-values',
    'an enum without the earliest version',
    get(header({ type: 'string', enum: ['2027-01-01'] })),
    'must accept 2026-04-16',
  ],
  ['version-values', 'another default', get(header({ type: 'string', default: '2027-01-01' })), 'not "2027-01-01"'],
  ['version-refused', 'no response 400', get(responses({ 200: { description: 'Fine.' } })), 'must have a 400 response'],
  [
    'workspace-header',
    'a header that is required',
    operation('/vpcs', 'post', {
      requestBody: json(resource({})),
      parameters: [{ name: 'X-Svc-Workspace', in: 'header', required: true }],
    }),
    'must be optional',
  ],
  [
    'one-brand',
    'a version header of another brand',
    get({ parameters: ['Acme-Version', 'X-Svc-Workspace'].map((each) => ({ name: each, in: 'header' })) }),
    'svc, acme',
  ],
  [
    'management-error-body',
    'an error that is a list',
    get(responses({ 500: json({ type: 'array', items: {} }) })),
    'lacks the string "error"',
  ],
  [
    'management-error-body',
    'alternatives of which none fits',
    get(responses({ 400: json({ anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }) })),
    'lacks the string "error"',
  ],
  [
    'management-error-body',
    'a schema of the metrics 403 that another response has too',
    {
      paths: {
        '/accounts/{id}/metrics': { get: responses({ 403: json({ $ref: '#/components/schemas/M' }) }) },
        '/vpcs': { get: responses({ 500: json({ $ref: '#/components/schemas/M' }) }) },
      },
      components: { schemas: { M: { properties: { message: { type: 'string' } } } } },
    },
    'lacks the string "error"',
  ],
  [
    'metrics-window',
    'a window without an end',
    operation('/accounts/{id}/metrics/enums/resource-types', 'get', {
      parameters: [{ name: 'startTime', in: 'query', required: true, schema: { type: 'string', format: 'date-time' } }],
    }),
    'query parameter endTime',
  ],
  [
    'metrics-resolution',
    'a default',
    metrics({ name: 'resolution', schema: { type: 'string', default: 'daily' } }),
    'default ("daily")',
  ],
  [
    'metrics-group-by',
    'one dimension alone',
    metrics({ name: 'groupBy', schema: { type: 'string', enum: dimensions } }),
    'must accept "workspace,',
  ],
  [
    'metrics-group-by',
    'a list that is sent in several values',
    metrics({ name: 'groupBy', schema: { type: 'array' } }),
    'explode',
  ],
  ['metrics-limit', 'no default', metrics({ name: 'limit', schema: { type: 'integer' } }), 'default'],
  [
    'metrics-account-admin',
    'no word of the role',
    metrics({ name: 'workspace' }, responses({ 403: {} })),
    'workspace must mention the account-admin role',
  ],
  ['operation-id', 'none', get({}), 'has no operationId'],
  ['operation-id', 'hyphens', get({ operationId: 'list-vpcs' }), 'camelCase'],
  ['operation-tags', 'none', get({}), 'has no tag'],
  ['operation-tags', 'a tag without a description', get({ tags: ['a'] }, { tags: [{ name: 'a' }] }), 'the tag a'],
  ['operation-summary', 'blanks', get({ summary: ' ' }), 'no summary'],
  [
    'one-kind-of-example',
    'a parameter with both',
    get({ parameters: [{ name: 'a', in: 'query', example: 1, examples: {} }] }),
    'both',
  ],
  ['open-shape-marked', 'a list of anything', withSchemas({ A: { type: 'array' } }), 'accepts any shape'],
  [
    'open-shape-marked',
    'an object that may be null',
    withSchemas({ A: { type: ['object', 'null'] } }),
    'accepts any shape',
  ],
])('%s rejects %s', (id, _what, document, says) => {
  const messages = found(id, document);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain(says);
});

test('only one rule has findings for a file that is not an OpenAPI document', () => {
  expect(rules.filter((rule) => [...rule.find(undefined)].length > 0).map(({ id }) => id)).toEqual(['openapi-version']);
});

test('no rule stumbles over a document in which everything is something else', () => {
  const odd = [null, 5, 'text', [], [null], { $ref: 5 }, { $ref: '#/nowhere' }, { a: null }];
  const holders = ['paths', 'components', 'servers', 'security', 'tags'];
  for (const value of odd) {
    for (const holder of holders)
      for (const { id } of rules) expect(() => found(id, { [holder]: value })).not.toThrow();
    const operations = {
      '/vpcs': { post: { parameters: value, requestBody: value, responses: value, security: value, tags: value } },
    };
    const schemas = { A: value, B: { properties: value, required: value, allOf: value, enum: value, type: value } };
    for (const { id } of rules) expect(() => found(id, { paths: operations, components: { schemas } })).not.toThrow();
  }
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'it is empty.'],
  ['null', null, 'it is empty.'],
  ['a string', 'hello', 'it is a string, not an object.'],
  ['another object', { hello: 'world' }, 'it has no member openapi. Expected a version such as openapi: "3.1.0".'],
  ['Swagger', { swagger: '2.0' }, 'found swagger: "2.0". Convert it to OpenAPI 3 first.'],
  ['a later version', { openapi: '4.0.0' }, 'found openapi: "4.0.0". Expected a version such as openapi: "3.1.0".'],
  ['a number', { openapi: 3.1 }, 'found openapi: 3.1, a number. Put it in quotes, with three parts: openapi: "3.1.0".'],
])('openapi-version says what it finds: %s', (_what, data, message) => {
  const rule = rules.find(({ id }) => id === 'openapi-version');
  expect([...(rule?.find(undefined, data) ?? [])].map((each) => each.message)).toEqual([
    `Not an OpenAPI 3.x document: ${message}`,
  ]);
});
