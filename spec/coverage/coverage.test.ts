import { expect, test } from 'vitest';
import type { OpenApiDocument } from '../openapi-document.ts';
import { documentOf } from '../documents.ts';
import { surfaces } from '../openapi-document.ts';
import { modelOf } from '../ruleset/document/model.mjs';
import { property, propertyNames } from '../ruleset/document/schema.mjs';
import type { Schema } from '../ruleset/document/schema.mjs';
import { coverageOf, documentedOperations } from './coverage.ts';
import { rows } from './part-requirements.ts';

function covered(document: unknown) {
  const model = modelOf(document, null, () => undefined);
  if (model === undefined) throw new Error('This is no document.');
  return coverageOf(model);
}

/** Our own management document, changed. */
function changed(change: (document: OpenApiDocument) => void) {
  const document = structuredClone(documentOf('management'));
  change(document);
  return covered(document).lacks;
}

const schemaOf = ({ components }: OpenApiDocument, name: string) => components.schemas[name] ?? {};
const putAgent = (document: OpenApiDocument) => document.paths['/agents/{agentName}']?.put;

test.each(surfaces)('our own %s document covers its whole surface', (surface) => {
  const { operations, lacks } = covered(documentOf(surface));
  const { length } = documentedOperations(surface);
  expect(length).toBeGreaterThan(2);
  expect({ operations, lacks }).toEqual({ operations: { [surface]: { shown: length, covered: length } }, lacks: [] });
});

test('a surface without operations in a document is not reported', () => {
  const { operations } = covered(documentOf('host'));
  expect(Object.keys(operations)).toEqual(['host']);
});

test.each([{}, { '/pets': { get: {} } }])(
  'a document without operations of the interface lacks all of them: %j',
  (paths) => {
    const { operations, lacks } = covered({ openapi: '3.1.0', paths });
    expect(operations).toEqual({});
    expect(lacks.map(({ message }) => message)).toEqual([
      'The document has none of the operations that the interface shows.',
    ]);
  },
);

test('a missing operation is listed with its requirements', () => {
  const lacks = changed((document) => delete document.paths['/vpcs']?.post);
  expect(lacks).toHaveLength(1);
  expect(lacks[0]).toMatchObject({
    message: 'The document has no POST /vpcs (management, createVpc).',
    path: ['paths'],
  });
  expect(lacks[0]?.requirements).toContain('vpcs.create.answers-resource');
});

test('operations are matched by path, regardless of the prefix of a document', () => {
  const { paths, ...rest } = documentOf('management');
  const prefixed = Object.fromEntries(Object.entries(paths).map(([path, item]) => [`/v0${path}`, item]));
  expect(covered({ ...rest, servers: [{ url: 'https://api.example.com' }], paths: prefixed })).toMatchObject({
    operations: { management: { covered: 12 } },
    lacks: [],
  });
});

test('a missing field is reported once, with its requirement', () => {
  const lacks = changed((document) => delete schemaOf(document, 'TriggerConfiguration').properties?.['timeout']);
  expect(lacks).toMatchObject([
    {
      message:
        'PUT /agents/{agentName}: the field spec.triggers[].configuration.timeout of the response 200 is missing.',
      requirements: ['agents.triggers.timeout-at-most-900', 'agents.triggers.timeout-mk3-only'],
    },
  ]);
});

test('a field of another type is reported', () => {
  const lacks = changed((document) => {
    const { properties = {} } = schemaOf(document, 'AgentRuntime');
    properties['memory'] = { type: 'string', description: 'Memory.' };
  });
  expect(lacks.map(({ message }) => message)).toEqual([
    'PUT /agents/{agentName}: the field spec.runtime.memory of the response 200 is of type string, not integer.',
  ]);
});

test('a missing parameter, response and scope are reported', () => {
  const lacks = changed((document) => {
    const agent = putAgent(document);
    if (agent === undefined) throw new Error('The agent is gone.');
    delete agent.responses['404'];
    agent.security = [{ oauth: ['admin'] }];
    const metrics = document.paths['/accounts/{accountId}/metrics']?.get;
    if (metrics !== undefined)
      metrics.parameters = metrics.parameters?.filter((each) => !JSON.stringify(each).includes('"cursor"')) ?? [];
  });
  expect(lacks.map(({ message, requirements }) => [message, requirements[0]])).toEqual([
    [
      'PUT /agents/{agentName}: the scope agents:update is not accepted.',
      'auth.scopes.update-agent-accepts-agents-update',
    ],
    ['GET /accounts/{accountId}/metrics: the query parameter cursor is missing.', 'metrics.pagination.limit-clamped'],
    ['PUT /agents/{agentName}: the response 404 is missing.', 'agents.update.unknown-404'],
  ]);
});

test('fields set by the service are not expected in a request with its own schema', () => {
  const lacks = changed((document) => {
    const { schemas } = document.components;
    const { status: _status, events: _events, ...kept } = schemaOf(document, 'Agent').properties ?? {};
    schemas['AgentToWrite'] = { ...schemaOf(document, 'Agent'), properties: kept };
    const body = putAgent(document);
    if (body !== undefined) {
      body.requestBody = { content: { 'application/json': { schema: { $ref: '#/components/schemas/AgentToWrite' } } } };
    }
  });
  expect(lacks).toEqual([]);
});

test('headers match regardless of brand and letter case', () => {
  const text = JSON.stringify(documentOf('management')).replaceAll('"Svc-Version"', '"acme-version"');
  expect(covered(JSON.parse(text)).lacks).toEqual([]);
});

test('a success with an undocumented body may have any status', () => {
  const lacks = changed((document) => {
    const responses = document.paths['/functions']?.post?.responses;
    if (responses !== undefined) Object.assign(responses, { 201: responses['200'] });
    delete responses?.['200'];
  });
  expect(lacks).toEqual([]);
});

test('a recursive type is compared completely', () => {
  const lacks = changed((document) => {
    const { properties = {} } = schemaOf(document, 'AgentSpec');
    properties['repository'] = { type: 'object', properties: { url: { $ref: '#/components/schemas/AgentSpec' } } };
  });
  expect(lacks.map(({ message }) => message)).toEqual([
    'PUT /agents/{agentName}: the field spec.repository.type of the response 200 is missing.',
    'PUT /agents/{agentName}: the field spec.repository.url of the response 200 is of type object, not string.',
  ]);
});

/** Every part that a lack may name. */
function parts(): string[] {
  return surfaces
    .flatMap((surface) => documentedOperations(surface))
    .flatMap(({ id, parameters, requestBody, responses }) => [
      `${id} scope admin`,
      `${id} scope agents:update`,
      ...parameters.map(({ in: where, name }) => `${id} ${where} ${name}`),
      ...responses.flatMap(({ status, contents }) => [
        `${id} response ${status}`,
        ...contents.flatMap(({ schema }) => fieldsOf(schema).map((field) => `${id} response ${status} ${field}`)),
      ]),
      ...(requestBody?.contents ?? []).flatMap(({ schema }) =>
        fieldsOf(schema).map((field) => `${id} request ${field}`),
      ),
    ]);
}

function fieldsOf(schema: Schema | undefined, at = '', depth = 0): string[] {
  if (schema === undefined || depth > 8) return [];
  const named = propertyNames(schema).map((name) => [at === '' ? name : `${at}.${name}`, name] as const);
  return [
    at,
    ...named.flatMap(([field, name]) => fieldsOf(property(schema, name), field, depth + 1)),
    ...fieldsOf(property(schema, '[]'), `${at}[]`, depth + 1),
  ];
}

test('every row of requirements is the first match for some part of an operation', () => {
  const reached = new Set(parts().map((part) => rows.find(([form]) => form.test(part))));
  expect(rows.filter((row) => !reached.has(row)).map(([form]) => String(form))).toEqual([]);
});
