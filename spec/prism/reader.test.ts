/** Prism finds what is wrong with an exchange, proves by its canaries that it looks, and is not fooled by what it trips over. */
import { describe, expect, test } from 'vitest';
import type { Surface } from '../documents.ts';
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
const answer = (id: OperationId, status: number, body: unknown, headers = {}) =>
  reader.responseFindings(id, { status, headers, body })?.map(({ in: place, at }) => `${place} ${at}`);
const request = (id: OperationId, given: Partial<SentRequest>) =>
  reader
    .requestFindings(id, { path: '/', headers: { 'content-type': 'application/json' }, body: undefined, ...given })
    .map(({ in: place, at }) => `${place} ${at}`);

describe('canaries', () => {
  test('every one is caught, and there are some for every operation that describes a body', () => {
    const { sent, caught, missed } = reader.canaries;
    expect({ caught, missed }).toEqual({ caught: sent, missed: [] });
    expect(sent).toBeGreaterThan(500);
  });

  test('nothing can be said of the success answers whose body is not shown', () => {
    const told = ({ key, id }: { key: string; id: OperationId }) => key.startsWith('2') && operation(id).documented;
    const shown = reader.canaries.nothingToSay.map((name) => {
      const [id, key] = name.split(' ') as [OperationId, string];
      return { id, key };
    });
    expect(shown.filter(told).map(({ id }) => id)).toMatchInlineSnapshot(`
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

  test('of documents in the dialect in which Prism validates nothing, every one is missed', async () => {
    const dialect = 'https://spec.openapis.org/oas/3.1/dialect/base';
    const { canaries } = await readByPrism('Svc', altered('https://json-schema.org/draft/2020-12/schema', dialect));
    expect(canaries).toMatchObject({ sent: reader.canaries.sent, caught: 0 });
    expect(canaries.missed).toContain('createVpc 200: wrong type, not detected at the body');
  });

  test('a schema that does not compile is missed, and it alone', async () => {
    const { canaries } = await readByPrism('Svc', altered('"Kind of error."', '"Kind of error.", "minLength": "one"'));
    expect(canaries.missed.length).toBeGreaterThan(0);
    expect(canaries.caught).toBeGreaterThan(0);
    expect(canaries.missed.filter((each) => each.startsWith('createVpc 200'))).toEqual([]);
    expect(canaries.missed).toContain('updateAgent 404: wrong type, not detected at the body');
  });
});

describe('an answer', () => {
  test('that fits has no findings, and is not changed', () => {
    const body = structuredClone(agent);
    expect(answer('updateAgent', 200, body)).toEqual([]);
    expect(body).toEqual(agent);
  });

  test('is wrong where it misfits, and a number is not read as a text', () => {
    expect(answer('updateAgent', 200, { metadata: { name: 5 } })).toEqual(['body ', 'body /metadata/name']);
    expect(answer('updateAgent', 404, { error: 4 })).toEqual(['body /error']);
  });

  test('without a body misfits where one is shown', () => {
    expect(answer('updateAgent', 200, undefined)).toEqual(['body ']);
  });

  test('of another 2xx status is held to the success answer that is listed', () => {
    expect(answer('updateAgent', 201, { metadata: 1, spec: {} })).toEqual(['body /metadata']);
  });

  test('of a status or a body that the documents do not show is not judged', () => {
    expect(answer('updateAgent', 418, 7)).toBeUndefined();
    expect(answer('createFunction', 200, 7)).toBeUndefined();
  });

  test.each(['application/json; charset=utf-8', 'text/plain', 'application/problem+json', 'no media type'])(
    'is judged as JSON when it comes as %s',
    (type) => {
      expect(answer('updateAgent', 200, agent, { 'content-type': type, 'x-more': '1' })).toEqual([]);
      expect(answer('updateAgent', 200, 7, { 'content-type': type })).toEqual(['body ']);
    },
  );
});

describe('a request', () => {
  test('that fits has no findings; unknown query parameters and read-only fields are passed over', () => {
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

  test('may have a comma or a slash in a parameter of its path', () => {
    expect(request('readTree', { path: '/filesystem/tree/a,b/c' })).toEqual([]);
  });

  test('has the header names of the brand', async () => {
    const headers = { 'acme-version': 'x', 'svc-version': 'x' };
    const acme = await readByPrism('Acme');
    expect(acme.requestFindings('listAgents', { path: '/agents', headers, body: undefined })).toMatchObject([
      { in: 'header', at: '/acme-version' },
    ]);
  });
});

test('an operation that the documents do not have is an error of the caller', () => {
  expect(() => answer('nothing' as OperationId, 200, {})).toThrow('"nothing"');
});
