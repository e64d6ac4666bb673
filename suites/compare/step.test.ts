import { expect, test } from 'vitest';
import { NotTried } from '../target/violation.ts';
import { testExchange } from '../testing/test-run.ts';
import { callInputOf, referencesIn, usedNames, usedSteps, withMeanings, type Meanings, type Step } from './step.ts';

const json = { meta: { nextCursor: 'c-2' } };
const meanings: Meanings = {
  nameAt: (number) => `assay-x-${number}`,
  own: { agent: 'sage', volume: { name: 'shell' }, policies: ['p'] },
  responses: new Map([
    [4, { ...testExchange, response: { status: 200, headers: { 'mcp-session-id': 's' }, text: '', json } }],
  ]),
};

test('references mean something else on each target', () => {
  const step = { a: '<new 1>/x', b: ['<own agent>', '<own volume.name>', '<own policies.0>'], c: 1, d: null };
  expect(withMeanings(step, meanings)).toEqual({ a: 'assay-x-1/x', b: ['sage', 'shell', 'p'], c: 1, d: null });
  expect(withMeanings('<step 4 /meta/nextCursor> <step 4 header mcp-session-id>', meanings)).toBe('c-2 s');
});

test('what a target does not have is not tried', () => {
  expect(() => withMeanings('<own mk3Agent>', meanings)).toThrow(NotTried);
  expect(() => withMeanings('<step 5 /id>', meanings)).toThrow(NotTried);
});

test('a step knows which names and steps it uses', () => {
  const step: Step = {
    operation: 'getAgent',
    context: 'valid',
    caller: 'strongest',
    path: { agentName: '<new 2>' },
    query: { cursor: '<step 3 /id>' },
  };
  expect(usedNames(step)).toEqual(['new 2']);
  expect(usedSteps(step)).toEqual([3]);
  expect(referencesIn({})).toEqual([]);
});

test('header names get the brand of the target', () => {
  const step: Step = {
    operation: 'getAgent',
    context: 'valid',
    caller: 'strongest',
    headers: { 'Svc-Version': 'v1', Accept: '*/*' },
  };
  expect(callInputOf(step, meanings, 'Zephyr').headers).toEqual({ 'Zephyr-Version': 'v1', Accept: '*/*' });
});
