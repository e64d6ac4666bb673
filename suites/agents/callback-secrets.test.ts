import { expect, test } from 'vitest';
import type { Exchange } from '../target/client.ts';
import { testExchange } from '../testing/test-run.ts';
import { notTaken, secretOfTheSameForm } from './callback-secrets.ts';

const answering = (status: number, json: unknown): Exchange => ({
  ...testExchange,
  answer: { ...testExchange.answer, status, json, text: JSON.stringify(json) },
});

const showing = (callbackSecret: unknown): Exchange =>
  answering(200, { spec: { triggers: [{ type: 'http-async', configuration: { callbackSecret } }] } });

test.each([
  ['whsec_3fA9zQ', 'whsec_7bB7kK'],
  ['3f-a9=', '7b-b7='],
  ['********', undefined],
  ['whsec_****', undefined],
  ['', undefined],
  [undefined, undefined],
])('of the form of %j is %j', (secret, wanted) => {
  expect(secretOfTheSameForm(showing(secret))).toBe(wanted);
});

test('a refusal may quote the secret that it refuses', () => {
  const quoting = answering(400, { error: 'invalid', message: 'callbackSecret 77bb is read-only' });
  expect(notTaken(quoting, '77bb')).toEqual([]);
});

test('a secret that is part of other words has not been taken', () => {
  expect(notTaken(showing('mask'), 'k')).toEqual([]);
});

test('a trigger that has the secret of the client has taken it', () => {
  expect(notTaken(showing('77bb'), '77bb')).toMatchObject([{ actual: 'that of the client' }]);
});
