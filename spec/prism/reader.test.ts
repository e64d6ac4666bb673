/** Prism finds what is wrong with an exchange, proves by its canaries that it looks, and is not fooled by what it trips over. */
import { describe, expect, test } from 'vitest';
import type { Surface } from '../openapi-document.ts';
import { documentText } from '../documents.ts';
import type { OperationId } from '../operations.ts';
import { operation } from '../operations.ts';
import { readByPrism } from './reader.ts';
import type { SentRequest } from './reader-types.ts';

const reader = await readByPrism();

/** The four documents with a piece of their text replaced. */
const altered =
  (from: string, to: string) =>
  (surface: Surface): string =>
    documentText(surface).replaceAll(from, to);

const agent = { metadata: { name: 'a' }, spec: {} };
const findingsOf = (id: OperationId, status: number, body: unknown, headers = {}) =>
  reader.responseFindings(id, { status, headers, body })?.map(({ in: place, at }) => `${place} ${at}`);
const request = (id: OperationId, given: Partial<SentRequest>) =>
  reader
    .requestFindings(id, { path: '/', headers: { 'content-type': 'application/json' }, body: undefined, ...given })
    .map(({ in: place, at }) => `${place} ${at}`);

describe('self-check', () => {
  test('all invalid responses are detected, and every operation with a documented body has some', () => {
    const { sent, caught, missed } = reader.canaries;
    expect({ caught, missed }).toEqual({ caught: sent, missed: [] });
    expect(sent).toBeGreaterThan(500);
  });

  test('success responses without a documented body cannot be checked', () => {
    const isDocumentedSuccess = ({ key, id }: { key: string; id: OperationId }) =>
      key.startsWith('2') && operation(id).documented;
    const responses = reader.canaries.nothingToSay.map((name) => {
      const [id, key] = name.split(' ') as [OperationId, string];
      return { id, key };
    });
    expect(responses.filter(isDocumentedSuccess).map(({ id }) => id)).toMatchInlineSnapshot(`
      [
        "createFunction",
        "createIntegrationConnection",
        "listAccounts",
        "createJobExecution",
        "queryAgent",
        "queryModel",
        "createChatCompletion",
        "postFunctionMcp",
        "postSandboxMcp",
        "getSandboxRoot",
        "readTree",
      ]
    `);
  });

  test('with documents in a dialect in which Prism validates nothing, all are missed', async () => {
    const dialect = 'https://spec.openapis.org/oas/3.1/dialect/base';
    const { canaries } = await readByPrism('Svc', altered('https://json-schema.org/draft/2020-12/schema', dialect));
    expect(canaries).toMatchObject({ sent: reader.canaries.sent, caught: 0 });
    expect(canaries.missed).toContain('createVpc 200: wrong type, not detected at the body');
  });

  test('only the responses of a schema that does not compile are missed', async () => {
    const { canaries } = await readByPrism('Svc', altered('"Kind of error."', '"Kind of error.", "minLength": "one"'));
    expect(canaries.missed.length).toBeGreaterThan(0);
    expect(canaries.caught).toBeGreaterThan(0);
    expect(canaries.missed.filter((each) => each.startsWith('createVpc 200'))).toEqual([]);
    expect(canaries.missed).toContain('updateAgent 404: wrong type, not detected at the body');
  });
});

describe('a response', () => {
  test('is valid without findings, and is not changed', () => {
    const body = structuredClone(agent);
    expect(findingsOf('updateAgent', 200, body)).toEqual([]);
    expect(body).toEqual(agent);
  });

  test('has a finding per mismatch; numbers are not coerced to strings', () => {
    expect(findingsOf('updateAgent', 200, { metadata: { name: 5 } })).toEqual(['body ', 'body /metadata/name']);
    expect(findingsOf('updateAgent', 404, { error: 4 })).toEqual(['body /error']);
  });

  test('without a body is invalid if one is documented', () => {
    expect(findingsOf('updateAgent', 200, undefined)).toEqual(['body ']);
  });

  test('with another 2xx status is validated against the documented success response', () => {
    expect(findingsOf('updateAgent', 201, { metadata: 1, spec: {} })).toEqual(['body /metadata']);
  });

  test('with an undocumented status or body is not judged', () => {
    expect(findingsOf('updateAgent', 418, 7)).toBeUndefined();
    expect(findingsOf('createFunction', 200, 7)).toBeUndefined();
  });

  test.each(['application/json; charset=utf-8', 'text/plain', 'application/problem+json', 'no media type'])(
    'is validated as JSON with the media type %s',
    (type) => {
      expect(findingsOf('updateAgent', 200, agent, { 'content-type': type, 'x-more': '1' })).toEqual([]);
      expect(findingsOf('updateAgent', 200, 7, { 'content-type': type })).toEqual(['body ']);
    },
  );
});

describe('a request', () => {
  test('is valid without findings; unknown query parameters and read-only fields are ignored', () => {
    const metadata = { ...agent.metadata, createdAt: 7 };
    expect(request('updateAgent', { path: '/agents/a?more=1', body: { ...agent, metadata } })).toEqual([]);
  });

  test.each<[string, OperationId, Partial<SentRequest>, string[]]>([
    ['a field of a wrong type', 'updateAgent', { body: { metadata: { name: 7 }, spec: {} } }, ['body /metadata/name']],
    ['no body', 'updateAgent', {}, ['body ']],
    ['another media type', 'updateAgent', { body: agent, headers: { 'content-type': 'text/xml' } }, ['body ']],
    ['no media type at all', 'updateAgent', { headers: { 'content-type': '/' } }, ['header /content-type']],
    ['bad percent-encoding', 'updateAgent', { path: '/agents/%E0', body: agent }, ['path ']],
    [
      'missing parameters',
      'listMetricsResourceTypes',
      { path: '/accounts/a/metrics/enums/resource-types' },
      ['query ', 'query '],
    ],
  ] as const)('with %s is found', (_, id, given, found) => {
    expect(request(id, { path: '/agents/a', ...given })).toEqual(found);
  });

  test('may have a comma or a slash in a path parameter', () => {
    expect(request('readTree', { path: '/filesystem/tree/a,b/c' })).toEqual([]);
  });

  test('contains the brand in header names', async () => {
    const headers = { 'acme-version': 'x', 'svc-version': 'x' };
    const acme = await readByPrism('Acme');
    expect(acme.requestFindings('listAgents', { path: '/agents', headers, body: undefined })).toMatchObject([
      { in: 'header', at: '/acme-version' },
    ]);
  });
});

test('an unknown operation throws', () => {
  expect(() => findingsOf('nothing' as OperationId, 200, {})).toThrow('"nothing"');
});
