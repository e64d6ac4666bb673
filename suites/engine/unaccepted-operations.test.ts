import { expect, test } from 'vitest';
import type { OperationId } from '../../spec/operations.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { testExchange } from '../testing/test-run.ts';
import { createUnacceptedOperations } from './unaccepted-operations.ts';

const rule = requirement('agents.update.idempotent');
const NEED = 'an agent that accepts valid updates';

const reasonAfter = (reason: string, ...responses: readonly [OperationId, number][]): string =>
  reasonOn(false, reason, ...responses);

function reasonOn(hasAgent: boolean, reason: string, ...responses: readonly [OperationId, number][]): string {
  const operations = createUnacceptedOperations(hasAgent);
  for (const [id, status] of responses)
    operations.note(id, { ...testExchange, response: { ...testExchange.response, status } });
  return operations.explained(rule, reason);
}

test('a reason names what the operations of the rule returned, and what to do', () => {
  expect(reasonAfter(NEED, ['updateAgent', 500], ['updateAgent', 404], ['createVpc', 501])).toBe(
    `${NEED} (PUT /agents/{agentName} returned 404): answer PUT /agents/{agentName} with success`,
  );
});

test('an operation that was accepted once is not named', () => {
  expect(reasonAfter(NEED, ['updateAgent', 200], ['updateAgent', 404])).toBe(NEED);
  expect(reasonAfter(NEED, ['updateAgent', 404], ['updateAgent', 200])).toBe(NEED);
});

test('what the run lacks for an operation is named, too', () => {
  expect(reasonAfter(`${NEED}: or pass --allow destroy`, ['createAgent', 501])).toBe(
    `${NEED}: or pass --allow destroy (POST /agents returned 501)`,
  );
});

test('an agent of the target file need not be created', () => {
  expect(reasonOn(true, NEED, ['updateAgent', 409], ['createAgent', 501])).toBe(
    `${NEED} (PUT /agents/{agentName} returned 409): answer PUT /agents/{agentName} with success`,
  );
});

test.each([
  'an agent that accepts a valid update (status 404)',
  'an agent that the run can create (POST /agents returned 403)',
  'an agent that the run can create (POST /agents returned 404): answer POST /agents',
  'the workspace of the target',
])('a reason that names a response, or on which there is advice, stays as it is: %s', (reason) => {
  expect(reasonAfter(reason, ['updateAgent', 500])).toBe(reason);
});

test.each([
  ['an agent that the run can create (POST /agents returned 404)', ': answer POST /agents with success'],
  ['an agent that accepts updates: demo-agent returned 500', '; answer PUT /agents/{agentName} with success'],
])('a reason that names a response names the next step, too: %s', (reason, step) => {
  expect(reasonAfter(reason, ['updateAgent', 500])).toBe(reason + step);
});
