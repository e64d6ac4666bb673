import { expect, test } from 'vitest';
import type { ExchangeRecord } from '../../spec/verdicts.ts';
import { describeSeveralErrors } from './require-single-errors.ts';

const exchange = (body: unknown, over: Partial<ExchangeRecord> = {}, status = 400): ExchangeRecord => ({
  number: 1,
  requirement: 'naming.name.at-most-49',
  operation: 'createVpc',
  request: { method: 'POST', url: 'http://a/v0/vpcs', headers: {}, body: JSON.stringify(body) },
  answer: { status, headers: {}, body: null },
  durationMs: 1,
  findings: [],
  ...over,
});
const twoErrors = { metadata: { name: 'a'.repeat(50), displayName: 'x'.repeat(64) }, spec: {} };

test('two errors in a refused request are found', () => {
  expect(describeSeveralErrors(exchange(twoErrors))).toMatch(
    /\/metadata\/name .*\/metadata\/displayName .* of createVpc/,
  );
});

test('two errors of one value are found', () => {
  const body = { metadata: { name: `${'A'.repeat(60)}-` }, spec: {} };
  expect(describeSeveralErrors(exchange(body))).toContain('/metadata/name');
});

test.each([
  ['one error', exchange({ metadata: { name: 'a'.repeat(50) }, spec: {} })],
  ['an empty name', exchange({ metadata: { name: '' }, spec: {} }, { requirement: 'naming.name.required' })],
  ['an accepted request', exchange(twoErrors, {}, 200)],
  ['a caller without permission', exchange(twoErrors, {}, 403)],
  ['a rule about bodies that are no resource', exchange({}, { requirement: 'vpcs.create.envelope-required' })],
  ['malformed JSON', { ...exchange({}), request: { ...exchange({}).request, body: '{' } }],
])('%s is fine', (_, given) => {
  expect(describeSeveralErrors(given)).toBeUndefined();
});
