import { expect, test } from 'vitest';
import { almost } from './foreign-uris.ts';

test('http instead of https is tried, https instead of http is not', () => {
  expect(almost('https://a.example/cb')).toContain('http://a.example/cb');
  expect(almost('http://a.example/cb').filter((uri) => uri.startsWith('https:'))).toEqual([]);
});

test('the registered address itself is not tried', () => {
  for (const uri of ['https://A.example/CALLBACK', 'http://a.example/cb', 'https://a.example:8443/', 'app:/callback'])
    expect(almost(uri)).not.toContain(uri);
});

test('another path, a slash, a subdomain and a port are tried', () => {
  const uris = ['https://a.example/assay-elsewhere', 'https://a.example/cb/'];
  expect(almost('https://a.example/cb')).toEqual(expect.arrayContaining(uris));
  const hosts = ['https://assay.a.example/cb', 'https://a.example:8443/cb'];
  expect(almost('https://a.example/cb')).toEqual(expect.arrayContaining(hosts));
});

test('a loopback address has neither subdomains nor other ports', () => {
  for (const host of ['127.0.0.1:8765', '[::1]:8765', 'localhost:8765'])
    for (const uri of almost(`http://${host}/cb`)) expect(new URL(uri).host).toBe(host);
});

test('the empty path and the slash are the same path', () => {
  expect(almost('https://a.example')).not.toContain('https://a.example/');
});
