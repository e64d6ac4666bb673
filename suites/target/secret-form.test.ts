import { expect, test } from 'vitest';
import { withCleanAddresses, withoutSecrets } from './secret-form.ts';

test.each([
  ['http://user:pa55@host/v0', 'http://…@host/v0'],
  ['http://pa55@host/v0', 'http://…@host/v0'],
  ['http://user:p@5/5?#@host:80/v0', 'http://…@host:80/v0'],
  ['user:pa55@host/v0', '…@host/v0'],
  ['HTTPS://host/v0?key=pa55#pa55', 'HTTPS://host/v0?…'],
  ['host/v0#pa55', 'host/v0#…'],
  ['http://127.0.0.1:4010/v0', 'http://127.0.0.1:4010/v0'],
  ['https://host/npm/@scope/api.yaml', 'https://host/npm/@scope/api.yaml'],
])('%s is told as %s', (address, told) => {
  expect(withoutSecrets(address)).toBe(told);
});

test.each([
  ['No "http://u:p@a/b", no http://c/d.', 'No "http://…@a/b", no http://c/d.'],
  ["No 'ftp://c?d': e@f?", "No 'ftp://c?…': e@f?"],
  ['No "http://…@a/b?…": it is told already.', 'No "http://…@a/b?…": it is told already.'],
])('in a sentence addresses are told without secrets, all else as it is: %s', (sentence, told) => {
  expect(withCleanAddresses(sentence)).toBe(told);
});
