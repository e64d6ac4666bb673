/** What the rules accept beyond their good examples: other ways to say the same. */
import { expect, test } from 'vitest';
import { statuses } from '../values.mjs';
import type { Json } from './sample-documents.ts';
import {
  agent,
  events,
  responses,
  both,
  dimensions,
  flat,
  found,
  GADGET,
  gadgets,
  get,
  header,
  item,
  json,
  metadata,
  metrics,
  name,
  operation,
  paths,
  resource,
  returns,
  takes,
  trigger,
  withSchemas,
} from './sample-documents.ts';

/** Names longer than ours that are no names of resources of the API. */
const FOREIGN_NAMES: [string, string, Json][] = [
  ['name-length', 'the name of an API that is not ours', gadgets(flat({ maxLength: 70 }), { isOurs: false })],
  [
    'name-length',
    'the name of what is addressed by an identifier',
    gadgets(flat({ maxLength: 70 }), { parameter: 'gadgetId' }),
  ],
  ['name-length', 'a name that the service sets', gadgets(flat({ maxLength: 70, readOnly: true }))],
  [
    'name-length',
    'the name of what cannot be created',
    paths({ '/v0/gadgets/{n}': { get: returns(GADGET) } }, flat({ maxLength: 70 })),
  ],
  [
    'name-length',
    'the name of a part of a resource',
    gadgets(flat({ maxLength: 70 }), { prefix: '/v0/jobs/{jobName}' }),
  ],
  [
    'name-length',
    'the name of an action',
    paths({ '/v0/jobs/{n}/restart': { post: takes(GADGET) } }, flat({ maxLength: 70 })),
  ],
  [
    'name-length',
    'the name of an owner within something else',
    gadgets({ properties: { size: { type: 'integer' }, owner: flat({ maxLength: 70 }) } }),
  ],
  [
    'name-length',
    'the name of a Kubernetes object',
    withSchemas({
      Pod: resource({ apiVersion: {}, kind: {}, metadata: { properties: { name: { type: 'string' } } } }),
    }),
  ],
];

test.each<[string, string, Json]>([
  ['name-pattern', 'a stricter pattern', name({ pattern: '^[a-z]([a-z0-9-]*[a-z0-9])?$' })],
  ['name-pattern', 'a pattern in the older syntax', name({ pattern: String.raw`^[a-z0-9\-]+$` })],
  ['name-pattern', 'emptiness refused by minLength', name({ pattern: '^[a-z0-9-]*$', minLength: 1 })],
  [
    'name-length',
    'a name that is a schema of its own',
    withSchemas({
      Vpc: resource({ metadata: { properties: { name: { $ref: '#/components/schemas/Name' } } } }),
      Name: { type: 'string', maxLength: 49 },
    }),
  ],
  ['known-methods', 'extensions, and every field of OpenAPI 3.1', item({ 'x-owner': {}, summary: 'A.', trace: {} })],
  [
    'known-methods',
    'query and additional operations in OpenAPI 3.2',
    item({ query: {}, additionalOperations: { COPY: {}, 'x-a': {} } }, '3.2.0'),
  ],
  ['known-methods', 'an extension next to the paths', { paths: { 'x-fetch': { fetch: {} } } }],
  ...FOREIGN_NAMES,
  [
    'status-values',
    'the status of something flat that is no deployment',
    gadgets({ ...flat({}), properties: { ...flat({}).properties, status: { enum: ['on', 'off'] } } }),
  ],
  [
    'metadata-read-only',
    'the url of a flat resource, which the client sets',
    gadgets({ properties: { ...flat({}).properties, url: { type: 'string' } } }),
  ],
  ['name-length', 'a length by pattern', name({ pattern: '^[a-z0-9-]{1,49}$' })],
  ['name-length', 'a length by a lookahead', name({ pattern: '^(?=.{1,49}$)[a-z0-9-]+$' })],
  [
    'name-length',
    'a limit in one part of allOf',
    name({ allOf: [{ maxLength: 63 }, { maxLength: 49 }], pattern: '^[a-z0-9-]+$' }),
  ],
  ['display-name', 'a length by pattern', metadata({ displayName: { type: 'string', pattern: '^.{1,63}$' } })],
  ['trigger-timeout', 'an exclusive bound', trigger({ timeout: { type: 'integer', exclusiveMaximum: 901 } })],
  [
    'trigger-timeout',
    'an exclusive bound of OpenAPI 3.0',
    { ...trigger({ timeout: { type: 'integer', maximum: 901, exclusiveMaximum: true } }), openapi: '3.0.3' },
  ],
  ['trigger-timeout', 'every value', trigger({ timeout: { enum: Array.from({ length: 901 }, (_, value) => value) } })],
  [
    'status-values',
    'an enum as constants',
    withSchemas({ Vpc: resource({ status: { oneOf: statuses.map((each) => ({ const: each, title: each })) } }) }),
  ],
  [
    'status-values',
    'an enum in parts',
    withSchemas({
      Vpc: resource({ status: { anyOf: [{ enum: statuses.slice(3) }, { enum: statuses.slice(0, 3) }] } }),
    }),
  ],
  [
    'generation-values',
    'an enum as a pattern',
    agent({ runtime: { properties: { generation: { pattern: '^mk[23]$' } } } }),
  ],
  [
    'labels',
    'values by pattern of the keys',
    metadata({ labels: { type: 'object', patternProperties: { '^[a-z]+$': { type: 'string' } } } }),
  ],
  ['name-immutable', 'other words', name({ description: 'Cannot be changed after creation.' })],
  ['name-required', 'metadata marked x-not-shown', metadata({}, { 'x-not-shown': true })],
  [
    'labels',
    'values that are a schema of their own',
    withSchemas({
      Vpc: resource({
        metadata: {
          properties: { labels: { type: 'object', additionalProperties: { $ref: '#/components/schemas/L' } } },
        },
      }),
      L: { type: 'string' },
    }),
  ],
  [
    'metadata-read-only',
    'readOnly in the schema referred to',
    withSchemas({
      Vpc: resource({ metadata: { properties: { createdAt: { $ref: '#/components/schemas/Time' } } } }),
      Time: { type: 'string', readOnly: true },
    }),
  ],
  [
    'envelope-read-only',
    'readOnly next to allOf, as OpenAPI 3.0 requires',
    withSchemas(
      {
        Vpc: resource({ status: { readOnly: true, allOf: [{ $ref: '#/components/schemas/S' }] } }),
        S: { type: 'string' },
      },
      '3.0.3',
    ),
  ],
  [
    'envelope-required',
    'a resource marked x-not-shown',
    withSchemas({ Vpc: { ...resource({}), 'x-not-shown': true } }),
  ],
  [
    'event-records',
    'a field that may be null',
    withSchemas({ Vpc: resource({ events: events({ type: ['string', 'null'] }) }) }),
  ],
  [
    'trigger-schedule',
    'five fields by pattern',
    trigger({ schedule: { type: 'string', pattern: String.raw`^\S+( \S+){4}$` } }),
  ],
  [
    'trigger-timeout',
    'a timeout of something else',
    withSchemas({ Job: resource({ spec: { properties: { timeout: { type: 'string' } } } }) }),
  ],
  [
    'mount-path',
    'absolute by pattern',
    agent({ volumes: { items: { properties: { mountPath: { type: 'string', pattern: '^/' } } } } }),
  ],
  [
    'credential-required',
    'the token endpoint without a credential',
    operation('/oauth/token', 'post', { security: [] }),
  ],
  ['credential-required', 'the root of a sandbox without a credential', operation('/', 'get', { security: [] })],
  [
    'credential-required',
    'an agent that may be public',
    operation('/{w}/agents/{a}', 'post', { security: [{ key: [] }, {}] }),
  ],
  ['credential-required', 'an operation that is not in the interface', operation('/healthz', 'get', { security: [] })],
  ...['credential-required', 'version-header', 'version-refused'].map((id): [string, string, Json] => [
    id,
    'a public health check next to the management API',
    operation('/v0/health', 'get', { security: [] }),
  ]),
  ['both-credentials', 'security of the whole document', get({}, { security: both })],
  [
    'both-credentials',
    'metrics with one kind of Bearer credential',
    operation('/accounts/{id}/metrics', 'get', { security: [{ key: [] }] }),
  ],
  ['both-credentials', 'a sandbox with one kind', operation('/mcp', 'post', { security: [{ key: [] }] })],
  [
    'credential-in-header',
    'the plain Authorization header',
    { components: { securitySchemes: { a: { type: 'apiKey', in: 'header', name: 'Authorization' } } } },
  ],
  [
    'oauth-flows',
    'absolute addresses',
    {
      components: {
        securitySchemes: {
          oauth: {
            type: 'oauth2',
            flows: {
              authorizationCode: {
                authorizationUrl: 'https://h.example/oauth/authorize',
                tokenUrl: 'https://h.example/oauth/token',
              },
              clientCredentials: { tokenUrl: 'https://h.example/oauth/token' },
            },
          },
        },
      },
    },
  ],
  [
    'scope-form',
    'a scope of a resource that the interface does not list',
    get({ security: [{ oauth: ['gadgets:read'] }] }),
  ],
  ['one-scope-each', 'the scopes of a sandbox call', operation('/mcp', 'post', { security: [{ oauth: [] }] })],
  [
    'path-prefix',
    'the prefix in the paths',
    { servers: [{ url: 'https://h.example' }], ...operation('/v0/vpcs', 'get', {}) },
  ],
  [
    'path-prefix',
    'the prefix by a variable',
    { servers: [{ url: '{base}', variables: { base: { default: 'https://h.example/v0' } } }], ...get({}) },
  ],
  ['path-prefix', 'no server at all', get({})],
  ['version-header', 'another brand and letter case', get({ parameters: [{ name: 'acme-version', in: 'header' }] })],
  [
    'version-header',
    'a header of the path',
    { paths: { '/vpcs': { get: {}, parameters: [{ name: 'Svc-Version', in: 'header' }] } } },
  ],
  ['version-header', 'an inference call without it', operation('/{w}/models/{m}', 'post', {})],
  [
    'version-values',
    'an enum of versions',
    get(header({ type: 'string', enum: ['2026-04-16', '2026-09-01.preview'] })),
  ],
  [
    'version-refused',
    'the error named in a schema',
    get(responses({ 400: json({ properties: { error: { const: 'invalid_api_version' } } }) })),
  ],
  [
    'version-refused',
    'a range of statuses',
    get(responses({ '4XX': { description: 'invalid_api_version and others' } })),
  ],
  [
    'workspace-header',
    'the creation of a workspace',
    operation('/workspaces', 'post', { requestBody: json(resource({})) }),
  ],
  [
    'workspace-header',
    'a POST that creates no resource',
    operation('/jobs/{n}/executions', 'post', { requestBody: json({ type: 'object' }) }),
  ],
  [
    'one-brand',
    'a version of something else',
    get({
      parameters: ['Schema-Version', 'Svc-Version', 'X-Svc-Workspace', 'X-Version'].map((each) => ({
        name: each,
        in: 'header',
      })),
    }),
  ],
  [
    'version-values',
    'a version of something else',
    get({
      parameters: [
        { name: 'Schema-Version', in: 'header', schema: { type: 'integer' } },
        { name: 'Svc-Version', in: 'header', schema: { type: 'string' } },
      ],
      security: [{ brand: [] }],
    }),
  ],
  ['path-prefix', 'an address that is none', { servers: [{ url: 'http://[' }], ...get({}) }],
  [
    'one-brand',
    'headers of no brand',
    get({
      parameters: [
        { name: 'X-Request-Id', in: 'header' },
        { name: 'Svc-Version', in: 'header' },
      ],
    }),
  ],
  [
    'management-error-body',
    'the message of a metrics 403 alone',
    operation(
      '/accounts/{id}/metrics',
      'get',
      responses({ 403: json({ properties: { message: { type: 'string' } } }) }),
    ),
  ],
  [
    'management-error-body',
    'alternatives of which one is marked x-not-shown',
    get(
      responses({ 400: json({ anyOf: [{ properties: { message: { type: 'string' } } }, { 'x-not-shown': true }] }) }),
    ),
  ],
  [
    'management-error-body',
    'an error without code',
    get(responses({ 400: json({ required: ['error'], properties: { error: { type: 'string' } } }) })),
  ],
  ['error-is-json', 'problem details', get(responses({ 400: { content: { 'application/problem+json': {} } } }))],
  ['error-is-json', 'an error without a body', get(responses({ 400: { description: 'Bad.' } }))],
  [
    'error-is-json',
    'text of an inference call',
    operation('/{w}/models/{m}', 'post', responses({ 500: { content: { 'text/plain': {} } } })),
  ],
  [
    'metrics-group-by',
    'a list that is sent with commas',
    metrics({
      name: 'groupBy',
      explode: false,
      schema: { type: 'array', maxItems: 3, uniqueItems: true, items: { enum: dimensions } },
    }),
  ],
  [
    'metrics-group-by-duplicates',
    'a list of unique items',
    metrics({ name: 'groupBy', schema: { type: 'array', uniqueItems: true } }),
  ],
  [
    'metrics-limit-clamped',
    'other words',
    metrics({ name: 'limit', description: 'At most 100; a larger value is treated as 100.' }),
  ],
  [
    'metrics-filters',
    'a filter that may be null',
    metrics({ name: 'resourceName', schema: { type: ['string', 'null'] } }),
  ],
  ['operation-id', 'a verb alone', get({ operationId: 'authorize' })],
  ['operation-id', 'a noun that ends like a verb', get({ operationId: 'readTarget' })],
  [
    'schema-description',
    'a description next to a reference',
    withSchemas({ A: { $ref: '#/components/schemas/B', description: 'A.' }, B: { description: 'B.' } }),
  ],
  ['body-example', 'an example in the schema', get(responses({ 200: json({ type: 'object', examples: [{}] }) }))],
  ['body-example', 'all properties have examples', get(returns({ items: { properties: { a: { example: 1 } } } }))],
  ['body-example', 'a response without a body', get(responses({ 204: { description: 'Gone.' } }))],
  ['no-nullable', 'nullable in OpenAPI 3.0', withSchemas({ A: { type: 'string', nullable: true } }, '3.0.3')],
  ['no-nullable', 'a property of that name', withSchemas({ A: { properties: { nullable: { type: 'boolean' } } } })],
  [
    'no-boolean-bounds',
    'a bound that is a boolean in OpenAPI 3.0',
    withSchemas({ A: { minimum: 0, exclusiveMinimum: true } }, '3.0.3'),
  ],
  [
    'beside-reference',
    'a description next to a reference in OpenAPI 3.1',
    withSchemas({ A: { $ref: '#/components/schemas/B', description: 'A.' }, B: {} }),
  ],
  ['open-shape-marked', 'any value on purpose', withSchemas({ A: { 'x-not-shown': true } })],
  ['open-shape-marked', 'free keys', withSchemas({ A: { type: 'object', additionalProperties: true } })],
  ['open-shape-marked', 'true and false', withSchemas({ A: { properties: { a: true }, additionalProperties: false } })],
])('%s accepts %s', (id, _what, document) => {
  expect(found(id, document)).toEqual([]);
});
