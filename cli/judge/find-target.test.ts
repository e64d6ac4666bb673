import { describe, expect, test } from 'vitest';
import { foreignOrigins, targetOfTraffic } from './find-target.ts';
import type { RecordedExchange } from './recording/recorded-exchange.ts';

const exchange = (method: string, url: string, requestHeaders: [string, string][] = []): RecordedExchange => ({
  source: '',
  method,
  url,
  requestHeaders,
  requestBody: { text: '' },
  status: 200,
  responseHeaders: [],
  responseBody: { text: '' },
  isCallerUnknown: false,
  isRepeat: false,
});

const API = 'https://api.example.com/base';
const accounts = exchange('GET', `${API}/v0/accounts?x=1`, [['x-acme-workspace', 'demo']]);

test('the addresses are those of the management API and of what is beside it', () => {
  const { addresses, brand } = targetOfTraffic('x.har', [
    exchange('GET', 'https://app.example.com/index.html'),
    accounts,
    exchange('POST', `${API}/demo/agents/demo-agent`),
    exchange('GET', 'https://sbx-box-demo.local.example.com/filesystem/tree/app'),
  ]);
  expect(addresses).toEqual({
    management: `${API}/v0`,
    host: API,
    inference: API,
    sandbox: 'https://sbx-box-demo.local.example.com',
  });
  expect(brand).toBe('acme');
});

test('the brand may be that of a version header', () => {
  const versions: [string, string][] = [
    ['Mcp-Protocol-Version', '2025-11-25'],
    ['Acme-Version', '2026-04-16'],
  ];
  expect(targetOfTraffic('x.har', [exchange('GET', `${API}/v0/accounts`, versions)]).brand).toBe('Acme');
  expect(targetOfTraffic('x.har', [exchange('GET', `${API}/v0/accounts`)]).brand).toBeUndefined();
});

describe('an error', () => {
  test.each([
    ['no management API', [exchange('GET', 'https://api.example.com/accounts')], /^x\.har: no request matches/],
    ['two management APIs', [accounts, exchange('GET', 'http://127.0.0.1:4010/v0/accounts')], /at 2 addresses/],
    [
      'two brands',
      [accounts, exchange('GET', `${API}/v0/accounts`, [['X-Svc-Authorization', 'Bearer x']])],
      /several brands \(acme, Svc\)/,
    ],
  ])('for %s', (_, exchanges, message) => {
    expect(() => targetOfTraffic('x.har', exchanges)).toThrow(message);
  });
});

test('requests that go elsewhere are named only if none goes to the target', () => {
  const to = (...hosts: string[]) => hosts.map((host) => ({ url: `https://${host}.example/v0/accounts` }));
  const own = new Map([['https://api.example', []]]);
  expect(foreignOrigins(to('a', 'a', 'b'), own)).toBe('https://a.example, https://b.example');
  expect(foreignOrigins(to('a', 'b', 'c', 'd'), own)).toMatch(/ and 1 more$/);
  expect(foreignOrigins(to('a', 'api'), own)).toBeUndefined();
  expect(foreignOrigins([], own)).toBeUndefined();
});
