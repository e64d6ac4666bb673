/** `assay doctor` checks a target file; tests the real command. */
import { expect, test } from 'vitest';
import { ca, client } from '../../fixtures/tls/index.ts';
import { startMock } from '../../mock/start-mock.ts';
import { localProxy } from '../../suites/testing/local-proxy.ts';
import { run, targetFile } from './testing/assay-process.ts';
import { tlsFront } from './testing/tls-front.ts';

test('0 if all checks pass, also for a target on standard input', async () => {
  await using mock = await startMock({});
  const { code, out } = await run(['doctor', '--target', '-'], { input: JSON.stringify(mock.target) });
  expect(out).toMatch(/^passed +addresses\.management +http/m);
  expect(out).toMatch(/^passed +latency +median \d+ ms, 90th percentile \d+ ms/m);
  expect(out).toMatch(/^passed +duration +assay test takes about .* with --quick about .*an estimate/m);
  expect(out).toMatch(/\d+ checks: \d+ passed, 0 failed\.\n$/);
  expect(code).toBe(0);
});

test('1 if a token is wrong, with what to do and without the token', async () => {
  await using mock = await startMock({});
  const file = targetFile({
    ...mock.target,
    credentials: { ...mock.target.credentials, member: { env: 'OTHER_TOKEN' } },
  });
  const { code, out } = await run(['doctor', '--target', file], { env: { OTHER_TOKEN: 'marked-wrong-token' } });
  expect(out).toMatch(
    /^failed +credentials\.member +refused: GET \S+ returned 401\n +→ Replace the value of OTHER_TOKEN/m,
  );
  expect(out).not.toContain('marked');
  for (const token of mock.world.credentials.keys()) expect(out).not.toContain(token);
  expect(code).toBe(1);
});

test('2 if a variable is not set, and for an unknown key', async () => {
  const addresses = { management: 'http://127.0.0.1:1/v0' };
  const unset = await run([
    'doctor',
    '--target',
    targetFile({ addresses, credentials: { admin: { env: 'NOT_SET' } } }),
  ]);
  expect(unset.out).toContain('NOT_SET is not set');
  expect(unset.code).toBe(2);
  expect((await run(['doctor', '--target', '-'], { input: '{"addres": {}}' })).code).toBe(2);
});

test('3 if the target is unreachable, with the error of the network or of TLS', async () => {
  const closed = await run(['doctor', '--base-url', 'http://127.0.0.1:1/v0']);
  expect(closed.out).toMatch(/does not respond: nothing listens on this port \(ECONNREFUSED\)\n +→ /);
  expect(closed.code).toBe(3);
  await using mock = await startMock({});
  const { code, out } = await run(['doctor', '--base-url', mock.addresses.management.replace('http:', 'https:')]);
  expect(out).toMatch(/does not respond: TLS: .*\n +→ /);
  expect(code).toBe(3);
});

test('a target of a private network: NODE_EXTRA_CA_CERTS, tls.ca, a client certificate, and a proxy', async () => {
  await using mock = await startMock({});
  await using target = await tlsFront(mock.addresses.host ?? '');
  await using proxy = await localProxy();
  const management = `https://target.example:${target.port}/v0`;
  const env = { HTTPS_PROXY: proxy.address, CA: ca, CERT: client.cert, KEY: client.key };
  const { credentials } = mock.target;
  const examine = async (tls: object, more: Record<string, string> = {}) => {
    const file = targetFile({ addresses: { management }, credentials, tls });
    return run(['doctor', '--target', file], { env: { ...env, ...more } });
  };
  const own = { cert: '${CERT}', key: '${KEY}' };

  const passing = await examine({ ...own, ca: '${CA}' });
  expect(passing.out).toMatch(/^passed +addresses\.management/m);
  expect(passing.code).toBe(0);
  expect((await examine(own, { NODE_EXTRA_CA_CERTS: ca })).code).toBe(0);
  expect(proxy.received).toContain(`CONNECT target.example:${target.port}`);

  const untrusted = await examine(own);
  expect(untrusted.out).toMatch(
    /TLS: .*self-signed .*through the proxy 127\.0\.0\.1:\d+ of HTTPS_PROXY\n +→ Set NODE_EXTRA_CA_CERTS.* \(also for addresses\.host\)\n/,
  );
  expect(untrusted.code).toBe(3);
  const anonymous = await examine({ ca: '${CA}' });
  expect(anonymous.out).toMatch(/closed before a response .*\n +→ .*a client certificate is required \(tls\.cert\)/);
  const unreadable = await examine({ ca: 'no-such.pem' });
  expect(unreadable.out).toContain('tls.ca: the file "no-such.pem" does not exist.');
  expect(unreadable.code).toBe(2);
});
