import { expect, test } from 'vitest';
import { proxyFor } from './proxy-for.ts';

const PROXY = 'http://proxy.example:3128';
const chosen = (address: string, environment: Record<string, string>): string | undefined =>
  proxyFor(address, environment)?.origin;

test.each([
  ['https://api.example.com/v0', { HTTPS_PROXY: PROXY }],
  ['https://api.example.com/v0', { https_proxy: PROXY }],
  ['https://api.example.com/v0', { https_proxy: PROXY, HTTPS_PROXY: 'http://other.example' }],
  ['https://api.example.com/v0', { HTTPS_PROXY: 'proxy.example:3128' }],
  ['https://api.example.com/v0', { HTTPS_PROXY: PROXY, NO_PROXY: 'example.org, notapi.example.com' }],
  ['https://api.example.com/v0', { HTTPS_PROXY: PROXY, NO_PROXY: 'api.example.com:8443' }],
  ['http://api.example.com/v0', { HTTP_PROXY: PROXY }],
  ['http://128.0.0.1', { HTTP_PROXY: PROXY }],
])('%s is requested through the proxy of %j', (address, environment) => {
  expect(chosen(address, environment)).toBe(PROXY);
});

test.each([
  ['https://api.example.com', {}],
  ['https://api.example.com', { HTTP_PROXY: PROXY }],
  ['http://api.example.com', { HTTPS_PROXY: PROXY }],
  ['https://api.example.com', { HTTPS_PROXY: '' }],
  ['https://api.example.com', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }],
  ['https://api.example.com', { HTTPS_PROXY: PROXY, NO_PROXY: 'example.org, example.com' }],
  ['https://api.example.com', { HTTPS_PROXY: PROXY, no_proxy: '.example.com' }],
  ['https://api.example.com', { HTTPS_PROXY: PROXY, no_proxy: '*.EXAMPLE.com' }],
  ['https://api.example.com.', { HTTPS_PROXY: PROXY, no_proxy: 'api.example.com' }],
  ['https://api.example.com', { HTTPS_PROXY: PROXY, NO_PROXY: 'api.example.com:443' }],
  ['https://[2001:db8::1]', { HTTPS_PROXY: PROXY, NO_PROXY: '2001:db8::1' }],
  ['https://[2001:db8::1]', { HTTPS_PROXY: PROXY, NO_PROXY: '[2001:db8::1]:443' }],
  ['http://localhost:4010', { HTTP_PROXY: PROXY }],
  ['http://sbx-demo.local.localhost:4010', { HTTP_PROXY: PROXY }],
  ['http://127.1.2.3:4010', { HTTP_PROXY: PROXY }],
  ['http://[::1]:4010', { HTTP_PROXY: PROXY }],
])('%s is requested directly with %j', (address, environment) => {
  expect(chosen(address, environment)).toBeUndefined();
});

test.each(['socks5://user:pa55word@proxy', 'http://us er:pa55word@'])('the proxy %j is refused', (value) => {
  const read = () => proxyFor('https://api.example.com', { HTTPS_PROXY: value });
  expect(read).toThrow('HTTPS_PROXY');
  expect(read).not.toThrow('pa55word');
});
