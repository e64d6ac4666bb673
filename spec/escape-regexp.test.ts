import { expect, test } from 'vitest';
import { escapeRegExp } from './escape-regexp.ts';

const printable = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index));

test.each([...printable, '\n', 'é', 'a.b*c', '(?:x)', '[a-z]', String.raw`\d+`, 'a|b', '$&'])(
  'the pattern of %j matches only this text',
  (text) => {
    expect(new RegExp(`^${escapeRegExp(text)}$`).test(text)).toBe(true);
    expect(new RegExp(`^[${escapeRegExp(text)}]$`).test('~'.repeat(2))).toBe(false);
    expect('before it'.replace(new RegExp(escapeRegExp(text)), 'replaced')).toBe('before it'.replace(text, 'replaced'));
  },
);

test('texts are alternatives', () => {
  const pattern = new RegExp(['a|b', 'c+'].map(escapeRegExp).join('|'), 'g');
  expect('a|b cc c+'.match(pattern)).toEqual(['a|b', 'c+']);
});
