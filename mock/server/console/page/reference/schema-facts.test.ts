import { expect, test } from 'vitest';
import { documentOf } from '../../../../../spec/documents.ts';
import { surfaces } from '../../../../../spec/openapi-document.ts';
import type { OpenApiDocument, Schema } from '../../../../../spec/openapi-document.ts';
import { constraintsOf, describedKeywords, resolveSchema, typeOf } from './schema-facts.ts';

const document = {
  components: {
    schemas: {
      Name: { type: 'string', minLength: 1, maxLength: 49, description: 'A name.' },
      Thing: { type: 'object', properties: { name: { $ref: '#/components/schemas/Name' } } },
    },
  },
} as unknown as OpenApiDocument;

const name = { $ref: '#/components/schemas/Name' };
const thing = { $ref: '#/components/schemas/Thing' };

test.each<[Schema, string]>([
  [{ type: 'integer' }, 'integer'],
  [name, 'string'],
  [thing, 'Thing'],
  [{ type: 'object' }, 'object'],
  [{ type: 'array', items: thing }, 'array of Thing'],
  [{ type: 'array', items: { type: 'array', items: name } }, 'array of array of string'],
  [{ type: 'array' }, 'array of anything'],
  [{ anyOf: [name, { type: 'integer' }] }, 'string or integer'],
  [{ enum: ['a'] }, 'string'],
  [{}, 'anything'],
])('the type of %j is %s', (schema, type) => {
  expect(typeOf(document, schema)).toBe(type);
});

test.each<[Schema, string[]]>([
  [{ type: 'string' }, []],
  [{ minLength: 1, maxLength: 49 }, ['1 to 49 characters']],
  [{ minimum: 0 }, ['at least 0']],
  [{ maximum: 100, 'x-unit': 'percent' }, ['at most 100', 'in percent']],
  [{ minItems: 1, maxItems: 3 }, ['1 to 3 entries']],
  [{ enum: ['a', 'b'], default: 'a' }, ['one of a, b', 'default a']],
  [{ const: 'x' }, ['always x']],
  [{ pattern: '^a$' }, ['pattern ^a$']],
  [{ pattern: '^a$', 'x-allowed': 'the letter a' }, ['the letter a']],
  [{ readOnly: true, 'x-secret': true, 'x-not-shown': true }, ['read-only', 'secret', 'content not documented']],
  [{ readOnly: false }, []],
  [{ default: { a: 1 } }, ['default {"a":1}']],
])('the constraints of %j are %j', (schema, constraints) => {
  expect(constraintsOf(schema)).toEqual(constraints);
});

test('what stands next to a reference takes precedence', () => {
  expect(resolveSchema(document, { ...name, description: 'Another name.' })).toEqual({
    type: 'string',
    minLength: 1,
    maxLength: 49,
    description: 'Another name.',
  });
});

/** Shown as the structure of the tree, next to it, or in the tables of metrics. */
const SHOWN_ELSEWHERE = [
  '$ref',
  'type',
  'description',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'anyOf',
  'x-allowed',
  'x-dimensions',
];

function keywordsIn(schema: Schema): string[] {
  const { properties = {}, items, anyOf = [], additionalProperties: others } = schema;
  const inner = [
    ...Object.values(properties),
    ...anyOf,
    ...(items ? [items] : []),
    ...(typeof others === 'object' ? [others] : []),
  ];
  return [...Object.keys(schema), ...inner.flatMap(keywordsIn)];
}

test.each(surfaces)('every keyword of the schemas of %s is described', (surface) => {
  const keywords = new Set(Object.values(documentOf(surface).components.schemas).flatMap(keywordsIn));
  const known = [...describedKeywords, ...SHOWN_ELSEWHERE];
  expect([...keywords].filter((keyword) => !known.includes(keyword))).toEqual([]);
});
