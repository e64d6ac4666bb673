import { expect, test } from 'vitest';
import { HarnessError } from '../../suites/target/transport.ts';
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

test('a deadline that has passed is explained', () => {
  const cause = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  expect(explainNetworkError(new HarnessError('x', { cause })).what).toContain('no complete response in time');
});

test('an unknown code is printed', () => {
  expect(explainNetworkError(errorWith('EUNKNOWN')).what).toBe('EUNKNOWN');
});

test.each([
  ['CERT_NOT_YET_VALID', /not valid yet/, /clock/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /self-signed/, /NODE_EXTRA_CA_CERTS.*tls\.ca/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /requires a client certificate/, /tls\.cert and tls\.key/],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', /refused the client certificate: its issuer/, /tls\.cert and tls\.key/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /TLS version/, /TLS 1\.2/],
])('the TLS error %s is explained', (code, what, advice) => {
  const explanation = explainNetworkError(new HarnessError('x', { cause: errorWith(code) }));
  expect(explanation.what).toMatch(what);
  expect(explanation.advice).toMatch(advice);
});

const tunnelError = (status: number) =>
  Object.assign(new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`), { code: 'UND_ERR_ABORTED' });

test.each([
  [errorWith('ECONNREFUSED'), /^nothing listens there \(ECONNREFUSED\), through the proxy p:3128$/, /HTTPS_PROXY/],
  [errorWith('ENOTFOUND'), /^the host name of the proxy/, /NO_PROXY/],
  [tunnelError(407), /^the proxy requires a user name and a password/, /USER:PASSWORD/],
  [tunnelError(403), /^the proxy refused to connect to the target/, /allows it/],
  [errorWith('CERT_HAS_EXPIRED'), /^TLS: the certificate has expired .*, through the proxy p:3128$/, /Renew/],
])('through a proxy, %s is explained', (cause, what, advice) => {
  const explanation = explainNetworkError(new HarnessError('x', { cause, proxy: 'p:3128' }));
  expect(explanation.what).toMatch(what);
  expect(explanation.advice).toMatch(advice);
});
