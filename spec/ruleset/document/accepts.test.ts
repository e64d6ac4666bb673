import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { accepts } from './accepts.mjs';
import type { Reading } from './place.mjs';
import { schemaAt } from './schema.mjs';

const reading: Reading = { version: '3.1', minorVersion: 1, contentOf: () => undefined, typeFindings: [] };
const at = (schema: unknown, version: '3.0' | '3.1' = '3.1') =>
  schemaAt({ value: schema, path: [], source: null, reading: { ...reading, version } });

const schemas = [
  {},
  { type: 'string' },
  { type: ['integer', 'null'] },
  { type: 'number', minimum: 1, maximum: 3 },
  { exclusiveMinimum: 1, exclusiveMaximum: 3, multipleOf: 2 },
  { minLength: 2, maxLength: 3 },
  { pattern: '^[a-z]+$' },
  { enum: ['a', 2, null] },
  { const: { a: 1 } },
  { allOf: [{ maxLength: 3 }, { minLength: 2 }] },
  { anyOf: [{ const: 'a' }, { type: 'array' }] },
  { oneOf: [{ const: 'ab' }, { const: 2 }] },
  { anyOf: [{ type: 'null' }, { maxLength: 1 }] },
  { not: { type: 'string' } },
  { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 },
  { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
  { properties: { a: {} }, patternProperties: { '^b': { type: 'string' } }, additionalProperties: false },
  { additionalProperties: { type: 'string' }, minProperties: 1, maxProperties: 1 },
  { propertyNames: { maxLength: 1 } },
  { unevaluatedProperties: { type: 'string' } },
  { properties: { a: {} }, patternProperties: { '^b': {} }, unevaluatedProperties: false },
  { allOf: [{ properties: { a: {} } }], unevaluatedProperties: { type: 'string' } },
  { allOf: [{ properties: { a: {} } }, { unevaluatedProperties: { type: 'string' } }] },
  { allOf: [{ additionalProperties: true }], unevaluatedProperties: false },
  { allOf: [{ unevaluatedProperties: { type: 'integer' } }], unevaluatedProperties: false },
  { anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: {} } }], unevaluatedProperties: false },
  { anyOf: [{ required: ['a'], unevaluatedProperties: true }, { required: ['b'] }], unevaluatedProperties: false },
];
const values = [
  '',
  'a',
  'ab',
  'abcd',
  '\u{1F600}\u{1F600}\u{1F600}',
  0,
  1,
  2,
  2.5,
  3,
  null,
  true,
  [],
  [1],
  [1, 2, 3],
  ['a'],
];
const objects = [{}, { a: 1 }, { a: 'x' }, { b: 'x' }, { b: 1 }, { ab: 'x', c: 'y' }];

test.each(schemas)('%j accepts the same as it does in Ajv', (schema) => {
  const isValid = new Ajv2020({ strict: false }).compile(schema);
  const all: unknown[] = [...values, ...objects];
  // The only branch besides null is merged into the schema that holds it, so null is refused.
  const tried = JSON.stringify(schema).includes('"null"') ? all.filter((each) => each !== null) : all;
  expect(tried.filter((each) => accepts(at(schema), each) === true)).toEqual(tried.filter((each) => isValid(each)));
});

test('bounds of OpenAPI 3.0 are exclusive if a boolean says so', () => {
  const schema = at({ maximum: 3, exclusiveMaximum: true, minimum: 1, exclusiveMinimum: false }, '3.0');
  expect([0, 1, 2, 3].filter((each) => accepts(schema, each))).toEqual([1, 2]);
});

test('a pattern that is no regular expression decides nothing, unless something else does', () => {
  expect(accepts(at({ pattern: '[a-' }), 'a')).toBeUndefined();
  expect(accepts(at({ pattern: '[a-', maxLength: 1 }), 'ab')).toBe(false);
});

test('a choice that leads back to itself ends', () => {
  const schema: { oneOf: unknown[] } = { oneOf: [{ const: 'a' }] };
  schema.oneOf.push(schema, { const: 'b' });
  expect(['a', 'b', 'c'].filter((each) => accepts(at(schema), each))).toEqual(['a', 'b']);
});

test.each(['^([a-z]+)*[0-9]$', '^(([a-z])+.)+[0-9]$', '^(a|a)*[0-9]$', '^([a-z]+){1,49}[0-9]$', '^([a-z]*){2,}[0-9]$'])(
  'nothing is known about a long text and the pattern %s',
  (pattern) => {
    expect(accepts(at({ pattern }), 'a'.repeat(26))).toBeUndefined();
    expect(accepts(at({ pattern }), 'a'.repeat(8))).toBe(false);
    // The length decides before the pattern does.
    expect(accepts(at({ pattern, maxLength: 49 }), 'a'.repeat(50))).toBe(false);
  },
);

test.each(['^[a-z]([a-z0-9-]*[a-z0-9])?$', '^(?:[a-z]){1,49}$'])(
  'a long text is tried with the pattern %s',
  (pattern) => expect(accepts(at({ pattern }), 'a'.repeat(49))).toBe(true),
);
