import { expect, test } from 'vitest';
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Exchange } from '../target/exchange.ts';
import { createFinalAnswers } from './final-answers.ts';

function answers({ hasAgent = true } = {}) {
  let now = 0;
  const final = createFinalAnswers(new Set(['demo-agent', 'demo-job']), hasAgent, () => now);
  const exchange = (status: number, body?: object) =>
    ({ request: { body: JSON.stringify(body ?? {}) }, response: { status } }) as unknown as Exchange;
  return {
    /** Whether the answer is final, after some milliseconds. */
    at: (ms: number, id: OperationId, status: number, ...names: string[]): boolean => {
      now = ms;
      const each = exchange(status);
      final.see(each, operation(id), names);
      return status >= 400 && final.isFinal(each, operation(id), names);
    },
    create: (name: string) => final.see(exchange(201, { metadata: { name } }), operation('createAgent'), []),
    isCertain: (id: OperationId): boolean => final.isCertain(id),
  };
}

test.each([405, 501])('%d of the management API is final at once, and certain at the second', (status) => {
  const { at, isCertain } = answers();
  expect(at(0, 'updateAgent', status, 'assay-1')).toBe(true);
  expect(isCertain('updateAgent')).toBe(false);
  expect(at(1, 'updateAgent', status, 'assay-2')).toBe(true);
  expect(isCertain('updateAgent')).toBe(true);
});

test('an operation that was accepted is missing at most for a while', () => {
  const { at, isCertain } = answers();
  at(0, 'updateAgent', 405, 'demo-agent');
  at(1, 'updateAgent', 405, 'demo-agent');
  at(2, 'updateAgent', 200, 'demo-agent');
  expect(at(60_000, 'updateAgent', 405, 'demo-agent')).toBe(false);
  expect(isCertain('updateAgent')).toBe(false);
});

test('404 for what a read shows is final at a second look', () => {
  const { at } = answers();
  expect(at(0, 'updateAgent', 404, 'demo-agent')).toBe(false);
  at(1, 'getAgent', 200, 'demo-agent');
  expect(at(300, 'updateAgent', 404, 'demo-agent')).toBe(true);
  expect(at(301, 'updateAgent', 404, 'other')).toBe(true);
});

test('404 for a new agent is final a few seconds after a read shows it, and decides nothing about other agents', () => {
  const { at, create, isCertain } = answers();
  create('assay-1');
  expect(at(0, 'updateAgent', 404, 'assay-1')).toBe(false);
  expect(at(60_000, 'updateAgent', 404, 'assay-1')).toBe(false);
  at(60_001, 'getAgent', 200, 'assay-1');
  expect(at(60_300, 'updateAgent', 404, 'assay-1')).toBe(true);
  at(61_000, 'updateAgent', 404, 'assay-1');
  expect(isCertain('updateAgent')).toBe(false);
  at(61_000, 'getAgent', 200, 'demo-agent');
  at(61_001, 'updateAgent', 404, 'demo-agent');
  at(61_002, 'updateAgent', 404, 'demo-agent');
  expect(isCertain('updateAgent')).toBe(false);
  at(61_300, 'updateAgent', 404, 'demo-agent');
  at(61_301, 'updateAgent', 404, 'demo-agent');
  expect(isCertain('updateAgent')).toBe(true);
});

test('without an agent of the target file, 404 for a new agent is final later', () => {
  const { at, create } = answers({ hasAgent: false });
  create('assay-1');
  at(0, 'getAgent', 200, 'assay-1');
  expect(at(1, 'updateAgent', 404, 'assay-1')).toBe(false);
  expect(at(9000, 'updateAgent', 404, 'assay-1')).toBe(false);
  expect(at(10_100, 'updateAgent', 404, 'assay-1')).toBe(true);
});

test('404 without names is final at a second look, of a named job a few seconds later, and of a workload never', () => {
  const { at } = answers();
  expect([at(0, 'createVpc', 404), at(300, 'createVpc', 404)]).toEqual([false, true]);
  const executed = (ms: number) => at(ms, 'createJobExecution', 404, 'demo-job');
  expect([executed(0), executed(300), executed(2600)]).toEqual([false, false, true]);
  const queried = (ms: number, status: number) => at(ms, 'queryAgent', status, 'demo', 'demo-agent');
  expect([queried(0, 404), queried(60_000, 404)]).toEqual([false, false]);
  expect([queried(60_001, 405), queried(60_300, 405), queried(63_000, 405)]).toEqual([false, false, true]);
});
