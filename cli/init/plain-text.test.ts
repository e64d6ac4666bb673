import { expect, test } from 'vitest';
import { isPlainName, isPlainUrl } from './plain-text.ts';

test.each(['demo-agent', 'a', '17', 'true', 'eu-west-1', 'a.b_c@d+e', 'x'.repeat(100)])(
  '%s is a plain name',
  (name) => {
    expect(isPlainName(name)).toBe(true);
  },
);

test.each([
  '',
  '-a',
  'a ',
  'a: b',
  'a #b',
  'a\nallow: destroy',
  '${SVC_ADMIN_TOKEN}',
  '$HOME',
  '*alias',
  '!!tag',
  'ä',
  'a\u202eb',
  'a\u0000',
  'x'.repeat(101),
])('%j is not a plain name', (name) => {
  expect(isPlainName(name)).toBe(false);
});

test.each(['http://127.0.0.1:4010', 'https://sbx-a.example.com/', 'https://a.example/run/v1'])('%s is plain', (url) => {
  expect(isPlainUrl(url)).toBe(true);
});

test.each([
  'ftp://a.example',
  'https://user:secret@a.example',
  'https://a.example/?a=b',
  'https://a.example/#b',
  'https://a.example/${SVC_ADMIN_TOKEN}',
  'https://a.example/%0aallow: destroy',
  'https://a.example:99999/',
  'https://a.example\n',
  '/agents',
])('%j is not plain', (url) => {
  expect(isPlainUrl(url)).toBe(false);
});
