/** Tests the transport with certificates and through proxies. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { ca, client } from '../../fixtures/tls/index.ts';
import { localProxy } from '../testing/local-proxy.ts';
import { localServer } from '../testing/local-server.ts';
import { tlsServer } from '../testing/tls-server.ts';
import { secureContextOf } from './tls-settings.ts';
import { createTransport, HarnessError } from './transport.ts';

const textOf = (file: string): string => readFileSync(file, 'utf8');
const trusted = { ca: textOf(ca) };
const identified = { ...trusted, cert: textOf(client.cert), key: textOf(client.key) };

afterEach(() => vi.unstubAllEnvs());

/** The text of the response, or the error. */
async function request(origin: string, tls?: Parameters<typeof secureContextOf>[0], method = 'GET') {
  const transport = createTransport({ rate: 0, secureContext: secureContextOf(tls), timeoutSeconds: 5 });
  try {
    const { text } = await transport.send({ method, origin, path: '/x', headers: {} });
    return text;
  } catch (error) {
    if (error instanceof HarnessError) return error;
    throw error;
  } finally {
    await transport.close();
  }
}

test('a target with the certificate of a private authority is trusted only with tls.ca', async () => {
  await using server = await tlsServer((_, response) => response.end('hello'));
  const origin = `https://localhost:${server.port}`;
  expect(await request(origin, trusted)).toBe('hello');
  expect(await request(origin)).toMatchObject({ message: expect.stringContaining('SELF_SIGNED_CERT_IN_CHAIN') });
});

test('a target that requires a client certificate gets that of tls.cert', async () => {
  await using server = await tlsServer((_, response) => response.end('hello'), true);
  const origin = `https://localhost:${server.port}`;
  expect(await request(origin, identified)).toBe('hello');
  expect(await request(origin, trusted)).toBeInstanceOf(HarnessError);
});

test('HTTPS requests use a tunnel through the proxy, and check the certificate of the target', async () => {
  await using proxy = await localProxy();
  await using server = await tlsServer((_, response) => response.end('hello'));
  vi.stubEnv('HTTPS_PROXY', proxy.address);
  expect(await request(`https://target.example:${server.port}`, trusted)).toBe('hello');
  expect(proxy.received).toEqual([`CONNECT target.example:${server.port}`]);
  expect(await request(`https://other.example:${server.port}`, trusted)).toMatchObject({
    message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
  });
});

test('HTTP requests are sent to the proxy, those to loopback addresses and to hosts in NO_PROXY are not', async () => {
  await using proxy = await localProxy();
  await using server = await localServer(() => ({ body: 'hello' }));
  vi.stubEnv('http_proxy', proxy.address);
  expect(await request(`http://target.example:${server.port}`)).toBe('hello');
  expect(server.received[0]?.headers.host).toBe(`target.example:${server.port}`);
  expect(proxy.received).toEqual([`GET http://target.example:${server.port}/x`]);
  expect(await request(server.address)).toBe('hello');
  vi.stubEnv('no_proxy', 'target.invalid');
  expect(await request(`http://target.invalid:${server.port}`)).toBeInstanceOf(HarnessError);
  expect(proxy.received).toHaveLength(1);
});

test('the user name and the password of the proxy are sent, and not printed', async () => {
  await using proxy = await localProxy(`Basic ${Buffer.from('me:pa55word').toString('base64')}`);
  await using server = await tlsServer((_, response) => response.end('hello'));
  vi.stubEnv('HTTPS_PROXY', proxy.address.replace('//', '//me:pa55word@'));
  expect(await request(`https://target.example:${server.port}`, trusted)).toBe('hello');
  vi.stubEnv('HTTPS_PROXY', proxy.address.replace('//', '//me:other-pa55word@'));
  const error = await request(`https://target.example:${server.port}`, trusted);
  expect(error).toMatchObject({
    proxy: `${new URL(proxy.address).host} of HTTPS_PROXY`,
    message: expect.stringContaining('the proxy 127'),
  });
  expect(String(error)).not.toContain('pa55word');
});

test('a proxy that requires a password, for HTTP', async () => {
  await using proxy = await localProxy('Basic x');
  vi.stubEnv('HTTP_PROXY', proxy.address);
  expect(await request('http://target.example:1')).toMatchObject({
    cause: { message: expect.stringContaining('407') },
  });
});

test('a proxy at which nothing listens, and an invalid one', async () => {
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1');
  expect(await request('https://target.example', undefined, 'POST')).toMatchObject({
    message: 'POST https://target.example/x: no response through the proxy 127.0.0.1:1 of HTTPS_PROXY (ECONNREFUSED)',
  });
  vi.stubEnv('HTTPS_PROXY', 'socks5://127.0.0.1:1');
  expect(await request('https://target.example')).toMatchObject({ message: expect.stringContaining('HTTPS_PROXY') });
});
