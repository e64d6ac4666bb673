import { expect, test } from 'vitest';
import { matchOperation } from './match-operation.ts';
import { operations } from './operations.ts';

test.each(operations)('$method $path of the $surface surface is $id', ({ surface, method, path, id }) => {
  expect(matchOperation(surface, method, path.replaceAll(/\{\w+\}/g, 'some-value'))?.value.id).toBe(id);
});

test.each([
  ['management', 'GET', '/integrations/connections', 'listIntegrationConnections'],
  ['management', 'HEAD', '/accounts', 'listAccounts'],
  ['sandbox', 'GET', '/filesystem/tree/app/src%20x/deep', 'readTree'],
  ['sandbox', 'GET', '/filesystem/tree', 'readTree'],
  ['sandbox', 'GET', '/', 'getSandboxRoot'],
] as const)('%s %s %s is %s', (surface, method, path, id) => {
  expect(matchOperation(surface, method, path)?.value.id).toBe(id);
});

test.each([
  ['management', 'PATCH', '/agents/a'],
  ['management', 'PUT', '/agents/a/b'],
  ['management', 'PUT', '/agents/'],
  ['management', 'GET', '/account'],
  ['inference', 'GET', '/accounts'],
  ['sandbox', 'GET', '/filesystems/tree'],
] as const)('%s %s %s is not a documented operation', (surface, method, path) => {
  expect(matchOperation(surface, method, path)).toBeUndefined();
});

test.each([
  ['GET', '/filesystem/tree', 'readTree'],
  ['GET', '/filesystem/tree/a/b', 'readTree'],
  ['DELETE', '/filesystem/tree/a', 'deleteTree'],
  ['GET', '/filesystem/trees', 'readFile'],
  ['DELETE', '/filesystem/treetop/a', 'deleteFile'],
  ['GET', '/filesystem/a/tree', 'readFile'],
])('%s %s is %s: a tree is not taken for a file', (method, path, id) => {
  expect(matchOperation('sandbox', method, path)?.value.id).toBe(id);
});
