import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRequirementId, requirement } from '../requirements/index.ts';
import { reference, referenceFile } from './reference.ts';
import { rules } from './rules/index.mjs';

test('the page of reference is that of the rules; if not, run `npm run documents`', () => {
  expect(readFileSync(referenceFile, 'utf8')).toBe(reference());
});

test('every rule has a unique id of words and hyphens', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  expect(rules.filter(({ id }) => !/^[a-z\d.]+(-[a-z\d.]+)*$/.test(id))).toEqual([]);
});

test('every rule has a description of one sentence', () => {
  expect(rules.filter(({ description }) => !/^[A-Z].*\.$/s.test(description)).map(({ id }) => id)).toEqual([]);
});

test('a rule that checks requirements is an error, any other a warning, unless tools ignore a part of the document', () => {
  const named = rules.flatMap(({ requirements }) => requirements);
  expect(named.filter((id) => !isRequirementId(id))).toEqual([]);
  expect(new Set(named.map((id) => requirement(id).level))).toEqual(new Set(['must', 'observe']));
  const odd = rules.filter(({ severity, requirements }) => (severity === 'error') !== requirements.length > 0);
  expect(odd.map(({ id }) => id)).toEqual(['openapi-version', 'openapi-form', 'known-methods']);
});
