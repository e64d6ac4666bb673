import { expect, test } from 'vitest';
import { createTemporaryErrors } from './temporary-errors.ts';

const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };
const refused = { status: 503, headers: html };
const [get, post] = [{ method: 'GET' }, { method: 'POST' }];

test('a refused request is sent again, at a time at which idle connections are closed', () => {
  const temporaryErrors = createTemporaryErrors();
  expect([0, 1, 2, 3].map((waits) => temporaryErrors.secondsBefore(post, refused, waits))).toEqual([
    1.2,
    2.4,
    3.6,
    undefined,
  ]);
  expect(temporaryErrors.secondsBefore(post, refused, 0)).toBe(1.2);
});

test('after three requests in a row that stay refused, none is sent again', () => {
  const temporaryErrors = createTemporaryErrors();
  const stayRefused = (count: number): void => {
    for (let nth = 0; nth < count; nth += 1) temporaryErrors.secondsBefore(get, refused, 3);
  };
  stayRefused(2);
  temporaryErrors.secondsBefore(get, { status: 200, headers: json }, 1);
  stayRefused(2);
  expect(temporaryErrors.secondsBefore(get, refused, 0)).toBe(1.2);
  stayRefused(1);
  expect(temporaryErrors.secondsBefore(get, refused, 0)).toBeUndefined();
});

test.each([
  ['502 of a gateway', post, { status: 502, headers: html }, true],
  ['502 of the service, to a request that may have had an effect', post, { status: 502, headers: json }, false],
  ['502 of the service', get, { status: 502, headers: json }, true],
  ['503 of the service', post, { status: 503, headers: json }, true],
  ['503 of a gateway before a workload', { ...post, isOfWorkload: true }, { status: 503, headers: html }, true],
  ['503 of a workload', { ...get, isOfWorkload: true }, { status: 503, headers: json }, false],
  ['504 of a gateway', get, { status: 504, headers: html }, true],
  ['504 of a gateway, to a request that may have had an effect', post, { status: 504, headers: html }, false],
  ['500', get, { status: 500, headers: json }, false],
  ['503 with Retry-After', get, { status: 503, headers: { ...html, 'retry-after': '1' } }, false],
])('%s: sent again or not', (_, request, response, isSentAgain) => {
  expect(createTemporaryErrors().secondsBefore(request, response, 0) !== undefined).toBe(isSentAgain);
});
