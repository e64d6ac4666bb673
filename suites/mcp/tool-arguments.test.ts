import { expect, test } from 'vitest';
import { argumentsFor } from './tool-arguments.ts';

const object = (properties: object, required: string[] = Object.keys(properties), more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});

test('optional members are omitted first, then included', () => {
  expect(argumentsFor(object({ a: { type: 'string' }, b: { type: 'integer' } }, ['a']))).toEqual([
    { a: 'assay' },
    { a: 'assay', b: 1 },
  ]);
});

test('an object without properties has one sample: {}', () => {
  expect(argumentsFor({ type: 'object' })).toEqual([{}]);
});

test.each([
  [{ type: 'string', default: 'preset', examples: ['example'] }, 'preset'],
  [{ type: 'string', examples: ['example', 'other'] }, 'example'],
  [{ enum: ['one', 'two'] }, 'one'],
  [{ const: 7 }, 7],
  [{ type: 'string', minLength: 8 }, 'assayass'],
  [{ type: 'string', maxLength: 2 }, 'as'],
  [{ type: 'string', format: 'date-time' }, '2026-04-16T12:00:00Z'],
  [{ type: 'string', pattern: '^[0-9]{2}$' }, '12'],
  [{ type: 'integer', minimum: 5 }, 5],
  [{ type: 'integer', exclusiveMinimum: 5 }, 6],
  [{ type: 'integer', maximum: -3 }, -3],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
  [{ type: 'integer', multipleOf: 4, minimum: 1 }, 4],
  [{ type: 'boolean' }, false],
  [{ type: 'null' }, null],
  [{ type: ['integer', 'null'] }, 1],
  [{ type: 'array', items: { type: 'integer' }, minItems: 2 }, [1, 1]],
  [{ anyOf: [{ type: 'string', pattern: '^never matched$' }, { type: 'integer' }] }, 1],
  [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, 1],
  [
    { allOf: [object({ x: { type: 'integer' } }), object({ y: { type: 'boolean' } })], type: 'object' },
    { x: 1, y: false },
  ],
  [object({ inner: { type: 'string' } }), { inner: 'assay' }],
  [{}, 'assay'],
])('a required member of the form %j becomes %j', (schema, value) => {
  expect(argumentsFor(object({ member: schema }))).toEqual([{ member: value }]);
});

test('definitions are resolved, including recursive ones', () => {
  const $defs = { Node: object({ next: { $ref: '#/$defs/Node' }, name: { type: 'string' } }, ['name']) };
  const [least] = argumentsFor({ ...object({ node: { $ref: '#/$defs/Node' } }), $defs });
  expect(least).toEqual({ node: { name: 'assay' } });
});

test.each([
  ['a pattern that no known text has', { type: 'string', pattern: '^[xyz]{40}$' }],
  ['a pattern that is none', { type: 'string', pattern: '(' }],
  ['a format that is unknown', { type: 'string', format: 'licence-plate' }],
  ['a reference to elsewhere', { $ref: 'https://example.com/schema' }],
  ['an endless definition', { $ref: '#' }],
  ['values of which none fits', { type: 'integer', minimum: 5, maximum: 4 }],
  ['a default that does not fit', { type: 'integer', default: 'none' }],
  ['nothing', false],
])('%s has no sample arguments', (_, schema) => {
  expect(argumentsFor(object({ member: schema }))).toEqual([]);
});

test('a schema of another dialect is still read', () => {
  expect(
    argumentsFor({ ...object({ a: { type: 'string' } }), $schema: 'http://json-schema.org/draft-07/schema#' }),
  ).toEqual([{ a: 'assay' }]);
});
