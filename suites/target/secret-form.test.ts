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

test('addresses in a sentence are told without secrets, all else as it is', () => {
  expect(withCleanAddresses('No "http://u:p@a/b" and no ftp://c?d e@f?')).toBe(
    'No "http://…@a/b" and no ftp://c?… e@f?',
  );
});
