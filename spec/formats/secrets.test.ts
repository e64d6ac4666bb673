import { expect, test } from 'vitest';
import { redactAddresses, redactAddress } from './secrets.ts';

test.each([
  ['http://user:pa55@host/v0', 'http://…@host/v0'],
  ['http://pa55@host/v0', 'http://…@host/v0'],
  ['http://user:p@5/5?#@host:80/v0', 'http://…@host:80/v0'],
  ['user:pa55@host/v0', '…@host/v0'],
  ['HTTPS://host/v0?key=pa55#pa55', 'HTTPS://host/v0?…'],
  ['host/v0#pa55', 'host/v0#…'],
  ['http://127.0.0.1:4010/v0', 'http://127.0.0.1:4010/v0'],
  ['https://host/npm/@scope/api.yaml', 'https://host/npm/@scope/api.yaml'],
])('%s is redacted to %s', (address, redacted) => {
  expect(redactAddress(address)).toBe(redacted);
});

test.each([
  ['No "http://u:p@a/b", no http://c/d.', 'No "http://…@a/b", no http://c/d.'],
  ["No 'ftp://c?d': e@f?", "No 'ftp://c?…': e@f?"],
  ['No "http://…@a/b?…": it is redacted already.', 'No "http://…@a/b?…": it is redacted already.'],
])('only the URLs of a sentence are redacted: %s', (sentence, redacted) => {
  expect(redactAddresses(sentence)).toBe(redacted);
});
