import { expect, test } from 'vitest';
import { explainNetworkError } from './network-error.ts';

const errorWith = (code: string): Error => Object.assign(new Error('a message'), { code });

test('the code of the cause is explained', () => {
  const error = new Error('GET /: no response', { cause: errorWith('CERT_HAS_EXPIRED') });
  expect(explainNetworkError(error).what).toBe('TLS: the certificate has expired (CERT_HAS_EXPIRED)');
});

test('of a connection to several addresses, the first error counts', () => {
  const cause = new AggregateError([errorWith('ECONNREFUSED'), errorWith('ENETUNREACH')]);
  expect(explainNetworkError(new Error('x', { cause })).what).toContain('nothing listens on this port');
});

test('an unknown code is printed', () => {
  expect(explainNetworkError(errorWith('EUNKNOWN')).what).toBe('EUNKNOWN');
});
