import { expect, test } from 'vitest';
import { classOfTargets, classOfVersions } from './causes.ts';

const none = { a: [], b: [] };

test.each([
  ['status', 200, 400, 'breaking'],
  ['status', 400, 200, 'compatible'],
  ['status', 400, 404, 'breaking'],
  ['status', 200, 201, 'breaking'],
  ['operation', 404, 200, 'compatible'],
  ['operation', 200, 404, 'breaking'],
  ['body.metadata.team', undefined, 'one', 'compatible'],
  ['body.metadata.url', 'https://example.com', undefined, 'breaking'],
  ['body.metadata.plan', 'free', 1, 'breaking'],
  ['rule metrics.cost.always-there', 'kept', 'broken', 'breaking'],
  ['rule metrics.cost.always-there', 'broken', 'kept', 'compatible'],
])('of two versions, %s that is %j and then %j is %s', (at, a, b, expected) => {
  expect(classOfVersions({ at, a, b }, none)).toBe(expected);
});

test('of two targets, a difference belongs to the one that breaks a rule', () => {
  const difference = { at: 'status', a: 200, b: 400 };
  const rules = ['metrics.cost.always-there'] as const;
  expect(classOfTargets(difference, none)).toBe('observation');
  expect(classOfTargets(difference, { a: rules, b: [] })).toBe('a-breaks');
  expect(classOfTargets(difference, { a: [], b: rules })).toBe('b-breaks');
  expect(classOfTargets(difference, { a: rules, b: rules })).toBe('both-break');
});
