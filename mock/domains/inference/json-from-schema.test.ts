import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { jsonFromSchema } from './json-from-schema.ts';
import { Unsatisfiable } from './json-schema.ts';

const SEEDS = Array.from({ length: 10 }, (_, seed) => seed);

/** One for all tests: each compiles its meta-schema, which takes longer than a test. */
const ajv = addFormats.default(new Ajv2020({ strict: false, multipleOfPrecision: 9 }));

/** Returns a function from a value to what is wrong with it; null if nothing is. */
function checker(schema: object | boolean): (value: unknown) => unknown {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? null : { value, errors: validate.errors });
}

const tree = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: { value: { type: 'integer' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      required: ['value', 'children'],
      additionalProperties: false,
    },
  },
};

const expression = {
  anyOf: [
    {
      type: 'object',
      properties: { left: { $ref: '#' }, right: { $ref: '#' }, op: { enum: ['+', '-'] } },
      required: ['left', 'right', 'op'],
    },
    { type: 'number' },
  ],
};

const list = {
  type: 'object',
  properties: { value: {}, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
  required: ['value', 'next'],
};

test.each<[string, object | boolean]>([
  ['anything', {}],
  ['true', true],
  ['a constant', { const: { a: [null] } }],
  ['null as a constant', { const: null }],
  ['an enum', { enum: [1, 'a', null, { b: 2 }] }],
  ['an enum with a type', { type: ['integer', 'null'], enum: ['a', 7, null] }],
  ['an object', { type: 'object', properties: { a: { type: 'string' }, b: { type: 'null' } }, required: ['a', 'c'] }],
  [
    'a strict object',
    { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'], additionalProperties: false },
  ],
  ['a map', { type: 'object', additionalProperties: { type: 'integer' } }],
  ['few members', { type: 'object', minProperties: 3, maxProperties: 4, properties: { a: {} } }],
  ['an object without a type', { properties: { a: { minimum: 3 } }, required: ['a'] }],
  ['a list', { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 4 }],
  ['different elements', { type: 'array', items: { enum: [1, 2, 3, 4] }, minItems: 4, uniqueItems: true }],
  ['no elements', { type: 'array', items: false }],
  ['at most one element', { type: 'array', maxItems: 1 }],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'integer' }, { const: 'x' }], items: false, minItems: 2 }],
  ['a constant of an enum', { enum: ['a', 'b'], const: 'b' }],
  ['parts with equal values', { allOf: [{ enum: [{ a: 1, b: 2 }, 'x'] }, { enum: ['y', { b: 2, a: 1 }] }] }],
  ['parts with equal constants', { allOf: [{ const: { a: 1, b: [0] } }, { const: { b: [-0], a: 1 } }] }],
  ['a range', { type: 'integer', minimum: 10, maximum: 12 }],
  ['an open range', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 }],
  ['a lower range', { type: 'integer', exclusiveMaximum: -5 }],
  ['zero or less', { type: 'number', maximum: 0 }],
  ['less than zero', { type: 'integer', exclusiveMaximum: 0 }],
  ['multiples', { type: 'integer', multipleOf: 7, minimum: 50, maximum: 60 }],
  ['fractions', { type: 'number', multipleOf: 0.25, minimum: 1.1, maximum: 1.3 }],
  ['huge numbers', { type: 'number', minimum: 1e300 }],
  ['a length', { type: 'string', minLength: 40, maxLength: 41 }],
  ['a short text', { type: 'string', maxLength: 3 }],
  ['an empty text', { type: 'string', maxLength: 0 }],
  ['a pattern', { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }],
  ['a pattern without anchors', { type: 'string', pattern: 'a|b', maxLength: 5 }],
  ['a pattern and a length', { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 8 }],
  ['alternatives', { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }],
  [
    'alternatives with a common part',
    {
      type: 'object',
      properties: { kind: { type: 'string' } },
      required: ['kind'],
      anyOf: [
        { properties: { kind: { const: 'a' } } },
        { properties: { kind: { const: 'b' }, size: { type: 'number' } }, required: ['size'] },
      ],
    },
  ],
  ['parts', { allOf: [{ type: 'number', minimum: 3 }, { type: 'integer', maximum: 5 }, { maximum: 4 }] }],
  [
    'parts with properties',
    {
      allOf: [
        { type: 'object', properties: { a: { minimum: 3 } }, required: ['a'] },
        { properties: { a: { type: 'integer', maximum: 3 } } },
      ],
    },
  ],
  ['a reference with siblings', { $ref: '#/$defs/a~1b', description: 'x', $defs: { 'a/b': { type: 'integer' } } }],
  ['a tree', tree],
  ['an expression', expression],
  ['a linked list', list],
  [
    'a property with the name __proto__',
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["__proto__"]}') as object,
  ],
])('a value is valid for %s', (_, schema) => {
  const errorsOf = checker(schema);
  for (const seed of SEEDS) expect(errorsOf(jsonFromSchema(schema, seed))).toBeNull();
});

test.each([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'uri',
  'uri-reference',
  'uri-template',
  'json-pointer',
  'relative-json-pointer',
  'regex',
  'byte',
])('a text has the format %s', (format) => {
  const schema = { type: 'string', format };
  const errorsOf = checker(schema);
  for (const seed of SEEDS) expect(errorsOf(jsonFromSchema(schema, seed))).toBeNull();
});

test('values are valid for schemas of zod, also with lookaround in their patterns', () => {
  const schema = z.object({
    id: z.uuid(),
    email: z.email(),
    at: z.iso.datetime(),
    day: z.iso.date(),
    site: z.url(),
    age: z.int().positive().max(120),
    price: z.number().nonnegative(),
    tags: z
      .array(z.enum(['a', 'b']))
      .min(1)
      .max(3),
    nested: z.object({ note: z.string().min(3).nullable(), code: z.string().regex(/^[A-Z]{2}\d{3}$/) }),
    shape: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), radius: z.number() }),
      z.object({ kind: z.literal('square'), side: z.number() }),
    ]),
    pair: z.tuple([z.string(), z.number()]),
    more: z.record(z.string(), z.boolean()),
    maybe: z.string().optional(),
  });
  for (const seed of SEEDS) expect(() => schema.parse(jsonFromSchema(z.toJSONSchema(schema), seed))).not.toThrow();
});

test('the same seed yields the same value, another one another', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string', pattern: '^[a-z]{9}$' } },
  };
  expect(jsonFromSchema(schema, 7)).toEqual(jsonFromSchema(schema, 7));
  expect(jsonFromSchema(schema, 7)).not.toEqual(jsonFromSchema(schema, 8));
});

test('optional members and alternatives to null are included', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: ['null', 'integer'] }, b: { anyOf: [{ type: 'null' }, { const: 1 }] } },
  };
  for (const seed of SEEDS) expect(jsonFromSchema(schema, seed)).toEqual({ a: expect.any(Number), b: 1 });
});

const laughs = Object.fromEntries(
  Array.from({ length: 40 }, (_, nth) => [
    `a${nth}`,
    { allOf: [{ $ref: `#/$defs/a${nth + 1}` }, { $ref: `#/$defs/a${nth + 1}` }] },
  ]),
);

test.each<[object | boolean, string]>([
  [false, 'no finite value'],
  [{ $ref: '#' }, 'no finite value'],
  [{ type: 'object', required: ['a'], additionalProperties: { $ref: '#' } }, 'do not end'],
  [{ $ref: '#/$defs/none' }, 'leads nowhere'],
  [{ $ref: 'https://example.com/schema' }, 'is not a JSON pointer'],
  [{ type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }, 'no finite value'],
  [{ allOf: [{ type: 'string' }, { type: 'integer' }] }, 'exclude each other'],
  [{ type: 'integer', enum: ['a'] }, 'no value of an enum'],
  [{ enum: ['a'], const: 'b' }, 'no value of an enum'],
  [{ type: 'string', const: 1 }, 'no value of an enum'],
  [{ allOf: [{ const: 'a' }, { const: 'b' }] }, 'exclude each other'],
  [{ type: 'integer', minimum: 3, maximum: 2 }, 'within the bounds'],
  [{ type: 'string', minLength: 3, maxLength: 2 }, 'no string has 3 to 2 characters'],
  [{ type: 'string', minLength: 1e9 }, 'no string has'],
  [{ type: 'string', pattern: '^(?=a)b' }, 'without lookaround'],
  [{ type: 'string', pattern: '^[a-z]$', minLength: 2 }, 'no string was found'],
  [{ type: 'array', minItems: 1e9, items: { type: 'null' } }, 'more than 10000 parts'],
  [{ type: 'array', minItems: 3, uniqueItems: true, items: { enum: [1, 2] } }, 'too few different elements'],
  [{ type: 'array', minItems: 1, items: false }, 'minItems'],
  [{ type: 'object', minProperties: 1e9 }, 'more than 10000 parts'],
  [{ type: 'object', minProperties: 1, additionalProperties: false }, 'number of its properties'],
  [{ $ref: '#/$defs/a0', $defs: laughs }, ''],
])('%j is refused', (schema, reason) => {
  const start = performance.now();
  expect(() => jsonFromSchema(schema, 1)).toThrow(Unsatisfiable);
  expect(() => jsonFromSchema(schema, 1)).toThrow(reason);
  expect(performance.now() - start).toBeLessThan(5000);
});

const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, nth) => `${prefix}${nth}`);
const properties = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]));

test('long lists of values are combined', () => {
  const schema = { allOf: [{ enum: numbered(8000, 'a') }, { enum: [...numbered(8000, 'b'), 'a7999'] }] };
  expect(jsonFromSchema(schema, 1)).toBe('a7999');
});

test.each<[string, object]>([
  ['many elements with many values', { type: 'array', minItems: 9000, items: { enum: numbered(10_000, 'a') } }],
  [
    'many elements with many alternatives',
    { type: 'array', minItems: 9000, items: { anyOf: numbered(10_000, 'a').map((name) => ({ const: name })) } },
  ],
  ['many parts with a property each', { allOf: numbered(20_000, 'a').map((name) => ({ properties: { [name]: {} } })) }],
  ['many parts with a required property', { allOf: numbered(20_000, 'a').map((name) => ({ required: [name] })) }],
  ['many types', { allOf: [{ type: numbered(20_000, 'a') }, { type: numbered(20_000, 'b') }] }],
  [
    'many elements with many optional properties',
    {
      type: 'array',
      minItems: 4000,
      items: { type: 'object', maxProperties: 0, properties: properties(numbered(10_000, 'a')) },
    },
  ],
  [
    'many equal constants',
    {
      allOf: Array.from({ length: 2000 }, (_, nth) => ({ $ref: `#/$defs/${nth % 2}` })),
      $defs: [{ const: numbered(2000, 'a') }, { const: numbered(2000, 'a') }],
    },
  ],
])('%s are refused', (_, schema) => {
  expect(() => jsonFromSchema(schema, 1)).toThrow('its lists are too long');
});

describe.each<[string, string?]>([
  ['type'],
  ['const'],
  ['enum'],
  ['properties'],
  ['required'],
  ['items'],
  ['prefixItems'],
  ['additionalProperties'],
  ['minimum'],
  ['minLength'],
  ['minItems'],
  ['minProperties', 'object'],
  ['multipleOf'],
  ['uniqueItems', 'array'],
  ['pattern'],
  ['format'],
  ['allOf'],
  ['anyOf'],
  ['$ref'],
])('a malformed %s', (keyword, type) => {
  const wellFormed = [['a'], { a: { type: 'string' } }, 'a', 1];

  test.each([5, null, 'x', {}, [], [null], { a: null }, true, -1])('as %j yields a value or a reason', (malformed) => {
    const errors: unknown[] = [];
    for (const other of wellFormed)
      for (const pair of [
        [malformed, other],
        [other, malformed],
        [malformed, malformed],
      ])
        try {
          jsonFromSchema({ allOf: [type && { type }, ...pair.map((value) => ({ [keyword]: value }))] }, 1);
        } catch (error) {
          errors.push(error);
        }
    expect(errors.filter((error) => !(error instanceof Unsatisfiable))).toEqual([]);
  });
});

test.each([
  ['enum', [1], 1],
  ['required', ['a'], { a: expect.anything() }],
  ['properties', { a: { const: 1 } }, { a: 1 }],
])('of two of %s, a malformed one is ignored', (keyword, valid, value) => {
  for (const pair of [
    [5, valid],
    [valid, 5],
  ])
    expect(jsonFromSchema({ allOf: pair.map((each) => ({ [keyword]: each })) }, 1)).toEqual(value);
});

describe('any schema', () => {
  const { schema } = fc.letrec<{ schema: object; leaf: object; branch: object }>((tie) => ({
    schema: fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('branch')),
    leaf: fc.oneof(
      fc.record(
        {
          type: fc.constant('integer'),
          minimum: fc.integer({ min: -9, max: 0 }),
          maximum: fc.integer({ min: 0, max: 9 }),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constant('number'),
          exclusiveMinimum: fc.integer({ min: -9, max: 0 }),
          maximum: fc.integer({ min: 1, max: 9 }),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constant('string'),
          minLength: fc.integer({ min: 0, max: 9 }),
          maxLength: fc.integer({ min: 9, max: 99 }),
        },
        { requiredKeys: ['type'] },
      ),
      fc.constantFrom(
        { type: 'boolean' },
        { type: 'null' },
        {},
        { enum: ['x', 3] },
        { const: null },
        { type: ['string', 'null'] },
        { $ref: '#' },
      ),
    ),
    branch: fc.oneof(
      fc.record({ type: fc.constant('array'), items: tie('schema'), maxItems: fc.integer({ min: 0, max: 4 }) }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.tuple(tie('schema')) }),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')),
          required: fc.subarray(['a', 'd']),
        },
        { requiredKeys: ['type'] },
      ),
    ),
  }));

  test('yields a valid value, or a reason', () => {
    let generated = 0;
    fc.assert(
      fc.property(schema, fc.nat(), (inner, seed) => {
        const any = { type: 'object', properties: { inner } };
        let value: unknown;
        try {
          value = jsonFromSchema(any, seed);
        } catch (error) {
          if (!(error instanceof Unsatisfiable)) throw error;
          return;
        }
        generated++;
        expect(checker(any)(value)).toBeNull();
      }),
      { numRuns: 300 },
    );
    expect(generated).toBeGreaterThan(200);
  });
});
