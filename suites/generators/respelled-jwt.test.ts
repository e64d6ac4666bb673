import { expect, test } from 'vitest';
import { respelledValues } from './respelled-jwt.ts';

test.each([
  ['e30.e30.AAAA', undefined, undefined],
  ['e30.e30.AAE', 'Bearer e30.e30.AAE=', 'Bearer e30.e30.AAF'],
  ['e30.e30.Aw', 'Bearer e30.e30.Aw==', 'Bearer e30.e30.Ax'],
  ['e30.e30.', undefined, undefined],
])('%s has other spellings', (token, padded, otherBits) => {
  const values = Object.values(respelledValues).map((respell) => respell(token));
  const [head, signature] = [token.slice(0, 8), token.slice(8)];
  expect(values).toEqual([padded, otherBits, `Bearer ${head} ${signature}`, `Bearer  ${token}`]);
});

test('the other bits are unused', () => {
  for (const token of ['.AAE', '.Aw', '.Ag', '.__8']) {
    const value = respelledValues['other unused bits in the signature'](token) ?? '';
    const [bytes, others] = [token, value.slice('Bearer '.length)].map((each) =>
      Buffer.from(each.slice(1), 'base64url'),
    );
    expect(others).toEqual(bytes);
    expect(value).not.toBe(`Bearer ${token}`);
  }
});
