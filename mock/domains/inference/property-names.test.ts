/** Names of properties that a schema allows, in generated JSON. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { jsonFromSchema } from './json-from-schema.ts';
import { Unsatisfiable } from './json-schema.ts';

const SEEDS = Array.from({ length: 10 }, (_, seed) => seed);
const ajv = new Ajv2020({ strict: false });

const x = { type: 'integer' } as const;
test.each<[string, object]>([
  ['zod record with a pattern', z.toJSONSchema(z.record(z.string().regex(/^x-[a-z]{2,9}$/), z.number().int()))],
  ['zod record with some of several keys', z.toJSONSchema(z.partialRecord(z.enum(['a', 'b']), z.boolean()))],
  ['zod record with all of several keys', z.toJSONSchema(z.record(z.enum(['a', 'b']), z.boolean()))],
  [
    'patterns',
    { type: 'object', patternProperties: { '^n_[0-9]+$': x }, additionalProperties: false, minProperties: 3 },
  ],
  ['a property that a pattern matches', { properties: { n: { minimum: 5 } }, patternProperties: { '^n': x } }],
  ['no names', { type: 'object', propertyNames: false }],
  ['zod record with an email', z.toJSONSchema(z.record(z.email(), z.boolean()))],
  [
    'required names',
    { type: 'object', required: ['a', 'b'], propertyNames: { anyOf: [{ const: 'a' }, { const: 'b' }] } },
  ],
  ['a forbidden pattern', { type: 'object', patternProperties: { '^_': false } }],
  [
    'a pattern and a length',
    {
      type: 'object',
      patternProperties: { '^S_[a-z]{2}$': x },
      additionalProperties: false,
      propertyNames: { maxLength: 20 },
    },
  ],
])('names of properties follow their schema: %s', (_, schema) => {
  const validate = ajv.compile(schema);
  for (const seed of SEEDS) {
    const value = jsonFromSchema(schema, seed);
    expect([value, validate(value), validate.errors]).toEqual([value, true, null]);
  }
});

test.each<[string, object]>([
  ['too few names', { propertyNames: { enum: ['a', 'b'] }, minProperties: 3 }],
  ['a pattern with lookaround', { type: 'object', patternProperties: { '(?=a)': x } }],
])('what names of properties exclude is refused: %s', (_, schema) => {
  expect(() => jsonFromSchema(schema, 1)).toThrow(Unsatisfiable);
});
