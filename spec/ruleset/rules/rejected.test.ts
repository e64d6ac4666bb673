/** What the rules reject beyond their bad examples, and what they have nothing to say about. */
import { expect, test } from 'vitest';
import { statuses } from '../values.mjs';
import { rules } from './index.mjs';
import type { Json } from './sample-documents.ts';
import {
  both,
  responses,
  dimensions,
  events,
  flat,
  found,
  GADGET,
  gadgets,
  get,
  header,
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
    'has READY, BROKEN, which are not documented. Gadget is a resource:',
  ],
  [
    'status-values',
    'the status of a resource outside of the prefix, with most of the deployment statuses',
    gadgets(renamed({}, { status: { enum: [...statuses.slice(1), 'READY'] } }), { prefix: '', isOurs: false }),
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
      E: events({ type: 'integer' }),
    }),
    '"time"',
  ],
  [
    'trigger-timeout',
    'a timeout without an end',
    trigger({ timeout: { type: 'integer' } }),
    '(seconds); it is missing',
  ],
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
    {
      paths: { '/v0/gadgets': { get: { security: [] } }, '/v0/gadgets/{name}': { get: { security: both } } },
      components: { securitySchemes: schemes },
    },
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
    {
      paths: {
        '/vpcs': {
          get: {
            parameters: [
              { name: 'X-Acme-Workspace', in: 'header' },
              { name: 'X-Acme-Authorization', in: 'header' },
            ],
          },
        },
      },
    },
    'the header Acme-Version.',
  ],
  [
    'version-header',
    'a version header that other operations use',
    operation(
      '/integrations/connections',
      'post',
      {},
      { components: { parameters: { V: { name: 'Svc-Version', in: 'header' } } } },
    ),
    'the header Svc-Version.',
  ],
  [
    'version-header',
    'no brand',
    { paths: { '/integrations/connections': { post: {} } } },
    'the header <Brand>-Version.',
  ],
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
    { components: { securitySchemes: { ...schemes, a: { type: 'http', scheme: 'basic' } } } },
    '"a"',
  ],
  [
    'oauth-flows',
    'another token address',
    {
      components: {
        securitySchemes: {
          brand: schemes.brand,
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
