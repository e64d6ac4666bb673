import { expect, test } from 'vitest';
import {
  declaredOperations,
  describeOperationNames,
  isAbout,
  operationsNamed,
  otherOperationCount,
} from './operation-names.ts';
import { operations } from './operations.ts';
import { requirement } from './requirements/index.ts';

test.each([
  ['listAccounts', ['listAccounts']],
  ['GET /accounts', ['listAccounts']],
  ['PUT /agents/{name}', ['updateAgent']],
  ['*Execution', ['createJobExecution', 'getJobExecution']],
  ['GET /accounts/*', ['getAccountMetrics', 'listMetricsGroupBy', 'listMetricsResourceTypes']],
  ['{list,no}Accounts', ['listAccounts']],
  ['PUT /{agents,vpcs}/{name}', ['updateAgent', 'updateVpc']],
  ['get /accounts', []],
  ['listAccount', []],
])('%s names %j', (name, ids) => {
  expect(operationsNamed(name)).toEqual(ids);
});

test.each([
  [['*Agent'], ['updateAgent', 'queryAgent']],
  [
    ['getAgent', 'GET /vpcs*'],
    ['getAgent', 'listVpcs', 'getVpc'],
  ],
])('%j declares %j', (names, ids) => {
  expect(declaredOperations(names)).toEqual(ids);
});

test('* names every operation', () => {
  expect(operationsNamed('*')).toHaveLength(operations.length);
  expect(otherOperationCount(operationsNamed('*'))).toBe(0);
});

test('a wrong name is described with similar and all documented ones', () => {
  const text = describeOperationNames('listAcounts');
  expect(text).toMatch(/^an operation, such as listAccounts or GET \/accounts\. Did you mean "listAccounts"/);
  expect(text).toContain('Documented operations: updateAgent, ');
});

test('a rule is about an operation if it names it or its surface', () => {
  expect(isAbout(requirement('vpcs.create.answers-resource'), ['createVpc'])).toBe(true);
  expect(isAbout(requirement('vpcs.create.answers-resource'), ['listAccounts'])).toBe(false);
  expect(isAbout(requirement('resources.shapes.fit-the-schema'), ['listAccounts'])).toBe(true);
});
