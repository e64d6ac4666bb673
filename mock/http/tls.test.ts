import { expect, test } from 'vitest';
import { testCertificate } from '../testing/test-certificate.ts';
import { tlsProblem } from './tls.ts';

const one = testCertificate();
const other = testCertificate();

test.each([
  ['a certificate and its key', one, undefined],
  ['the same as bytes', { cert: Buffer.from(one.cert), key: Buffer.from(one.key) }, undefined],
  ['a chain', { ...one, cert: `${one.cert}${other.cert}` }, undefined],
  ['a text that is no certificate', { ...one, cert: 'text' }, 'cert is not a certificate in PEM form'],
  ['a key as the certificate', { ...one, cert: one.key }, 'cert is not a certificate in PEM form'],
  ['a text that is no key', { ...one, key: 'text' }, 'key is not a private key in PEM form without a passphrase'],
  ['a certificate as the key', { ...one, key: one.cert }, 'key is not a private key in PEM form without a passphrase'],
  ['the key of another certificate', { ...one, key: other.key }, 'key is not the private key of the certificate'],
])('%s', (_, files, expected) => {
  const problem = tlsProblem(files);
  expect(problem && `${problem.option} ${problem.reason}`).toBe(expected);
});
