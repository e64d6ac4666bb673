import { expect, test } from 'vitest';
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Exchange } from '../../target/client.ts';
import { testExchange } from '../../testing/test-run.ts';
import { resourceIn } from './returned-resource.ts';

const answering = (operation: OperationId, json: unknown): Exchange => ({
  ...testExchange,
  operation,
  response: { ...testExchange.response, json },
});

test('an operation under way, which has a status of its own, is no resource where the answer is not documented', () => {
  const json = { operationId: '7', status: 'PENDING' };
  expect(resourceIn(answering('createFunction', json))).toBeUndefined();
  expect(resourceIn(answering('createVpc', json))?.resource).toEqual(json);
});

test('an answer that is not documented is a resource where it has metadata', () => {
  const json = { metadata: { name: 'a' }, status: 'DEPLOYED' };
  expect(resourceIn(answering('createIntegrationConnection', json))?.resource).toEqual(json);
});
