import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Agent } from './generated/types.ts';
import type { OperationId } from './operations.ts';
import { operations } from './operations.ts';
import { bodyFindings, replyFindings, schemaFindings } from './validators.ts';

const agent: Agent = { metadata: { name: 'demo-agent' }, spec: { runtime: { generation: 'mk3' } } };

function says(id: Parameters<typeof bodyFindings>[0], body: unknown): string[] {
  return bodyFindings(id, body).map((finding) => finding.says);
}

test('a valid body has no findings', () => {
  expect(bodyFindings('updateAgent', agent)).toEqual([]);
});

test('unknown fields are allowed', () => {
  expect(bodyFindings('updateAgent', { ...agent, more: 1, spec: { more: [] } })).toEqual([]);
});

test('a finding names the place, what is allowed and what was found', () => {
  const body = { ...agent, spec: { runtime: { generation: 'mk4' } } };
  expect(bodyFindings('updateAgent', body)).toEqual([
    {
      at: '/spec/runtime/generation',
      found: '"mk4"',
      allowed: 'one of "mk2", "mk3"',
      says: '/spec/runtime/generation must be one of "mk2", "mk3"; found "mk4"',
      keyword: 'enum',
    },
  ]);
});

test.each([
  [{ spec: {} }, '/metadata is required and missing'],
  [[], 'the body must be an object; found an array'],
  [null, 'the body must be an object; found null'],
  [{ metadata: { name: '' }, spec: {} }, '/metadata/name must be at least 1 character long; found ""'],
  [
    { metadata: { name: 'a'.repeat(50) }, spec: {} },
    `/metadata/name must be at most 49 characters long; found "${'a'.repeat(50)}"`,
  ],
  [
    { metadata: { name: 'My_agent' }, spec: {} },
    '/metadata/name must be lowercase letters a to z, digits and hyphens; found "My_agent"',
  ],
  [
    { metadata: { name: 'a', displayName: 'x'.repeat(200) }, spec: {} },
    '/metadata/displayName must be at most 63 characters long; found a string of 200 characters',
  ],
  [{ metadata: { name: 'a', labels: { 'a/b': 1 } }, spec: {} }, '/metadata/labels/a~1b must be a string; found 1'],
])('%j is rejected: %s', (body, sentence) => {
  expect(says('updateAgent', body)).toContain(sentence);
});

test('every error of a body is found, not only the first', () => {
  const triggers = [{ type: 'cron', configuration: { timeout: 901, schedule: '* * *' } }];
  expect(says('updateAgent', { ...agent, spec: { enabled: 'yes', triggers } })).toEqual([
    '/spec/enabled must be a boolean; found "yes"',
    '/spec/triggers/0/configuration/schedule must be a cron expression of five fields, such as "0 9 * * 1"; found "* * *"',
    '/spec/triggers/0/configuration/timeout must be at most 900 seconds; found 901',
  ]);
});

test.each<[string, OperationId, object]>([
  ['the whole of what is secret', 'createIntegrationConnection', { integration: 'x', secret: 'sesame' }],
  ['an environment variable', 'updateAgent', { runtime: { envs: ['A=sesame'] } }],
  ['all of them', 'updateAgent', { runtime: { envs: 'A=sesame' } }],
  ['the value of one', 'updateAgent', { runtime: { envs: [{ name: 'A', value: ['sesame'], secret: true }] } }],
  ['what has a secret in it', 'updateAgent', { triggers: [{ type: 'http-async', configuration: 'sesame' }] }],
])('%s is not quoted where it has another type', (_, id, spec) => {
  const found = bodyFindings(id, { metadata: { name: 'a' }, spec });
  expect(found.length).toBeGreaterThan(0);
  expect(JSON.stringify(found)).not.toContain('sesame');
});

test('a secret is never quoted', () => {
  const spec = { integration: 'x', secret: { KEY: 4711 } };
  expect(says('createIntegrationConnection', { metadata: { name: 'a' }, spec })).toEqual([
    '/spec/secret/KEY must be a string; found a number',
  ]);
});

test('read-only fields of a request are ignored', () => {
  const metadata = { name: 'a', createdAt: 1, updatedAt: {}, createdBy: [], plan: 2, url: 3, workspace: null };
  const triggers = [{ configuration: { callbackSecret: 1 } }];
  expect(bodyFindings('updateAgent', { metadata, spec: { triggers }, status: 'X', events: 'none' })).toEqual([]);
});

test('a field named readOnly is not a read-only field', () => {
  expect(says('updateAgent', { ...agent, spec: { volumes: [{ readOnly: 'no' }] } })).toEqual([
    '/spec/volumes/0/readOnly must be a boolean; found "no"',
  ]);
});

test('read-only fields of a response are validated', () => {
  expect(replyFindings('updateAgent', 200, { ...agent, status: 'RESTING' })).toMatchObject([{ at: '/status' }]);
});

test.each([
  [200, 2],
  [201, 2],
  [404, 1],
  [418, 0],
])('a response %i is validated against the document', (status, amount) => {
  expect(replyFindings('updateAgent', status, {})).toHaveLength(amount);
});

test('undocumented fields may have any value', () => {
  for (const body of [null, 1, 'x', [], {}]) {
    expect(replyFindings('createFunction', 200, body)).toEqual([]);
    expect(replyFindings('createVpc', 418, body)).toEqual([]);
    expect(bodyFindings('queryModel', body)).toEqual([]);
  }
});

test('a timestamp must be one of RFC 3339', () => {
  const point = { cost: 0, timestamp: '2026-02-30T00:00:00Z' };
  expect(schemaFindings('management', 'AccountMetricsPoint', point)).toMatchObject([
    { at: '/timestamp', allowed: 'an RFC 3339 timestamp, such as 2026-04-16T00:00:00Z' },
  ]);
});

test.each(operations)('every request and response body of $id can be validated', ({ id }) => {
  const statuses = [200, 202, 204, 302, 400, 401, 403, 404, 500];
  const judge = () => [bodyFindings(id, {}), ...statuses.map((status) => replyFindings(id, status, {}))];
  expect(judge).not.toThrow();
});

test('a body is not validated if none is documented', () => {
  expect(bodyFindings('listAgents', 'anything')).toEqual([]);
});

test('Ajv is loaded only when the first body is validated', () => {
  const program = `
    const { bodyFindings } = await import(${JSON.stringify(new URL('validators.ts', import.meta.url).href)});
    const { Module } = await import('node:module');
    const loaded = () => Object.keys(Module._cache).some((file) => file.includes('/ajv/'));
    const before = loaded();
    bodyFindings('updateAgent', {});
    console.log(before, loaded());`;
  const parameters = ['--input-type=module', '--eval', program];
  expect(execFileSync(process.execPath, parameters, { encoding: 'utf8' }).trim()).toBe('false true');
});

test('null in a response is an omitted field: invalid if required, and in arrays', () => {
  const body = { metadata: { name: 'a', labels: null }, spec: { policies: null }, status: null, events: null };
  expect(replyFindings('updateAgent', 200, body)).toEqual([]);
  expect(replyFindings('updateAgent', 200, { ...body, metadata: null })).not.toEqual([]);
  expect(replyFindings('updateAgent', 200, { ...body, spec: { policies: [null] } })).not.toEqual([]);
});

test('an empty string in a response may stand for an omitted string, but not for a required one', () => {
  const trigger = { type: 'http', configuration: { schedule: '' } };
  const body = { metadata: { name: 'a' }, spec: { triggers: [trigger] } };
  expect(replyFindings('updateAgent', 200, body)).toEqual([]);
  expect(bodyFindings('updateAgent', body)).not.toEqual([]);
  expect(replyFindings('updateAgent', 200, { ...body, metadata: { name: '' } })).not.toEqual([]);
});

test('a long list of wrong values takes milliseconds, and its first error is found', () => {
  const count = 199_000;
  const started = performance.now();
  const found = replyFindings('getAccountMetrics', 200, { data: Array.from({ length: count }, () => 0), meta: {} });
  expect(found).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(10_000); // it took minutes
});
