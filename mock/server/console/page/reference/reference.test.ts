import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { documentOf } from '../../../../../spec/documents.ts';
import { eachOperation } from '../../../../../spec/openapi-document.ts';
import { credentialsOf, exportCommand } from './credentials.ts';
import { toListedOperation, matchesText } from './operations.ts';
import type { ServedDocument } from './operations.ts';
import { accessOf } from './security.ts';
import { placeOf } from './use-place.ts';

const document = documentOf('management') as ServedDocument;
const operations = eachOperation(document).map((found) => toListedOperation('management', document, found));
const references = [{ name: 'management', document, operations }] as const;

test.each([
  ['', operations.length],
  ['updateagent', 1],
  ['PUT agents', 1],
  ['no such operation', 0],
])('the filter "%s" finds %d operations', (text, count) => {
  expect(operations.filter((each) => matchesText(each, text))).toHaveLength(count);
});

test('an address names an operation, a surface, or nothing that exists', () => {
  expect(placeOf('#updateAgent', references).operation?.path).toBe('/agents/{agentName}');
  expect(placeOf('#sandbox', references)).toEqual({ surface: 'sandbox' });
  expect(placeOf('', references)).toEqual({ surface: 'management' });
  expect(placeOf('#flyAgent', references)).toEqual({ surface: 'management', unknown: 'flyAgent' });
});

test.each([
  [[], [], 'No credential.'],
  [[{ bearer: [] }, { brandHeader: [] }], [], 'An access token or an API key; no scope is documented.'],
  [[{ bearer: [] }, {}], [], 'An access token or an API key; no scope is documented. Optional.'],
  [
    [{ oauth: ['admin'] }, { apiKey: [] }],
    ['admin'],
    'An access token or an API key. An access token needs this scope:',
  ],
  [
    [{ oauth: ['admin'] }, { oauth: ['agents:update'] }],
    ['admin', 'agents:update'],
    'An access token or an API key. An access token needs one of these scopes:',
  ],
])('the access of %j', (security, scopes, sentence) => {
  expect(accessOf(security)).toEqual({ scopes, sentence });
});

test('the shell variables of credentials are those of assay mock', () => {
  const credentials = {
    admin: { value: 'a' },
    apiKey: { value: 'k' },
    workspaceAdmin: { value: 'w' },
    scoped: { 'agents:update': { value: 's' } },
  };
  const target = { name: 'mock', addresses: { management: 'http://h' }, credentials };
  expect(
    credentialsOf(target as Parameters<typeof credentialsOf>[0]).map(({ name, variable }) => [name, variable]),
  ).toEqual([
    ['admin', '$ASSAY_ADMIN_TOKEN'],
    ['apiKey', '$ASSAY_API_KEY'],
    ['workspaceAdmin', '$ASSAY_WORKSPACE_ADMIN_TOKEN'],
    ['agents:update', '$ASSAY_AGENTS_UPDATE_TOKEN'],
  ]);
});

test.each([
  [{ name: 'apiKey', keys: ['apiKey'], variable: '$ASSAY_API_KEY' }, 'k'],
  [{ name: "it's", keys: ['scoped', "it's"], variable: '$ASSAY_IT_S_TOKEN' }, 's'],
])('the command for %j sets the variable from the target of the mock', async (credential, value) => {
  const credentials = { apiKey: { value: 'k' }, scoped: { "it's": { value: 's' } } };
  const server = createServer(({ headers }, response) => {
    response.end(headers.authorization === 'Bearer c' ? JSON.stringify({ credentials }) : '{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/_mock/target`);
  const line = exportCommand({ ...credential, value }, url, true);
  const env = { ...process.env, ASSAY_CONTROL_TOKEN: 'c' };
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line}\nprintf %s "${credential.variable}"`], { env });
  server.close();
  expect(stdout).toBe(value);
});
