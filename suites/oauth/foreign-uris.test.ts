import { expect, test } from 'vitest';
import { almost } from './foreign-uris.ts';

test('http instead of https is tried, https instead of http is not', () => {
  expect(almost('https://a.example/cb')).toContain('http://a.example/cb');
  expect(almost('http://a.example/cb').filter((uri) => uri.startsWith('https:'))).toEqual([]);
});

test('the registered address itself is not tried', () => {
  for (const uri of ['https://A.example/CALLBACK', 'http://a.example/cb', 'app:/callback'])
    expect(almost(uri)).not.toContain(uri);
});
