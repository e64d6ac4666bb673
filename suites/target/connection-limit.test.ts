import { expect, test } from 'vitest';
import { createConnectionLimit } from './connection-limit.ts';

const refused = { status: 503, headers: { 'content-type': 'text/html' } };

test('a refused request is sent again twice, at a time at which idle connections are closed', () => {
  const limit = createConnectionLimit();
  expect([0, 1, 2].map((waits) => limit.secondsBefore(refused, waits))).toEqual([1.2, 2.4, undefined]);
  expect(limit.secondsBefore(refused, 0)).toBe(1.2);
});

test('after three requests that stay refused, none is sent again', () => {
  const limit = createConnectionLimit();
  for (const waits of [2, 2, 2]) limit.secondsBefore(refused, waits);
  expect(limit.secondsBefore(refused, 0)).toBeUndefined();
});

test.each([
  ['JSON', { status: 503, headers: { 'content-type': 'application/json' } }],
  ['no body', { status: 503, headers: {} }],
  ['Retry-After', { status: 503, headers: { ...refused.headers, 'retry-after': '1' } }],
  ['another status', { ...refused, status: 502 }],
])('%s is no refusal of a gateway', (_, response) => {
  expect(createConnectionLimit().secondsBefore(response, 0)).toBeUndefined();
});
