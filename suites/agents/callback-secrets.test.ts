import { expect, test } from 'vitest';
import type { Exchange } from '../target/client.ts';
import { testExchange } from '../testing/test-run.ts';
import { acceptedSecretMismatches, lacksSecret, secretOfSameFormat } from './callback-secrets.ts';

const respond = (status: number, json: unknown): Exchange => ({
  ...testExchange,
  response: { ...testExchange.response, status, json, text: JSON.stringify(json) },
});

const respondWithSecret = (callbackSecret: unknown): Exchange =>
  respond(200, { spec: { triggers: [{ type: 'http-async', configuration: { callbackSecret } }] } });

test.each([
  ['whsec_3fA9zQ', 'whsec_7bB7kK'],
  ['3f-a9=', '7b-b7='],
  ['********', undefined],
  ['whsec_****', undefined],
  ['', undefined],
  [undefined, undefined],
])('secretOfSameFormat(%j) is %j', (secret, expected) => {
  expect(secretOfSameFormat(respondWithSecret(secret))).toBe(expected);
});

test('a refusal may quote the refused secret', () => {
  const quoting = respond(400, { error: 'invalid', message: 'callbackSecret 77bb is read-only' });
  expect(acceptedSecretMismatches(quoting, '77bb')).toEqual([]);
});

test('a secret that is part of other words is not a mismatch', () => {
  expect(acceptedSecretMismatches(respondWithSecret('mask'), 'k')).toEqual([]);
});

test("a trigger with the client's secret is a mismatch", () => {
  expect(acceptedSecretMismatches(respondWithSecret('77bb'), '77bb')).toMatchObject([
    { actual: "the client's callbackSecret" },
  ]);
});

test.each([
  [{ callbackUrl: 'https://a.example/', callbackSecret: 'whsec_1' }, false],
  [{ callbackUrl: 'https://a.example/' }, true],
  [{ callbackUrl: '' }, false],
  [{}, false],
])('whether %j lacks a secret', (configuration, expected) => {
  expect(lacksSecret(respond(200, { spec: { triggers: [{ type: 'http-async', configuration }] } }))).toBe(expected);
});
