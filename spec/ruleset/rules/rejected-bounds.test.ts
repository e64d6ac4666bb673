/** Findings about a bound name the bound that the document has. */
import { expect, test } from 'vitest';
import { statuses } from '../values.mjs';
import type { Json } from './sample-documents.ts';
import {
  agent,
  dimensions,
  found,
  get,
  header,
  metadata,
  metrics,
  name,
  resource,
  trigger,
  withSchemas,
} from './sample-documents.ts';

const timeout = (schema: Json, openapi = '3.1.0'): Json => ({
  ...trigger({ timeout: { type: 'integer', ...schema } }),
  openapi,
});
const displayName = (schema: Json): Json => metadata({ displayName: { type: 'string', ...schema } });
const limit = (schema: Json): Json => metrics({ name: 'limit', schema: { type: 'integer', default: 100, ...schema } });
const groupBy = (schema: Json): Json =>
  metrics({ name: 'groupBy', explode: false, schema: { uniqueItems: true, items: { enum: dimensions }, ...schema } });

test.each<[Json, string]>([
  [{}, '; it is missing.'],
  [{ minimum: 1 }, '; it is missing.'],
  [{ minimum: 1000 }, '; it is missing.'],
  [{ multipleOf: 30 }, '; it is missing.'],
  [{ maximum: 3600 }, ', not 3600.'],
  [{ maximum: 600 }, ', not 600.'],
  [{ maximum: 3610, multipleOf: 30 }, ', not 3610.'],
  [{ maximum: 3600, allOf: [{ maximum: 1800 }] }, ', not 1800.'],
  [{ maximum: 3600, allOf: [{ maximum: 600 }] }, ', not 600.'],
  [{ exclusiveMaximum: 1001 }, '; exclusiveMaximum allows 1000.'],
  [{ exclusiveMaximum: 1001, maximum: 5000 }, '; exclusiveMaximum allows 1000.'],
  [{ exclusiveMaximum: 900 }, '; exclusiveMaximum rejects 900.'],
  [{ exclusiveMaximum: 900, maximum: 900 }, '; exclusiveMaximum rejects 900.'],
  [{ minimum: 901, maximum: 900 }, '; minimum rejects 900.'],
  [{ maximum: 900, multipleOf: 7 }, '; multipleOf rejects 900.'],
  [{ enum: [30, 1900] }, '; enum allows 1900.'],
  [{ enum: [900, 1900] }, '; enum allows 1900.'],
  [{ enum: [30, 60] }, '; enum rejects 900.'],
  [{ const: 1900 }, '; const allows 1900.'],
  [{ oneOf: [{ maximum: 60 }, { maximum: 3600 }] }, '; oneOf allows 3600.'],
  [{ not: { minimum: 2000 } }, '; not allows 1800.'],
])('the maximum of a timeout with %j', (schema, says) => {
  expect(found('trigger-timeout', timeout(schema))).toEqual([
    `The maximum of a trigger timeout must be 900 (seconds)${says}`,
  ]);
});

test.each<[number, string]>([
  [1001, '; exclusiveMaximum allows 1000.'],
  [900, '; exclusiveMaximum rejects 900.'],
])('an exclusive maximum of %i in OpenAPI 3.0', (maximum, says) => {
  expect(found('trigger-timeout', timeout({ maximum, exclusiveMaximum: true }, '3.0.3'))).toEqual([
    `The maximum of a trigger timeout must be 900 (seconds)${says}`,
  ]);
});

test.each<[Json, string]>([
  [{}, '; it is missing.'],
  [{ pattern: '^[a-z0-9-]+$' }, '; it is missing.'],
  [{ minLength: 1 }, '; it is missing.'],
  [{ maxLength: 1000 }, ', not 1000.'],
  [{ maxLength: 100, allOf: [{ maxLength: 63 }] }, ', not 63.'],
  [{ maxLength: 63, pattern: '^[a-z]+$' }, ', not 63.'],
  [{ maxLength: 100, pattern: '^[a-z0-9-]{1,63}$' }, '; pattern allows 63 characters.'],
  [{ maxLength: 49, pattern: '^[a-z0-9-]{1,40}$' }, '; pattern rejects 49 characters.'],
  [{ pattern: '^[a-z0-9-]{1,63}$' }, '; pattern allows 63 characters.'],
  [{ pattern: '^(?=.{1,63}$)[a-z0-9-]+$' }, '; pattern allows 63 characters.'],
  [{ pattern: '^[a-z0-9-]{1,500}$' }, '; pattern allows 300 characters.'],
  [{ pattern: '^([a-z]{1,20}-?){1,10}$' }, '; pattern allows 50 characters.'],
  [{ pattern: '^[a-z]{1,30}[a-z]{1,30}[a-z]{1,30}[a-z]{1,30}$' }, '; pattern allows 50 characters.'],
  [{ pattern: '^([a-z]+){1,9}$' }, '; whether the pattern limits the length cannot be checked.'],
  [{ enum: ['a', 'b'] }, '; enum rejects 49 characters.'],
  [{ anyOf: [{ maxLength: 60 }, { maxLength: 70 }] }, '; anyOf allows 70 characters.'],
])('the maxLength of a name with %j', (schema, says) => {
  const messages = found('name-length', name(schema));
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain(`The maxLength of a name must be 49${says}`);
});

test.each<[Json, string]>([
  [{ maxLength: 20 }, 'The maxLength of a displayName must be 63, not 20.'],
  [{ pattern: '^.{1,20}$' }, 'The maxLength of a displayName must be 63; pattern rejects 63 characters.'],
  [{ pattern: '^.{1,40}$' }, 'The maxLength of a displayName must be 63; pattern rejects 63 characters.'],
  [{ pattern: '^.{1,80}$' }, 'The maxLength of a displayName must be 63; pattern allows 80 characters.'],
  [{ pattern: '^[a-z]+$' }, 'The pattern of a displayName must accept spaces and special characters.'],
  [{ minLength: 30, maxLength: 63 }, 'The minLength of a displayName must accept "Mo’s agent (2nd) – ü!".'],
])('the length of a displayName with %j', (schema, says) => {
  const messages = found('display-name', displayName(schema));
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain(says);
});

test.each<[string, Json, string]>([
  ['name-pattern', name({ pattern: '^[a-z0-9-]+$', minLength: 3 }), 'must accept "a"; minLength rejects it.'],
  ['name-pattern', name({ pattern: '^[a-z]+$' }), 'must accept "my-agent-2". Use the pattern ^[a-z0-9-]+$.'],
  ['metrics-limit', limit({ maximum: 100 }), 'The limit must not have a maximum'],
  [
    'metrics-limit',
    limit({ exclusiveMaximum: 101 }),
    'must accept 101, which is clamped to 100; exclusiveMaximum rejects',
  ],
  ['metrics-limit', limit({ enum: [10, 100] }), 'must accept 101, which is clamped to 100; enum rejects it.'],
  ['metrics-limit', limit({ default: 50 }), 'The default of the limit must be 100, not 50.'],
  ['metrics-group-by', groupBy({ type: 'array' }), 'The maxItems of groupBy must be 3; it is missing.'],
  ['metrics-group-by', groupBy({ type: 'array', maxItems: 5 }), 'The maxItems of groupBy must be 3, not 5.'],
  [
    'metrics-group-by',
    metrics({ name: 'groupBy', schema: { type: 'string', maxLength: 10 } }),
    'must accept "resource_type"; maxLength rejects it.',
  ],
  [
    'metrics-filters',
    metrics({ name: 'resourceType', schema: { type: 'string', enum: ['agent', 'job'] } }),
    'resourceType must accept any string, not only agent, job.',
  ],
  ['version-values', get(header({ type: 'string', maxLength: 8 })), 'must accept 2026-04-16; maxLength rejects it.'],
  ['trigger-schedule', trigger({ schedule: { type: 'string', maxLength: 5 } }), 'The maxLength of a schedule rejects'],
  ['trigger-schedule', trigger({ schedule: { type: 'integer' } }), 'The type of a schedule rejects "0 9 * * 1".'],
  ['trigger-schedule', trigger({ schedule: { pattern: '(' } }), 'The pattern of a schedule is not a valid regular'],
  [
    'mount-path',
    agent({ volumes: { items: { properties: { mountPath: { type: 'string', enum: ['/mnt'] } } } } }),
    'The enum of a mountPath rejects "/data".',
  ],
  [
    'agent-defaults',
    agent({ enabled: { default: false } }),
    '"spec.enabled" must declare the default true, not false.',
  ],
  [
    'generation-values',
    agent({ runtime: { properties: { generation: { type: 'string', pattern: '^mk2$' } } } }),
    'must have an enum of mk2, mk3; pattern rejects mk3.',
  ],
  [
    'generation-values',
    agent({ runtime: { properties: { generation: { type: 'string', pattern: '^mk' } } } }),
    'must have an enum of mk2, mk3; pattern allows "mk2x".',
  ],
  [
    'status-values',
    withSchemas({ Vpc: resource({ status: { type: 'string', minLength: 1 } }) }),
    `must have an enum of ${statuses.join(', ')}. Vpc`,
  ],
])('%s of %j', (id, document, says) => {
  const messages = found(id, document);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain(says);
});

test('the smallest maxItems of several parts counts', () => {
  expect(found('metrics-group-by', groupBy({ type: 'array', maxItems: 5, allOf: [{ maxItems: 3 }] }))).toEqual([]);
});
