/** What a document may mean without saying it in the usual way: labels of strings, and errors of which nothing is documented. */
import { expect, test } from 'vitest';
import type { Json } from './sample-documents.ts';
import { found, get, metadata, operation, responses } from './sample-documents.ts';

const TEXT = { type: 'string' };
const TEXTS = { additionalProperties: TEXT };

test.each<[string, Json]>([
  ['unevaluatedProperties', { unevaluatedProperties: TEXT }],
  ['unevaluatedProperties next to a part', { allOf: [{ properties: { team: TEXT } }], unevaluatedProperties: TEXT }],
  ['patterns, of which one is for all keys', { patternProperties: { '^': TEXT, '^n-': { maxLength: 9 } } }],
  ['a pattern of keys that are refused', { patternProperties: { '^svc-': false }, ...TEXTS }],
  ['a part that is only about the length', { allOf: [{ patternProperties: { '^n-': { maxLength: 9 } } }, TEXTS] }],
  ['constants for keys of a pattern', { patternProperties: { '^is-': { enum: ['yes', 'no'] } }, ...TEXTS }],
  ['a key that is described', { properties: { team: { ...TEXT, description: 'The team.' } }, ...TEXTS }],
  ['a key of which another part says the type', { allOf: [{ properties: { a: { maxLength: 9 } } }, TEXTS] }],
])('labels accepts %s', (_what, schema) => {
  expect(found('labels', metadata({ labels: { type: 'object', ...schema } }))).toEqual([]);
});

const UNDESCRIBED = { content: { 'application/json': {} } };

test.each<[string, Json]>([
  ['a default that includes success', get(responses({ default: { description: 'Every response.' } }))],
  ['a default of a HEAD request', operation('/vpcs', 'head', responses({ 200: {}, default: {} }))],
  [
    'errors of the metrics',
    operation('/accounts/{id}/metrics', 'get', responses({ 200: {}, 400: UNDESCRIBED, default: {} })),
  ],
  ['what is no error', get(responses({ 200: UNDESCRIBED }))],
])('management-error-body accepts without a schema: %s', (_what, document) => {
  expect(found('management-error-body', document)).toEqual([]);
});
