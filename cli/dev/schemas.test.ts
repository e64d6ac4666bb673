import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { goodTargets, targetsFolder } from '../../fixtures/targets/index.ts';
import { newAjv } from '../../spec/ajv.ts';
import { jsonSchemas, schemasFolder } from './schemas.ts';

const generated = Object.entries(await jsonSchemas());

test.each(generated)('%s is up to date', (name, text) => {
  expect(readFileSync(path.join(schemasFolder, name), 'utf8')).toBe(text);
});

const validateTarget = newAjv({ strict: false, validateFormats: false }).compile(
  JSON.parse(Object.fromEntries(generated)['target.json'] ?? '') as object,
);

function errorsOf(target: unknown) {
  validateTarget(target);
  return validateTarget.errors;
}

test.each(goodTargets)('the JSON Schema accepts the target file %s', (file) => {
  expect(errorsOf(parse(readFileSync(new URL(file, targetsFolder), 'utf8')))).toBeNull();
});

test.each([
  { addresses: { management: 'https://${HOST}/v0' } },
  { rate: '${RATE:-50}' },
  { allow: '${LEVEL}' },
  { metrics: { window: { start: '${START}', end: '${END}' } } },
  { credentials: { admin: { value: '${TOKEN}' } } },
  { tls: { ca: '${CA_FILE}' } },
])('the JSON Schema accepts references to variables: %j', (part) => {
  expect(errorsOf({ addresses: { management: 'http://a/v0' }, ...part })).toBeNull();
});

test.each([{ rate: 'fast' }, { allow: 'everything' }, { credentials: { scoped: { '${SCOPE}': { env: 'A' } } } }])(
  'the JSON Schema refuses %j',
  (part) => {
    expect(errorsOf({ addresses: { management: 'http://a/v0' }, ...part })).not.toBeNull();
  },
);

/** Properties without a description, as paths. */
function undescribed(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
  const own = Object.entries(properties).filter(([, { description }]) => description === undefined);
  return [
    ...own.map(([key]) => `${at}.${key}`),
    ...Object.entries(schema).flatMap(([key, each]) => undescribed(each, `${at}/${key}`)),
  ];
}

test.each(generated.filter(([name]) => name !== 'config.json'))('every key of %s has a description', (name, text) => {
  expect(undescribed(JSON.parse(text), name)).toEqual([]);
});
