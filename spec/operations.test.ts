import { expect, test } from 'vitest';
import type { OpenApiOperation } from './openapi-document.ts';
import { documentOf } from './documents.ts';
import { eachOperation, surfaces } from './openapi-document.ts';
import { isOperationId, operation, operations } from './operations.ts';
import { scopes } from './values.ts';

/** Every documented operation, by surface. */
const documentedOperations = {
  management: [
    'PUT /agents/{agentName}',
    'POST /vpcs',
    'GET /integrations/{integrationName}',
    'POST /integrations/connections',
    'POST /functions',
    'DELETE /sandboxes/{sandboxName}/previews/{previewName}/tokens/{tokenName}',
    'DELETE /images',
    'DELETE /volume_templates/{volumeTemplateName}/versions/{versionName}',
    'GET /accounts',
    'GET /accounts/{accountId}/metrics',
    'GET /accounts/{accountId}/metrics/enums/group-by',
    'GET /accounts/{accountId}/metrics/enums/resource-types',
  ],
  host: ['POST /{workspace}/jobs/{jobName}/executions', 'GET /oauth/authorize', 'POST /oauth/token'],
  inference: [
    'POST /{workspace}/agents/{agent}',
    'POST /{workspace}/models/{model}',
    'POST /{workspace}/models/{model}/chat/completions',
    'GET /{workspace}/functions/{serverName}/mcp',
    'POST /{workspace}/functions/{serverName}/mcp',
    'DELETE /{workspace}/functions/{serverName}/mcp',
  ],
  sandbox: [
    'GET /mcp',
    'POST /mcp',
    'DELETE /mcp',
    'GET /',
    'GET /filesystem/tree/{path}',
    'PUT /filesystem/tree/{path}',
    'GET /filesystem-multipart',
    'GET /watch/filesystem/{path}',
  ],
};

test.each(surfaces)('the documented operations of the %s surface match the interface', (surface) => {
  const documented = operations.filter((each) => each.surface === surface && each.documented);
  const lines = documented.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(lines)).toEqual(new Set(documentedOperations[surface]));
  expect(lines).toHaveLength(documentedOperations[surface].length);
});

const uniform = [
  ['agents', '{agentName}'],
  ['functions', '{functionName}'],
  ['models', '{modelName}'],
  ['sandboxes', '{sandboxName}'],
  ['sandboxes/{sandboxName}/previews', '{previewName}'],
  ['jobs', '{jobName}'],
  ['volumes', '{volumeName}'],
  ['volume_templates', '{volumeTemplateName}'],
  ['vpcs', '{vpcName}'],
  ['integrations/connections', '{connectionName}'],
  ['customdomains', '{customDomainName}'],
  ['policies', '{policyName}'],
  ['images', '{imageName}'],
  ['workspaces', '{workspaceName}'],
];

test.each(uniform)('every resource of /%s can be listed, created, read, updated and deleted', (collection, item) => {
  const lines = operations
    .filter((each) => each.surface === 'management')
    .map(({ method, path }) => `${method} ${path}`);
  const wanted = ['GET', 'POST'].map((method) => `${method} /${collection}`);
  wanted.push(...['GET', 'PUT', 'DELETE'].map((method) => `${method} /${collection}/${item}`));
  expect(lines).toEqual(expect.arrayContaining(wanted));
});

test('operation ids are unique over all documents', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
});

test('every operation has a summary, a described tag, and a name for each path parameter', () => {
  for (const surface of surfaces) {
    const document = documentOf(surface) as ReturnType<typeof documentOf> & { tags: { name: string }[] };
    for (const { path, operation: entry } of eachOperation(document)) {
      const row = operation(entry.operationId as Parameters<typeof operation>[0]);
      expect(entry.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...entry.tags]));
      expect(row.pathParameters.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  }
});

test('exactly the management operations have the version header', () => {
  expect(operations.filter(({ versioned, surface }) => versioned !== (surface === 'management'))).toEqual([]);
});

test('every management operation returns 400 for an unknown version', () => {
  const silent = eachOperation(documentOf('management')).filter((each) => !speaksOfUnknownVersion(each.operation));
  expect(silent.map(({ operation: { operationId } }) => operationId)).toEqual([]);
});

function speaksOfUnknownVersion(entry: OpenApiOperation): boolean {
  return JSON.stringify(entry.responses['400'] ?? {}).includes('UnknownVersion');
}

test.each([
  ['updateAgent', ['400', '401', '403', '404', '500']],
  ['getAccountMetrics', ['400', '403']],
] as const)('%s returns the documented error statuses', (id, statuses) => {
  const entry = eachOperation(documentOf('management')).find((each) => each.operation.operationId === id)?.operation;
  expect(Object.keys(entry?.responses ?? {})).toEqual(expect.arrayContaining([...statuses]));
});

test('a management operation accepts admin, an API key, or its own scope if the interface lists one', () => {
  const document = documentOf('management');
  for (const { operation: each } of eachOperation(document)) {
    const alternatives = each.security ?? document.security;
    expect(alternatives).toEqual(expect.arrayContaining([{ oauth: ['admin'] }, { apiKey: [] }]));
  }
});

test('only the management surface requires scopes, and each is in the list', () => {
  expect(operations.filter(({ scoped, surface }) => scoped !== (surface === 'management'))).toEqual([]);
  expect(scopes).toEqual(expect.arrayContaining(operations.flatMap((each) => each.scopes)));
});

test.each([
  ['updateAgent', ['agents:update']],
  ['createFunction', ['functions:create']],
  ['createIntegrationConnection', ['integrations:create']],
  ['updateVolumeTemplate', ['volumeTemplates:upsert']],
  ['listCustomDomains', ['customdomains:list']],
  ['updateVolume', []],
  ['createVpc', []],
  ['deleteUnusedImages', []],
] as const)('%s accepts %j in addition to admin', (id, own) => {
  expect(operation(id).scopes).toEqual(own);
});

test('only OAuth endpoints require no credential, and only agents may be public', () => {
  const open = operations.filter((each) => !each.security);
  expect(open.map(({ path }) => path)).toEqual([
    '/oauth/authorize',
    '/oauth/authorize',
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/register',
    '/oauth/jwks',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-protected-resource/{path}',
    '/.well-known/oauth-protected-resource/{path}',
  ]);
  expect(operations.filter((each) => each.credentialOptional).map(({ id }) => id)).toEqual([
    'queryAgent',
    'queryAgentTrigger',
  ]);
});

test('the rest of a sandbox path may contain slashes', () => {
  expect(operation('writeTree').pathParameters).toEqual([{ name: 'path', slashes: true }]);
  expect(operation('updateAgent').pathParameters).toEqual([{ name: 'agentName', slashes: false }]);
});

test('every operation with a body has a schema for it', () => {
  expect(operation('updateAgent')).toMatchObject({ hasBody: true, bodyRequired: true, bodyType: 'application/json' });
  expect(operation('requestToken').bodyType).toBe('application/x-www-form-urlencoded');
  expect(operation('requestToken').bodyTypes).toEqual(['application/x-www-form-urlencoded', 'application/json']);
  expect(operation('listAgents')).toMatchObject({ hasBody: false, bodyRequired: false, bodyTypes: [] });
  expect(operation('listAgents')).not.toHaveProperty('bodyType');
});

test('an unknown id is not an operation', () => {
  expect(isOperationId('updateAgent')).toBe(true);
  expect(isOperationId('constructor')).toBe(false);
  expect(() => operation('nothing' as 'updateAgent')).toThrow('no operation "nothing"');
});
