import { expect, test } from 'vitest';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Exchange } from '../../target/client.ts';
import { testExchange } from '../../testing/test-run.ts';
import { resourceIn } from './returned-resource.ts';

const exchangeOf = (operation: OperationId, json: unknown): Exchange => ({
  ...testExchange,
  operation,
  response: { ...testExchange.response, json },
});

test('an undocumented response without metadata, such as a pending operation, is not a resource', () => {
  const json = { operationId: '7', status: 'PENDING' };
  expect(resourceIn(exchangeOf('createFunction', json))).toBeUndefined();
  expect(resourceIn(exchangeOf('createVpc', json))?.resource).toEqual(json);
});

test('an undocumented response with metadata is a resource', () => {
  const json = { metadata: { name: 'a' }, status: 'DEPLOYED' };
  expect(resourceIn(exchangeOf('createIntegrationConnection', json))?.resource).toEqual(json);
});
