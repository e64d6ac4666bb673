import { expect, test } from 'vitest';
import { isRelatedAddress } from './is-related-address.ts';

test.each([
  ['https://api.example.com', 'https://api.example.com/v0', true],
  ['https://sbx-1.example.com', 'https://api.example.com/v0', true],
  ['https://a.b.example.com', 'https://api.example.com/v0', true],
  ['http://sbx-1.localhost:4010', 'http://127.0.0.1:4010/v0', true],
  ['http://[::1]:4010', 'http://localhost:4010/v0', true],
  ['http://api.example.com', 'https://api.example.com/v0', false],
  ['https://elsewhere.example.org', 'https://api.example.com/v0', false],
  ['https://badexample.com', 'https://api.example.com/v0', false],
  ['https://other.com', 'https://example.com/v0', false],
  ['https://10.0.0.2', 'https://10.0.0.1/v0', false],
  ['http://example.com', 'http://127.0.0.1:4010/v0', false],
  ['http://127.0.0.1.example.com', 'http://127.0.0.1:4010/v0', false],
])('whether %s belongs to %s: %s', (address, management, expected) => {
  expect(isRelatedAddress(address, management)).toBe(expected);
});
