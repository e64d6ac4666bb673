/** What the rules for the form of a document reject beyond their bad examples. */
import { expect, test } from 'vitest';
import { rules } from './index.mjs';
import type { Json } from './sample-documents.ts';
import { found, item } from './sample-documents.ts';

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
  [
    'known-methods',
    'a misspelt method',
    item({ puts: {} }),
    'Unknown method "puts" in a path item. Did you mean "put"?',
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
])('%s rejects %s', (id, _what, document, says) => {
  const messages = found(id, document);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain(says);
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
