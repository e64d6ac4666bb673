/** Tests that requests of the proxy go through the proxies of the network, and use the certificates of the target file. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { ca } from '../../fixtures/tls/index.ts';
import { secureContextOf } from '../../suites/target/tls-settings.ts';
import { localProxy } from '../../suites/testing/local-proxy.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { tlsServer } from '../../suites/testing/tls-server.ts';
import { forwardTo } from './forward.ts';

afterEach(() => vi.unstubAllEnvs());

/** The status and the body of a request that is forwarded to the origin. */
async function requestVia(origin: string): Promise<string> {
  const forwarding = forwardTo(origin, () => {}, { secureContext: secureContextOf({ ca: readFileSync(ca, 'utf8') }) });
  const server = http.createServer(forwarding.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`);
  const text = await response.text();
  server.close();
  await forwarding.close();
  return `${response.status} ${text}`;
}

test('a target with the certificate of a private authority', async () => {
  await using target = await tlsServer((_, response) => response.end('hello'));
  expect(await requestVia(`https://localhost:${target.port}`)).toBe('200 hello');
});

test('HTTPS through a proxy', async () => {
  await using corporate = await localProxy();
  await using target = await tlsServer((_, response) => response.end('hello'));
  vi.stubEnv('HTTPS_PROXY', corporate.address);
  expect(await requestVia(`https://target.example:${target.port}`)).toBe('200 hello');
  expect(corporate.received).toEqual([`CONNECT target.example:${target.port}`]);
});

test('HTTP through a proxy, but not to a loopback address', async () => {
  await using corporate = await localProxy();
  await using target = await localServer(() => ({ body: 'hello' }));
  vi.stubEnv('HTTP_PROXY', corporate.address);
  expect(await requestVia(`http://target.example:${target.port}`)).toBe('200 hello');
  expect(await requestVia(target.address)).toBe('200 hello');
  expect(corporate.received).toEqual([`GET http://target.example:${target.port}/x`]);
});

test('a proxy that refuses', async () => {
  await using corporate = await localProxy('Basic x');
  vi.stubEnv('HTTPS_PROXY', corporate.address);
  expect(await requestVia('https://target.example:1')).toMatch(/^502 .*target\.example:1 returned no response/);
});
