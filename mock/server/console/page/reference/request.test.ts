import { expect, test } from 'vitest';
import { documentOf } from '../../../../../spec/documents.ts';
import { eachOperation } from '../../../../../spec/openapi-document.ts';
import type { Surface } from '../../../../../spec/openapi-document.ts';
import { toListedOperation } from './operations.ts';
import { bodyText, buildRequest, compactJson, initialFields } from './request.ts';

function operationOf(surface: Surface, id: string) {
  const document = documentOf(surface);
  const found = eachOperation(document).find(({ operation }) => operation.operationId === id);
  if (found === undefined) throw new Error(`There is no ${id}.`);
  return toListedOperation(surface, document, found);
}

const server = { url: '/v0' };
const build = (id: string, fields: Record<string, string>, more: { body?: string; contentType?: string } = {}) =>
  buildRequest(operationOf('management', id), server, { fields, authorization: 'Bearer t', ...more }, 'http://h');

test('parameters are in the path, the query and headers', () => {
  expect(build('getAgent', { agentName: 'a/b c', 'X-Svc-Workspace': 'demo', 'Svc-Version': '' })).toEqual({
    method: 'GET',
    url: 'http://h/v0/agents/a%2Fb%20c',
    headers: { Authorization: 'Bearer t', 'X-Svc-Workspace': 'demo' },
  });
  expect(build('getAccountMetrics', { accountId: 'acc', startTime: '2026-01-01T00:00:00Z', groupBy: 'a,b' }).url).toBe(
    'http://h/v0/accounts/acc/metrics?startTime=2026-01-01T00%3A00%3A00Z&groupBy=a%2Cb',
  );
});

test('a body has its content type, and an empty one is not sent', () => {
  const body = { body: '{}', contentType: 'application/json' };
  expect(build('updateAgent', { agentName: 'a' }, body)).toMatchObject({
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  });
  const empty = build('updateAgent', { agentName: 'a' }, { ...body, body: '' });
  expect([empty.body, empty.headers]).toEqual([undefined, { Authorization: 'Bearer t' }]);
});

test('variables of the server are filled in, and a path that may contain slashes keeps them', () => {
  const sandbox = {
    url: '/sandbox/{workspace}/{sandbox}',
    variables: { workspace: { default: 'demo' }, sandbox: { default: 'demo-box' } },
  };
  const operation = operationOf('sandbox', 'readTree');
  const fields = { ...initialFields(operation, sandbox), path: 'a b/c' };
  expect(fields).toMatchObject({ workspace: 'demo', sandbox: 'demo-box' });
  expect(buildRequest(operation, sandbox, { fields, authorization: '' }, 'http://h')).toEqual({
    method: 'GET',
    url: 'http://h/sandbox/demo/demo-box/filesystem/tree/a%20b/c',
    headers: {},
  });
});

test.each([
  ['sandbox', 'postSandboxMcp', 'application/json, text/event-stream'],
  ['sandbox', 'watchDirectory', 'text/plain'],
  ['sandbox', 'readFile', undefined],
  ['management', 'getAgent', undefined],
] satisfies [Surface, string, unknown][])('of the %s API, %s accepts %s', (surface, id, accept) => {
  const { headers } = buildRequest(
    operationOf(surface, id),
    { url: '' },
    { fields: {}, authorization: '' },
    'http://h',
  );
  expect(headers['Accept']).toBe(accept);
});

test('required parameters begin with their examples, optional ones empty', () => {
  expect(initialFields(operationOf('management', 'getAgent'), server)).toEqual({ agentName: 'demo-agent' });
});

test.each([
  [{ a: 1 }, 'application/json', '{\n  "a": 1\n}'],
  [{ a: 'b c', d: 'e' }, 'application/x-www-form-urlencoded', 'a=b+c&d=e'],
  ['bytes', 'application/octet-stream', 'bytes'],
])('the text of %j as %s', (value, type, text) => {
  expect(bodyText(value, type)).toBe(text);
});

test('a form with a file is sent as the mock reads it', async () => {
  const contentType = 'multipart/form-data';
  const operation = operationOf('sandbox', 'uploadMultipartPart');
  const body = bodyText({ file: 'two\nlines' }, contentType);
  const sent = buildRequest(operation, { url: '' }, { fields: {}, authorization: '', body, contentType }, 'http://h');
  const form = await new Response(sent.body, {
    headers: { 'content-type': String(sent.headers['Content-Type']) },
  }).formData();
  expect(await (form.get('file') as File).text()).toBe('two\r\nlines');
});

test.each([
  ['{\n  "a b": [1,  2e0]\n}', '{"a b":[1,2e0]}'],
  ['{"a": " \\" x\\\\", "a": 12345678901234567890}', '{"a":" \\" x\\\\","a":12345678901234567890}'],
  ['{ not JSON', '{ not JSON'],
])('%j is compacted to %j', (text, compact) => {
  expect(compactJson(text)).toBe(compact);
});
