import { expect, test } from 'vitest';
import { testExchange } from '../test-run.ts';
import { secretOfTheSameForm } from './callback-secrets.ts';

const showing = (callbackSecret: unknown) => {
  const json = { spec: { triggers: [{ type: 'http-async', configuration: { callbackSecret } }] } };
  return { ...testExchange, answer: { ...testExchange.answer, json } };
};

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
